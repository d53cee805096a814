package decoder

import (
	"tileserver/codec/jpeg"
	"tileserver/internal/reuse"
)

// upsampling identifies how a component is scaled to the size of the picture.
type upsampling uint8

const (
	sameSize upsampling = iota
	twiceWide
	twiceHigh
	twiceBoth
	repeated // any other factors: samples are repeated, as in libjpeg
)

// plane holds the decoded rows of a component that are not yet written to the picture.
type plane[T Sample] struct {
	comp       *component
	upsampling upsampling
	maxH       int
	maxV       int

	rows    int // rows in samples: two rows of units, used as a ring, or all
	stride  int
	columns int // blocks per row that are transformed
	width   int // samples per row that are used
	samples []T
	ring    []T // memory for the samples of two rows of units

	pictureWidth int // width of the picture
	out          []T // one upsampled row
	sums         []uint16
}

// begin prepares the plane for a component. It decodes only the columns that the first width
// columns of the picture need.
func (p *plane[T]) begin(c *component, f *Frame, width int) {
	p.comp, p.maxH, p.maxV = c, f.maxH, f.maxV
	p.upsampling = upsamplingOf(c, f)
	p.width = c.width
	if width < f.Width { // interpolation reads one sample beyond the picture
		p.width = min(c.width, (width*c.h)/f.maxH+1)
	}
	p.columns = ceilDivide(p.width, jpeg.BlockSide)
	p.stride = c.storedWide * jpeg.BlockSide
	p.sums = reuse.Slice(p.sums, p.width)
	p.pictureWidth = width
	p.out = reuse.Slice(p.out, max(2*p.width, width))
}

// reserve makes room for the samples of two rows of units.
func (p *plane[T]) reserve() {
	p.rows = 2 * jpeg.BlockSide * p.comp.v
	p.ring = reuse.Slice(p.ring, p.rows*p.stride)
	p.samples = p.ring
}

// upsamplingOf returns how a component is scaled. Only components of half size and with at least
// three columns are interpolated.
func upsamplingOf(c *component, f *Frame) upsampling {
	twiceH, twiceV := 2*c.h == f.maxH, 2*c.v == f.maxV
	sameH, sameV := c.h == f.maxH, c.v == f.maxV
	const minWidth = 3
	switch {
	case sameH && sameV:
		return sameSize
	case sameH && twiceV:
		return twiceHigh
	case twiceH && sameV && c.width >= minWidth:
		return twiceWide
	case twiceH && twiceV && c.width >= minWidth:
		return twiceBoth
	}
	return repeated
}

// needsNext reports whether the last decoded row can only be scaled when the row below it is
// decoded.
func (p *plane[T]) needsNext() bool { return p.upsampling == twiceHigh || p.upsampling == twiceBoth }

// transformBlocks transforms the blocks of one row of units to samples.
func (p *plane[T]) transformBlocks(coefficients *coefficients, stored, unitRow int, k *kernels[T]) {
	for v := range p.comp.v {
		blocks, lastIndexes := coefficients.row(p.comp, stored*p.comp.v+v)
		row := (unitRow*p.comp.v + v) * jpeg.BlockSide % p.rows
		k.transform(p.samples[row*p.stride:], p.stride, blocks[:p.columns], lastIndexes, &p.comp.quantizers)
		clear(blocks[p.columns:])
	}
}

func (p *plane[T]) row(y int) []T { return p.samples[y%p.rows*p.stride:][:p.width] }

// line returns row y of the picture, upsampled. The result is valid until the next call.
func (p *plane[T]) line(y int, k *kernels[T]) []T {
	near := y * p.comp.v / p.maxV
	row := p.row(near)
	const evenly, above, left, right = 8, 4, 7, 8
	switch p.upsampling {
	case sameSize:
		return row[:p.pictureWidth]
	case twiceWide:
		k.sum(p.sums, row, row)
		k.widen(p.out, p.sums, evenly, above)
	case twiceHigh:
		k.sum(p.sums, row, p.row(p.neighborRow(y, near)))
		roundSums(p.out, p.sums, uint16(1+y%2))
	case twiceBoth:
		k.sum(p.sums, row, p.row(p.neighborRow(y, near)))
		k.widen(p.out, p.sums, left, right)
	case repeated:
		repeatSamples(p.out[:p.pictureWidth], row, p.maxH, p.comp.h)
	}
	return p.out[:p.pictureWidth]
}

// neighborRow returns the row of samples that is interpolated with row near for row y of the
// picture: the one below near for odd y, and the one above it for even y.
func (p *plane[T]) neighborRow(y, near int) int {
	return min(max(near-1+y%2*2, 0), p.comp.height-1)
}
