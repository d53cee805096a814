package nitf

import (
	"bytes"
	"context"

	"tileserver/codec/jpeg"
	"tileserver/decode/blocks"
	"tileserver/decode/nitf/masks"
	"tileserver/raster"
	"tileserver/source"
)

// strips is the index of an image that is one JPEG stream, whose rows can be decoded alone between
// its restart markers. Some rows are an entry, in place of a stored block. It reads the stream up to
// the last rows that are asked for.
type strips struct {
	*sequence
	each int           // strips in an entry
	rows jpeg.RowIndex // what the steps tell
}

func newStrips(src source.Source, data source.Range) *strips {
	x := new(strips)
	x.sequence = newSequence(src, data, x.add)
	return x
}

// divideStream divides a large image that is one JPEG stream into rows, if its restart markers
// allow it. Otherwise each tile of it would take all of it to decode.
func (m *blockImage) divideStream(ctx context.Context) error {
	const (
		maxStreamBytes = 2 << 20 // of samples that are decoded as one
		entryBytes     = 512 << 10
	)
	rowBytes := m.grid.width * m.coding.layout.Samples * m.info.Type.Size()
	isOne := m.grid.count()*int64(m.coding.planes()) == 1 && !m.coding.isMasked
	if m.coding.compression != blocks.JPEG || !isOne || int64(rowBytes)*int64(m.grid.height) <= maxStreamBytes {
		return nil
	}
	x := newStrips(m.file.src, m.header.Content)
	if err := x.readHead(ctx); err != nil || x.rows.PartRows() == 0 {
		return err
	}
	x.each = max(1, entryBytes/(rowBytes*x.rows.PartRows()))
	if rows := x.each * x.rows.PartRows(); rows < m.grid.height {
		m.grid.divideStored(rows)
		m.strips = x
	}
	return nil
}

// readHead reads the headers of the stream.
func (x *strips) readHead(ctx context.Context) error {
	const headBytes = 16 << 10
	for !x.rows.IsRead() && !x.isAtEnd() {
		if err := x.step(ctx, headBytes); err != nil {
			return err
		}
	}
	return nil
}

// add continues with a step. The stream has no rows if it does not begin with the data.
func (x *strips) add(read []byte) {
	isFirst := x.at == int64(len(read))
	if isFirst && !bytes.HasPrefix(read, []byte{0xFF, byte(jpeg.MarkerStart)}) {
		x.rows.Close() // its stream is elsewhere
		return
	}
	if x.rows.Add(read); x.isAtEnd() {
		x.rows.Close()
	}
}

func (x *strips) find(ctx context.Context, entries []int64) ([]location, error) {
	return x.until(ctx, func() ([]location, bool) { return x.found(entries) })
}

// found returns where rows are, if the stream was read far enough to tell.
func (x *strips) found(entries []int64) ([]location, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	places := make([]location, len(entries))
	for i, n := range entries {
		first, count := x.stripsOf(n)
		where, known := x.rows.Parts(first, count)
		switch {
		case known:
			places[i].where = source.Range{Offset: x.data.Offset + where.Offset, Length: where.Length}
		case !x.isAtEnd():
			return nil, false
		default:
			places[i].state = masks.Lost
		}
	}
	return places, true
}

// stripsOf returns the strips of an entry, with their neighbors if these are needed.
func (x *strips) stripsOf(entry int64) (first, count int) {
	begin := int(entry) * x.each
	first = max(0, begin-x.rows.Neighbors())
	return first, begin + x.each + x.rows.Neighbors() - first
}

// stream returns the rows of an entry, and of the neighbors of its strips, as a stream of their own.
func (x *strips) stream(entry int64, data []byte) []byte {
	first, count := x.stripsOf(entry)
	return x.rows.Stream(data, first, count)
}

// locateStrips sets how to decode a piece of an image with strips.
func (m *blockImage) locateStrips(p *piece) {
	first, count := m.strips.stripsOf(p.entry)
	above := (int(p.entry)*m.strips.each - first) * m.strips.rows.PartRows()
	p.job.Rows = count * m.strips.rows.PartRows()
	if above > 0 {
		p.above, p.stride = above, m.grid.storedWidth
		p.rows = raster.NewBuffer(m.coding.layout.Type, p.stride, above+p.within.Height(), len(p.samples))
	}
}
