package picture

// Rotated returns a copy of p, optionally mirrored left to right and then rotated clockwise by
// quarter turns.
func (p *Picture) Rotated(quarters int, mirrored bool) *Picture {
	width, height := p.Width, p.Height
	if quarters%2 != 0 {
		width, height = height, width
	}
	rotated := new(Picture)
	rotated.Reshape(width, height, p.Format)
	rotated.Palette = p.Palette
	t := newTraversal(p, quarters, mirrored)
	for y := 0; y < height; y += patchSide {
		for x := 0; x < width; x += patchSide {
			t.fill(rotated, x, y)
		}
	}
	return rotated
}

// A traversal visits the pixels of a picture in the order of the rotated one.
type traversal struct {
	pix          []uint8
	start        int
	across, down int // bytes in pix from one pixel of the rotated picture to the next
	size         int // bytes of a pixel
}

func newTraversal(p *Picture, quarters int, mirrored bool) traversal {
	t := traversal{pix: p.Pix, size: p.Format.BytesPerPixel()}
	column, row := t.size, p.Stride
	if mirrored {
		t.start, column = (p.Width-1)*column, -column
	}
	toLastColumn, toLastRow := (p.Width-1)*column, (p.Height-1)*row
	switch quarters & 3 {
	case 0:
		t.across, t.down = column, row
	case 1:
		t.start += toLastRow
		t.across, t.down = -row, column
	case 2:
		t.start += toLastRow + toLastColumn
		t.across, t.down = -column, -row
	case 3:
		t.start += toLastColumn
		t.across, t.down = row, -column
	}
	return t
}

// patchSide is the side of a patch of pixels. The rows and the columns of a patch fit into the
// processor's cache together.
const patchSide = 32

// fill copies the pixels of a patch.
func (t *traversal) fill(target *Picture, x0, y0 int) {
	x1 := min(x0+patchSide, target.Width)
	for y := y0; y < min(y0+patchSide, target.Height); y++ {
		row := target.Row(y)[x0*t.size : x1*t.size]
		t.copyRow(row, t.start+x0*t.across+y*t.down)
	}
}

// copyRow copies pixels that start at a byte of the source.
func (t *traversal) copyRow(row []uint8, from int) {
	for ; len(row) >= t.size; row = row[t.size:] {
		pixel := t.pix[from:]
		switch t.size {
		case 1:
			row[0] = pixel[0]
		case 3:
			row[0], row[1], row[2] = pixel[0], pixel[1], pixel[2]
		case 4:
			row[0], row[1], row[2], row[3] = pixel[0], pixel[1], pixel[2], pixel[3]
		default:
			copy(row[:t.size], pixel)
		}
		from += t.across
	}
}
