package lossy

import "tileserver/internal/reuse"

// plane is a plane of samples with a border above and on both sides. Blocks at the edges are
// predicted from the border.
type plane struct {
	samples []uint8
	stride  int
}

const (
	leftBorder  = 16 // one is used
	rightBorder = 16 // four are used
	aboveSample = 127
	leftSample  = 129
)

// at returns the index of a sample.
func (p *plane) at(x, y int) int { return (y+1)*p.stride + leftBorder + x }

// reset allocates the plane and sets its border.
func (p *plane) reset(width, height int) {
	p.stride = leftBorder + width + rightBorder
	p.samples = reuse.Slice(p.samples, p.stride*(height+1))
	for x := range p.stride {
		p.samples[x] = aboveSample
	}
	for y := range height {
		p.samples[p.at(-1, y)] = leftSample
	}
}

// picture holds a luma plane and two chroma planes of whole macroblocks. The chroma planes have the
// same stride.
type picture struct{ y, u, v plane }

func (p *picture) reset(columns, rows int) {
	p.y.reset(16*columns, 16*rows)
	p.u.reset(8*columns, 8*rows)
	p.v.reset(8*columns, 8*rows)
}
