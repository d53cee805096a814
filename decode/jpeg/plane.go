package jpeg

// shape is how a component becomes as large as the picture.
type shape uint8

const (
	sameSize shape = iota
	twiceWide
	twiceHigh
	twiceBoth
	repeated // any other factors: samples are repeated, as libjpeg does it
)

// plane holds the rows of samples of a component that are made but not yet in the picture.
type plane[T Sample] struct {
	part  *component
	shape shape
	maxH  int
	maxV  int

	rows    int // that are held, two rows of units, used by turns
	stride  int
	columns int // of blocks that are transformed
	width   int // samples of a row that are used
	held    []T

	across int // samples of a row of the picture
	out    []T // such a row
	sums   []uint16
}

// begin makes room for a component, of which as many samples are made as width samples of the picture take.
func (p *plane[T]) begin(c *component, f *Frame, width int) {
	p.part, p.maxH, p.maxV = c, f.maxH, f.maxV
	p.shape = shapeOf(c, f)
	p.width = c.width
	if width < f.Width { // half of a sample more than lies below the picture
		p.width = min(c.width, (width*c.h)/f.maxH+1)
	}
	p.columns = ceilDivide(p.width, blockSide)
	p.rows = 2 * blockSide * c.v
	p.stride = c.storedWide * blockSide
	p.held = resized(p.held, p.rows*p.stride)
	p.sums = resized(p.sums, p.width)
	p.across = width
	p.out = resized(p.out, max(2*p.width, width))
}

// resized is s with another length, and any samples in it.
func resized[T Sample](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// shapeOf interpolates only what is halved and of more than two samples.
func shapeOf(c *component, f *Frame) shape {
	twiceH, twiceV := 2*c.h == f.maxH, 2*c.v == f.maxV
	sameH, sameV := c.h == f.maxH, c.v == f.maxV
	const fewest = 3
	switch {
	case sameH && sameV:
		return sameSize
	case sameH && twiceV:
		return twiceHigh
	case twiceH && sameV && c.width >= fewest:
		return twiceWide
	case twiceH && twiceV && c.width >= fewest:
		return twiceBoth
	}
	return repeated
}

// needsNext tells whether the last row that is made cannot be used before the one below it is.
func (p *plane[T]) needsNext() bool { return p.shape == twiceHigh || p.shape == twiceBoth }

// make transforms the blocks of a row of units.
func (p *plane[T]) make(coefficients *coefficients, stored, unitRow int, k *kernels[T]) {
	for v := range p.part.v {
		blocks, lasts := coefficients.row(p.part, stored*p.part.v+v)
		row := (unitRow*p.part.v + v) * blockSide % p.rows
		k.transform(p.held[row*p.stride:], p.stride, blocks[:p.columns], lasts, &p.part.quantizers)
		clear(blocks[p.columns:])
	}
}

func (p *plane[T]) row(y int) []T { return p.held[y%p.rows*p.stride:][:p.width] }

// line is row y of the picture, good until the next call.
func (p *plane[T]) line(y int, k *kernels[T]) []T {
	near := y * p.part.v / p.maxV
	row := p.row(near)
	const evenly, above, left, right = 8, 4, 7, 8
	switch p.shape {
	case sameSize:
		return row[:p.across]
	case twiceWide:
		k.sum(p.sums, row, row)
		k.widen(p.out, p.sums, evenly, above)
	case twiceHigh:
		k.sum(p.sums, row, p.row(p.beside(y, near)))
		roundSums(p.out, p.sums, uint16(1+y%2))
	case twiceBoth:
		k.sum(p.sums, row, p.row(p.beside(y, near)))
		k.widen(p.out, p.sums, left, right)
	case repeated:
		repeatSamples(p.out[:p.across], row, p.maxH, p.part.h)
	}
	return p.out[:p.across]
}

// beside is the row of samples on the other side of row y of the picture than the one that it lies in.
func (p *plane[T]) beside(y, near int) int {
	return min(max(near-1+y%2*2, 0), p.part.height-1)
}
