package picture

// Turned is p, mirrored left to right or not and then turned clockwise by so many quarters, in
// memory of its own.
func (p *Picture) Turned(quarters int, mirrored bool) *Picture {
	width, height := p.Width, p.Height
	if quarters%2 != 0 {
		width, height = height, width
	}
	turned := new(Picture)
	turned.Reshape(width, height, p.Format)
	turned.Palette = p.Palette
	w := walkOver(p, quarters, mirrored)
	for y := 0; y < height; y += patchSide {
		for x := 0; x < width; x += patchSide {
			w.fill(turned, x, y)
		}
	}
	return turned
}

// walk is the way through the bytes of a picture that meets its pixels in the order of the
// turned one.
type walk struct {
	pix          []uint8
	start        int
	across, down int // bytes from one pixel of the turned picture to the next
	size         int // of a pixel
}

func walkOver(p *Picture, quarters int, mirrored bool) walk {
	w := walk{pix: p.Pix, size: p.Format.BytesPerPixel()}
	column, row := w.size, p.Stride
	if mirrored {
		w.start, column = (p.Width-1)*column, -column
	}
	toLastColumn, toLastRow := (p.Width-1)*column, (p.Height-1)*row
	switch quarters & 3 {
	case 0:
		w.across, w.down = column, row
	case 1:
		w.start += toLastRow
		w.across, w.down = -row, column
	case 2:
		w.start += toLastRow + toLastColumn
		w.across, w.down = -column, -row
	case 3:
		w.start += toLastColumn
		w.across, w.down = row, -column
	}
	return w
}

// patchSide is of a patch of pixels, whose rows and columns both fit into the processor's
// cache.
const patchSide = 32

// fill copies the pixels of a patch.
func (w *walk) fill(target *Picture, x0, y0 int) {
	x1 := min(x0+patchSide, target.Width)
	for y := y0; y < min(y0+patchSide, target.Height); y++ {
		row := target.Row(y)[x0*w.size : x1*w.size]
		w.copyRow(row, w.start+x0*w.across+y*w.down)
	}
}

// copyRow copies pixels from a byte on.
func (w *walk) copyRow(row []uint8, from int) {
	for ; len(row) >= w.size; row = row[w.size:] {
		pixel := w.pix[from:]
		switch w.size {
		case 1:
			row[0] = pixel[0]
		case 3:
			row[0], row[1], row[2] = pixel[0], pixel[1], pixel[2]
		case 4:
			row[0], row[1], row[2], row[3] = pixel[0], pixel[1], pixel[2], pixel[3]
		default:
			copy(row[:w.size], pixel)
		}
		from += w.across
	}
}
