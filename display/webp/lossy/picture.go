package lossy

// A plane is samples with a row above them and columns beside them, from which blocks at its edges are predicted.
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

// at is the place of a sample.
func (p *plane) at(x, y int) int { return (y+1)*p.stride + leftBorder + x }

// reset makes room for a plane, and its borders.
func (p *plane) reset(width, height int) {
	p.stride = leftBorder + width + rightBorder
	p.samples = sized(p.samples, p.stride*(height+1))
	for x := range p.stride {
		p.samples[x] = aboveSample
	}
	for y := range height {
		p.samples[p.at(-1, y)] = leftSample
	}
}

// picture is a plane of luma and two of chroma, of whole macroblocks. Those of chroma are as wide as each other.
type picture struct{ y, u, v plane }

func (p *picture) reset(columns, rows int) {
	p.y.reset(16*columns, 16*rows)
	p.u.reset(8*columns, 8*rows)
	p.v.reset(8*columns, 8*rows)
}

// sized is a slice of n, in the memory of s if that is enough.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
