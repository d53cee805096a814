package geotiff

const (
	// maxStripSide is the largest side of an image that is stored as one strip per plane.
	maxStripSide = 512

	// Small tiles waste little space at the edges. Large tiles need fewer offsets.
	smallTile          = 256
	largeTile          = 512
	largeTileThreshold = 2048 // side from which tiles are large
)

// A grid is the division of an image into blocks.
type grid struct {
	width, height           int // in pixels
	blockWidth, blockHeight int // in pixels
	tiled                   bool
	samples                 int // per pixel
	sampleBits              int
	planes                  int // 1 if the samples of a pixel are adjacent; otherwise equal to samples
}

// cut chooses the blocks of an image. A tileSide of 0 lets it choose their size too.
func (g *grid) cut(tileSide int) {
	longest := max(g.width, g.height)
	switch {
	case tileSide == 0 && longest <= maxStripSide:
		g.blockWidth, g.blockHeight, g.tiled = g.width, g.height, false
		return
	case tileSide == 0 && longest < largeTileThreshold:
		tileSide = smallTile
	case tileSide == 0:
		tileSide = largeTile
	}
	g.blockWidth, g.blockHeight, g.tiled = tileSide, tileSide, true
}

func (g *grid) across() int { return (g.width + g.blockWidth - 1) / g.blockWidth }
func (g *grid) down() int   { return (g.height + g.blockHeight - 1) / g.blockHeight }
func (g *grid) blocks() int { return g.planes * g.across() * g.down() }

// pixelBits returns the bits of a pixel in a block.
func (g *grid) pixelBits() int { return g.samples / g.planes * g.sampleBits }

// rowBytes returns the bytes of a row of a block. Rows begin at byte boundaries.
func (g *grid) rowBytes() int { return (g.blockWidth*g.pixelBits() + 7) / 8 }

func (g *grid) blockBytes() int { return g.rowBytes() * g.blockHeight }

// rawBytes returns the size of all blocks before compression.
func (g *grid) rawBytes() int64 {
	return int64(g.planes) * int64(g.across()*g.down()) * int64(g.blockBytes())
}

// A block is a block of one plane and the part of the image that it contains.
type block struct {
	plane         int
	x, y          int // of the first pixel
	columns, rows int // without padding
}

// block returns a block by its number. Blocks are numbered row by row and plane by plane.
func (g *grid) block(number int) block {
	plane, at := number/(g.across()*g.down()), number%(g.across()*g.down())
	x, y := at%g.across()*g.blockWidth, at/g.across()*g.blockHeight
	return block{plane, x, y, min(g.blockWidth, g.width-x), min(g.blockHeight, g.height-y)}
}
