package geotiff

const (
	// largestStrip is the side up to which an image is one strip a plane.
	largestStrip = 512

	// Small tiles waste little at the edges; large ones make short tables of offsets.
	smallTile   = 256
	largeTile   = 512
	manyColumns = 2048 // from which tiles are large
)

// grid is how the samples of a page are cut into blocks.
type grid struct {
	width, height           int // pixels
	blockWidth, blockHeight int // pixels
	tiled                   bool
	samples                 int // of a pixel
	sampleBits              int
	planes                  int // 1 if all samples of a pixel lie side by side, or as many as there are samples
}

// cut chooses the blocks of an image. With a side of 0 it chooses their size too.
func (g *grid) cut(tileSide int) {
	longest := max(g.width, g.height)
	switch {
	case tileSide == 0 && longest <= largestStrip:
		g.blockWidth, g.blockHeight, g.tiled = g.width, g.height, false
		return
	case tileSide == 0 && longest < manyColumns:
		tileSide = smallTile
	case tileSide == 0:
		tileSide = largeTile
	}
	g.blockWidth, g.blockHeight, g.tiled = tileSide, tileSide, true
}

func (g *grid) across() int { return (g.width + g.blockWidth - 1) / g.blockWidth }
func (g *grid) down() int   { return (g.height + g.blockHeight - 1) / g.blockHeight }
func (g *grid) blocks() int { return g.planes * g.across() * g.down() }

// pixelBits is what a pixel takes in a block.
func (g *grid) pixelBits() int { return g.samples / g.planes * g.sampleBits }

// rowBytes is the length of a row of a block, which begins with a byte of its own.
func (g *grid) rowBytes() int { return (g.blockWidth*g.pixelBits() + 7) / 8 }

func (g *grid) blockBytes() int { return g.rowBytes() * g.blockHeight }

// rawBytes is the length of all blocks before they are compressed.
func (g *grid) rawBytes() int64 {
	return int64(g.planes) * int64(g.across()*g.down()) * int64(g.blockBytes())
}

// block is a block of one plane and what of the image lies in it.
type block struct {
	plane         int
	x, y          int // of its first pixel
	columns, rows int // that are not padding
}

// block is the one of the given number, counted row by row and plane by plane.
func (g *grid) block(number int) block {
	plane, at := number/(g.across()*g.down()), number%(g.across()*g.down())
	x, y := at%g.across()*g.blockWidth, at/g.across()*g.blockHeight
	return block{plane, x, y, min(g.blockWidth, g.width-x), min(g.blockHeight, g.height-y)}
}
