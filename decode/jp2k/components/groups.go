package components

import (
	"unsafe"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/wavelet"
)

// A group is cached as one: it is the code-blocks in a cell of a grid over a band. Where code-blocks are small, to
// cache each would take longer than to decode it. Most code-blocks are a group of their own.

// The sides of groups in samples, as base-2 logarithms. It takes about three times as long to decode a group as
// to cache it, so little is lost where a window needs a part of a group.
const (
	arithmeticGroupLog2 = 4
	throughputGroupLog2 = 6
)

// groupKey identifies a group. Its index is that of the group in the band.
type groupKey blockKey

// groupGrid is the grid of groups in a band, in columns and rows of code-blocks.
type groupGrid struct {
	*codestream.Band
	widthLog2, heightLog2 int // of a group
}

// groupsOf returns the grid of groups in a band. A group lies in one precinct, since precincts are read one by
// one.
func groupsOf(coding *codestream.TileComponent, resolution, band int) groupGrid {
	side := arithmeticGroupLog2
	if coding.Style&codestream.HT != 0 {
		side = throughputGroupLog2
	}
	in := &coding.Resolutions[resolution]
	b := &in.Bands[band]
	width, height := packets.PrecinctSize(in, resolution)
	g := groupGrid{b, max(min(side, width)-b.BlockWidthLog2, 0), max(min(side, height)-b.BlockHeightLog2, 0)}
	if b.BlockWidthLog2+b.BlockHeightLog2+g.widthLog2+g.heightLog2 > 2*side { // of long code-blocks
		g.widthLog2, g.heightLog2 = 0, 0
	}
	return g
}

// size returns the number of code-blocks in a group that the edges of the band do not cut.
func (g *groupGrid) size() int { return 1 << (g.widthLog2 + g.heightLog2) }

// origin returns the column and the row, on the grid of groups that begins at 0,0, of the first group.
func (g *groupGrid) origin() (column, row int) {
	return g.Rect.X0 >> (g.BlockWidthLog2 + g.widthLog2), g.Rect.Y0 >> (g.BlockHeightLog2 + g.heightLog2)
}

// columns returns the number of columns of groups.
func (g *groupGrid) columns() int {
	first, _ := g.origin()
	return (g.Rect.X1-1)>>(g.BlockWidthLog2+g.widthLog2) - first + 1
}

// index returns the index of the group of a code-block.
func (g *groupGrid) index(column, row int) uint32 {
	firstColumn, firstRow := g.origin()
	column, row = column+g.Rect.X0>>g.BlockWidthLog2, row+g.Rect.Y0>>g.BlockHeightLog2
	return uint32((row>>g.heightLog2-firstRow)*g.columns() + column>>g.widthLog2 - firstColumn)
}

// position returns the position of a code-block in its group.
func (g *groupGrid) position(column, row int) int32 {
	column, row = column+g.Rect.X0>>g.BlockWidthLog2, row+g.Rect.Y0>>g.BlockHeightLog2
	return int32(row&(1<<g.heightLog2-1)<<g.widthLog2 + column&(1<<g.widthLog2-1))
}

// blocks returns the columns and rows of the code-blocks in a group.
func (g *groupGrid) blocks(index uint32) wavelet.Rect {
	firstColumn, firstRow := g.origin()
	columns := uint32(g.columns())
	x := (firstColumn+int(index%columns))<<g.widthLog2 - g.Rect.X0>>g.BlockWidthLog2
	y := (firstRow+int(index/columns))<<g.heightLog2 - g.Rect.Y0>>g.BlockHeightLog2
	return wavelet.Rect{X0: x, Y0: y, X1: x + 1<<g.widthLog2, Y1: y + 1<<g.heightLog2}.Intersect(wavelet.Rect{X1: g.BlockColumns(), Y1: g.BlockRows()})
}

// gridOf returns the grid of a group.
func (r *Request) gridOf(key groupKey) groupGrid {
	return groupsOf(&r.tiles[int(key.tile)].Components[key.component], int(key.resolution), int(key.band))
}

// groupOf returns the group of a code-block.
func (r *Request) groupOf(key blockKey) groupKey {
	group := groupKey(key)
	grid := r.gridOf(group)
	columns := uint32(grid.BlockColumns())
	group.index = grid.index(int(key.index%columns), int(key.index/columns))
	return group
}

// codedBlocks goes through the code-blocks in a group of which something is coded.
type codedBlocks struct {
	tile        *tile
	blocks      packets.Blocks
	key         blockKey
	column, row int // of key
	in          wavelet.Rect
	columns     int // in the band
}

// codedIn returns what goes through the code-blocks in a group.
func (r *Request) codedIn(grid *groupGrid, group groupKey) codedBlocks {
	number, in := int(group.tile), grid.blocks(group.index)
	return codedBlocks{
		tile: r.tiles[number], blocks: r.blocks[number], key: blockKey(group),
		column: in.X0 - 1, row: in.Y0, in: in, columns: grid.BlockColumns(),
	}
}

// next sets to to the next code-block. It returns false if there is none.
func (c *codedBlocks) next(to *codeBlock) bool {
	for {
		if c.column++; c.column == c.in.X1 {
			c.column, c.row = c.in.X0, c.row+1
		}
		if c.row == c.in.Y1 {
			return false
		}
		c.key.index = uint32(c.row*c.columns + c.column)
		if c.key.find(c.tile, c.blocks, to) {
			return true
		}
	}
}

// block returns the key of a code-block in a group.
func (g *groupGrid) block(group groupKey, position int32) blockKey {
	firstColumn, firstRow := g.origin()
	columns := uint32(g.columns())
	column := (firstColumn+int(group.index%columns))<<g.widthLog2 + int(position)&(1<<g.widthLog2-1) - g.Rect.X0>>g.BlockWidthLog2
	row := (firstRow+int(group.index/columns))<<g.heightLog2 + int(position)>>g.widthLog2 - g.Rect.Y0>>g.BlockHeightLog2
	key := blockKey(group)
	key.index = uint32(row*g.BlockColumns() + column)
	return key
}

// newGroup returns the value of a group for so many code-blocks, of which none is known.
func newGroup(size int) coefficients {
	if size == 1 {
		return coefficients{}
	}
	return coefficients{numbers: make([]coefficients, size)}
}

// at returns the coefficients of a code-block in a group.
func (c *coefficients) at(position int32) *coefficients {
	if all, areMany := c.numbers.([]coefficients); areMany {
		return &all[position]
	}
	return c
}

// groupBytes returns the memory of a group of so many code-blocks, without their numbers.
func groupBytes(size int) int64 {
	if size == 1 {
		return 0
	}
	return sliceBytes + int64(size)*int64(unsafe.Sizeof(coefficients{}))
}
