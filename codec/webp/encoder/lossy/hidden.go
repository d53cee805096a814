package lossy

// hiddenPixels replaces the color of fully transparent pixels by one that compresses well. That is
// the mean of the visible pixels in the macroblock. If there are none, it is the color used in the
// previous macroblock.
type hiddenPixels struct {
	band   []byte // sixteen rows with replaced pixels, if inBand is set
	top    int    // first row of the band
	inBand bool
	color  [3]uint8
}

func (p *hiddenPixels) reset(img *Image) {
	p.top, p.inBand = -1, false
	p.color = [3]uint8{128, 128, 128}
}

// row returns a row of the picture with hidden pixels replaced. Rows must be requested from top to
// bottom.
func (p *hiddenPixels) row(img *Image, y int) []byte {
	if img.Format != RGBA {
		return img.row(y)
	}
	if top := y &^ 15; top != p.top {
		p.top = top
		p.inBand = p.prepare(img)
	}
	if p.inBand {
		bytes := len(img.row(y))
		return p.band[(y-p.top)*bytes:][:bytes]
	}
	return img.row(y)
}

// prepare replaces the hidden pixels of a band. It reports whether there are any.
func (p *hiddenPixels) prepare(img *Image) bool {
	rows := min(16, img.Height-p.top)
	hidden := false
	for y := range rows {
		hidden = hidden || hasHidden(img.row(p.top+y))
	}
	if !hidden {
		return false
	}
	p.band = p.band[:0]
	for y := range rows {
		p.band = append(p.band, img.row(p.top+y)...)
	}
	for x := 0; x < img.Width; x += 16 {
		p.paint(4*img.Width, 4*x, 4*min(16, img.Width-x))
	}
	return true
}

// hasHidden reports whether any pixel is fully transparent.
func hasHidden(row []byte) bool {
	for i := 3; i < len(row); i += 4 {
		if row[i] == 0 {
			return true
		}
	}
	return false
}

// paint replaces the hidden pixels of a macroblock.
func (p *hiddenPixels) paint(stride, from, bytes int) {
	var sum [3]int
	seen, hidden := 0, 0
	for at := from; at < len(p.band); at += stride {
		for row := p.band[at:][:bytes]; len(row) >= 4; row = row[4:] {
			if row[3] == 0 {
				hidden++
				continue
			}
			seen++
			for i := range sum {
				sum[i] += int(row[i])
			}
		}
	}
	if hidden == 0 {
		return
	}
	if seen > 0 {
		for i := range sum {
			p.color[i] = uint8((sum[i] + seen/2) / seen)
		}
	}
	for at := from; at < len(p.band); at += stride {
		for row := p.band[at:][:bytes]; len(row) >= 4; row = row[4:] {
			if row[3] == 0 {
				copy(row, p.color[:])
			}
		}
	}
}
