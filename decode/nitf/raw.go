package nitf

import (
	"tileserver/decode/blocks"
	"tileserver/raster"
	"tileserver/source"
)

// raw says which bytes of a stored block hold samples that are not compressed. Samples lie one
// behind the other, from the highest bit down, without a gap at the end of a row; only the bands of
// IMODE B and S begin on whole bytes.
type raw struct {
	width, height, bands, bits int
	mode                       string
}

func newRaw(g *grid, c *coding) raw {
	return raw{g.storedWidth, g.storedHeight, c.bands, c.layout.Bits, c.mode}
}

// planeBytes returns the size of one band of a block in IMODE B and S.
func (r raw) planeBytes() int64 { return (int64(r.width)*int64(r.height)*int64(r.bits) + 7) / 8 }

// entryBytes returns the size of what an entry of the index stands for.
func (r raw) entryBytes(c *coding) int64 {
	switch {
	case c.isSequential():
		return r.planeBytes()
	case r.mode == "B" || r.mode == "S":
		return r.planeBytes() * int64(r.bands)
	}
	return (int64(r.width)*int64(r.height)*int64(r.bits)*int64(r.bands) + 7) / 8
}

// wholeBytes returns the size of a block that is stored completely, or 0 if only its codec knows.
func (r raw) wholeBytes(c *coding) int64 {
	if !c.isRaw() {
		return 0
	}
	return r.entryBytes(c)
}

// hasColumns reports whether a piece may begin and end at any column, and hasRows whether it may
// have a range of rows that is read row by row.
func (r raw) hasColumns() bool { return r.bits%8 == 0 }
func (r raw) hasRows() bool {
	samples := r.width
	if r.mode == "P" {
		samples *= r.bands
	}
	return samples*r.bits%8 == 0
}

// isContinuous reports whether rows are decoded as one, since they do not begin on whole bytes.
func (r raw) isContinuous() bool { return !r.hasRows() && !r.hasColumns() }

// rawPiece is how to decode a rectangle of a stored block.
type rawPiece struct {
	ranges []source.Range // within the block
	layout blocks.Layout
	column int

	// isContinuous says that all rows are decoded as one, since they do not begin on whole bytes.
	isContinuous bool
	stride, left int // samples of a continuous row, and those before the first one of the band
}

// piece returns how to decode a rectangle of a block, of one band or, in IMODE P, of all.
func (r raw) piece(like blocks.Layout, rect raster.Rect, band int) rawPiece {
	if r.isContinuous() {
		return r.continuousPiece(like, rect, band)
	}
	p := rawPiece{layout: like}
	x := rect.X0
	if p.layout.Width = rect.Width(); !r.hasColumns() || r.isCheaperWhole(rect) {
		p.layout.Width, p.column, x = r.width, rect.X0, 0
	}
	length := int64(p.layout.RowBytes())
	for y := rect.Y0; y < rect.Y1; y++ {
		row := source.Range{Offset: r.byteOf(x, y, band), Length: length}
		if last := len(p.ranges) - 1; last >= 0 && p.ranges[last].End() == row.Offset {
			p.ranges[last].Length += length
			continue
		}
		p.ranges = append(p.ranges, row)
	}
	return p
}

// upTo returns the ranges as far as they lie in the first bytes of the block, and whether some do
// not.
func (p *rawPiece) upTo(length int64) (stored []source.Range, isCut bool) {
	for _, r := range p.ranges {
		if r.End() > length {
			isCut = true
			r.Length = max(length-r.Offset, 0)
		}
		if r.Length > 0 {
			stored = append(stored, r)
		}
	}
	return stored, isCut
}

func totalLength(ranges []source.Range) (n int64) {
	for _, r := range ranges {
		n += r.Length
	}
	return n
}

// isCheaperWhole reports whether whole rows are read where a part of them would do: they are one
// range, and half of their bytes is wanted.
func (r raw) isCheaperWhole(rect raster.Rect) bool { return r.mode != "R" && 2*rect.Width() >= r.width }

// byteOf returns where the sample of a pixel is, which begins a byte.
func (r raw) byteOf(x, y, band int) int64 {
	width, bits := int64(r.width), int64(r.bits)
	pixel := int64(y)*width + int64(x)
	switch r.mode {
	case "P":
		return pixel * int64(r.bands) * bits / 8
	case "R":
		return ((int64(y)*int64(r.bands)+int64(band))*width + int64(x)) * bits / 8
	case "B":
		return int64(band)*r.planeBytes() + pixel*bits/8
	}
	return pixel * bits / 8
}

// continuousPiece returns the piece of whole rows that do not begin on whole bytes. It begins with
// a pixel that does.
func (r raw) continuousPiece(like blocks.Layout, rect raster.Rect, band int) rawPiece {
	const pixelsOfWholeBytes = 8
	p := rawPiece{layout: like, isContinuous: true, stride: r.width}
	if r.mode == "R" {
		p.stride, p.left, band = r.width*r.bands, r.width*band, 0
	}
	first := rect.Y0 * p.stride
	start := first / pixelsOfWholeBytes * pixelsOfWholeBytes
	p.column, p.layout.Width = first-start, rect.Y1*p.stride-start
	begin := r.byteOf(start%p.stride, start/p.stride, band)
	p.ranges = []source.Range{{Offset: begin, Length: int64(p.layout.RowBytes())}}
	return p
}
