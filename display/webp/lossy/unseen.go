package lossy

// patch gives pixels that cannot be seen a colour that takes few bytes: the mean of those that can be seen in their
// macroblock, or where there are none, what the macroblock before got.
type patch struct {
	band   []byte // sixteen rows, where any of their pixels had to be changed
	top    int    // the first row of the band
	inBand bool
	color  [3]uint8
}

func (p *patch) reset(img *Image) {
	p.top, p.inBand = -1, false
	p.color = [3]uint8{128, 128, 128}
}

// row is a row of the picture with unseen pixels changed. Rows are asked for from the top on.
func (p *patch) row(img *Image, y int) []byte {
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

// prepare changes the pixels of a band, and tells whether there were any to change.
func (p *patch) prepare(img *Image) bool {
	rows := min(16, img.Height-p.top)
	unseen := false
	for y := range rows {
		unseen = unseen || hasUnseen(img.row(p.top+y))
	}
	if !unseen {
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

// hasUnseen tells whether any pixel is wholly transparent.
func hasUnseen(row []byte) bool {
	for i := 3; i < len(row); i += 4 {
		if row[i] == 0 {
			return true
		}
	}
	return false
}

// paint changes the unseen pixels of a macroblock.
func (p *patch) paint(stride, from, bytes int) {
	var sum [3]int
	seen, unseen := 0, 0
	for at := from; at < len(p.band); at += stride {
		for row := p.band[at:][:bytes]; len(row) >= 4; row = row[4:] {
			if row[3] == 0 {
				unseen++
				continue
			}
			seen++
			for i := range sum {
				sum[i] += int(row[i])
			}
		}
	}
	if unseen == 0 {
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
