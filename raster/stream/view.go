package stream

import (
	"fmt"

	"tileserver/raster"
)

// A View is a rectangle of a level with its halo. It is valid in the call that it was passed to.
type View struct {
	Position Position
	Rank     int
	Rect     raster.Rect // without the halo
	Outer    raster.Rect // with the halo; may reach beyond the level

	stream *Stream
	blocks []*block
	bytes  int64          // that are reserved for its pixels
	memory *raster.Memory // that its pixels use; nil if none
}

// newView returns a view without its blocks.
func (s *Stream) newView(rank int) *View {
	columns, cell := int64(s.x.count()), s.sequence[rank]
	v := &View{stream: s, Rank: rank, Position: Position{int(cell % columns), int(cell / columns)}}
	v.Rect.X0, v.Rect.X1 = s.x.inner(v.Position.Column)
	v.Rect.Y0, v.Rect.Y1 = s.y.inner(v.Position.Row)
	v.Outer.X0, v.Outer.X1 = s.x.outer(v.Position.Column)
	v.Outer.Y0, v.Outer.Y1 = s.y.outer(v.Position.Row)
	v.bytes = s.pixelBytes(v.Outer.Width(), v.Outer.Height())
	return v
}

// A Part is a block that a view shows pixels of.
type Part struct {
	Rect raster.Rect // of the whole block in the level
	Tile raster.Tile // zero if no pixel is stored, so that all are invalid
}

// IsStored reports whether a pixel of the block may be stored.
func (p Part) IsStored() bool { return !p.Tile.IsZero() }

// Parts returns the blocks that the view shows pixels of, or why one of them cannot be read. Their tiles stay
// valid after the call, but then they take memory that the stream does not count.
func (v *View) Parts() ([]Part, error) {
	parts := make([]Part, len(v.blocks))
	for i, b := range v.blocks {
		if b.err != nil {
			return nil, fmt.Errorf("block %d,%d: %w", b.id.Col, b.id.Row, b.err)
		}
		parts[i] = Part{v.stream.level.Block(b.id), b.tile}
	}
	return parts, nil
}

// Tile returns the pixels of Outer, with the damage of the blocks that they are from, or why one of the
// blocks cannot be read. The stream uses their memory again after the call.
func (v *View) Tile() (raster.Tile, error) {
	parts, err := v.Parts()
	if err != nil {
		return raster.Tile{}, err
	}
	if len(parts) == 1 && parts[0].Rect == v.Outer && parts[0].IsStored() {
		return parts[0].Tile, nil
	}
	return v.assemble(parts), nil
}
