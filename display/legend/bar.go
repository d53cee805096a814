package legend

import (
	"image"

	"tileserver/display/colormap"
)

const (
	naturalBarLength    = 304 // pixels
	naturalBarThickness = 18
	minBarLength        = 8
	tickLength          = 5
	labelGap            = 4 // between a tick and its label
)

// drawBar draws a horizontal bar with numbers below. If there is not enough room, it leaves out
// the heading first, and then everything but the bar.
func drawBar(l *Legend, o Options) *Picture {
	heading, below := l.heading(), margin
	low, high := l.limits()
	if isFiniteRange(low, high) {
		below = tickLength + labelGap/2 + lineHeight + margin/2
	}
	if o.Height > 0 && o.Height < margin+headingHeight(heading)+minBarLength+below {
		heading = ""
	}
	if o.Height > 0 && o.Height < margin+minBarLength+below || o.Width > 0 && o.Width < 2*margin+minBarLength {
		return drawBare(l, o, naturalBarLength, naturalBarThickness)
	}
	top := margin + headingHeight(heading)
	width := sizeOr(o.Width, naturalBarLength+2*margin)
	height := sizeOr(o.Height, top+naturalBarThickness+below)
	p := newPicture(width, height, o.Background)
	p.writeHeading(heading)
	bar := image.Rect(margin, top, width-margin, height-below)
	p.paintBar(bar, l.colors(bar.Dx()), false)
	a := &axis{
		low: low, high: high, first: bar.Min.X, length: bar.Dx(),
		minLabel: margin / 2, maxLabel: width - margin/2, gap: characterWidth, extent: textWidth,
	}
	for _, m := range a.marks() {
		p.fill(image.Rect(m.at, bar.Max.Y, m.at+1, bar.Max.Y+tickLength), line())
		p.write(m.labelStart, bar.Max.Y+tickLength+labelGap/2, m.label, ink())
	}
	return p
}

// drawColumn draws a vertical bar, lowest sample at the bottom, with numbers on the right. It
// leaves out the same parts as drawBar.
func drawColumn(l *Legend, o Options) *Picture {
	heading := l.heading()
	if o.Height > 0 && o.Height < margin+headingHeight(heading)+2*lineHeight+margin {
		heading = ""
	}
	top := margin + headingHeight(heading)
	height := sizeOr(o.Height, top+naturalBarLength+margin)
	low, high := l.limits()
	a := &axis{
		low: low, high: high, first: top, length: max(height-margin-top, 1), flipped: true,
		minLabel: top - margin, maxLabel: height, gap: 2, extent: func(string) int { return lineHeight },
	}
	marks := a.marks()
	beside := margin
	if len(marks) > 0 {
		beside += tickLength + labelGap + widest(marks)
	}
	if height < top+minBarLength+margin || o.Width > 0 && o.Width < margin+minBarLength+beside {
		return drawBare(l, o, naturalBarThickness, naturalBarLength)
	}
	thickness := naturalBarThickness
	if o.Width > 0 {
		thickness = o.Width - margin - beside
	}
	width := sizeOr(o.Width, max(margin+thickness+beside, min(2*margin+textWidth(heading), naturalBarLength)))
	p := newPicture(width, height, o.Background)
	p.writeHeading(heading)
	bar := image.Rect(margin, top, margin+thickness, top+a.length)
	p.paintBar(bar, l.colors(bar.Dy()), true)
	for _, m := range marks {
		p.fill(image.Rect(bar.Max.X, m.at, bar.Max.X+tickLength, m.at+1), line())
		p.write(bar.Max.X+tickLength+labelGap, m.labelStart, m.label, ink())
	}
	return p
}

// drawBare draws a bar that fills the picture.
func drawBare(l *Legend, o Options, naturalWidth, naturalHeight int) *Picture {
	p := newPicture(sizeOr(o.Width, naturalWidth), sizeOr(o.Height, naturalHeight), o.Background)
	length := p.Width
	if o.Vertical {
		length = p.Height
	}
	p.paintBar(image.Rect(0, 0, p.Width, p.Height), l.colors(length), o.Vertical)
	return p
}

// sizeOr returns the requested size, or the natural size if none is requested.
func sizeOr(requested, natural int) int {
	if requested > 0 {
		return requested
	}
	return natural
}

// paintBar paints each column of pixels in one color, or each row from the bottom. The bar must not
// be empty and must lie within the picture.
func (p *Picture) paintBar(bar image.Rectangle, colors []colormap.Color, vertical bool) {
	for i, c := range colors {
		if vertical {
			p.fill(image.Rect(bar.Min.X, bar.Max.Y-i-1, bar.Max.X, bar.Max.Y-i), c)
		} else {
			p.fill(image.Rect(bar.Min.X+i, bar.Min.Y, bar.Min.X+i+1, bar.Min.Y+1), c)
		}
	}
	if !vertical {
		p.repeatFirstRow(bar)
	}
	p.frame(bar, line())
}

func widest(marks []mark) int {
	width := 0
	for _, m := range marks {
		width = max(width, textWidth(m.label))
	}
	return width
}

// colors returns the colors of a bar of a given length, lowest sample first.
func (l *Legend) colors(length int) []colormap.Color {
	ramp, isRamp := l.Map.Ramp()
	colors := make([]colormap.Color, length)
	for i := range colors {
		part := (float64(i) + 0.5) / float64(length)
		if isRamp {
			colors[i] = ramp[int(part*float64(len(ramp)))]
		} else {
			colors[i] = l.Map.At(l.sample(part))
		}
	}
	return colors
}
