package legend

import (
	"image"

	"tileserver/display/colormap"
)

const (
	naturalBarLength    = 304 // pixels
	naturalBarThickness = 18
	leastBar            = 8
	tickLength          = 5
	labelGap            = 4 // between a tick and its label
)

// drawBar draws a bar from left to right with its numbers below. Where there is no room for
// all, the heading is left out first, and then all but the bar.
func drawBar(l *Legend, o Options) *Picture {
	heading, below := l.heading(), margin
	low, high := l.limits()
	if canBeCounted(low, high) {
		below = tickLength + labelGap/2 + lineHeight + margin/2
	}
	if o.Height > 0 && o.Height < margin+headingHeight(heading)+leastBar+below {
		heading = ""
	}
	if o.Height > 0 && o.Height < margin+leastBar+below || o.Width > 0 && o.Width < 2*margin+leastBar {
		return drawBare(l, o, naturalBarLength, naturalBarThickness)
	}
	top := margin + headingHeight(heading)
	width := natural(o.Width, naturalBarLength+2*margin)
	height := natural(o.Height, top+naturalBarThickness+below)
	p := newPicture(width, height, o.Background)
	p.writeHeading(heading)
	bar := image.Rect(margin, top, width-margin, height-below)
	p.paintBar(bar, l.colors(bar.Dx()), false)
	a := &axis{
		low: low, high: high, first: bar.Min.X, length: bar.Dx(),
		roomFirst: margin / 2, roomLast: width - margin/2, gap: characterWidth, extent: textWidth,
	}
	for _, m := range a.marks() {
		p.fill(image.Rect(m.at, bar.Max.Y, m.at+1, bar.Max.Y+tickLength), line())
		p.write(m.from, bar.Max.Y+tickLength+labelGap/2, m.label, ink())
	}
	return p
}

// drawColumn draws a bar from below upwards with its numbers on the right. What there is no
// room for it leaves out as drawBar does.
func drawColumn(l *Legend, o Options) *Picture {
	heading := l.heading()
	if o.Height > 0 && o.Height < margin+headingHeight(heading)+2*lineHeight+margin {
		heading = ""
	}
	top := margin + headingHeight(heading)
	height := natural(o.Height, top+naturalBarLength+margin)
	low, high := l.limits()
	a := &axis{
		low: low, high: high, first: top, length: max(height-margin-top, 1), flipped: true,
		roomFirst: top - margin, roomLast: height, gap: 2, extent: func(string) int { return lineHeight },
	}
	marks := a.marks()
	beside := margin
	if len(marks) > 0 {
		beside += tickLength + labelGap + widest(marks)
	}
	if height < top+leastBar+margin || o.Width > 0 && o.Width < margin+leastBar+beside {
		return drawBare(l, o, naturalBarThickness, naturalBarLength)
	}
	thickness := naturalBarThickness
	if o.Width > 0 {
		thickness = o.Width - margin - beside
	}
	width := natural(o.Width, max(margin+thickness+beside, min(2*margin+textWidth(heading), naturalBarLength)))
	p := newPicture(width, height, o.Background)
	p.writeHeading(heading)
	bar := image.Rect(margin, top, margin+thickness, top+a.length)
	p.paintBar(bar, l.colors(bar.Dy()), true)
	for _, m := range marks {
		p.fill(image.Rect(bar.Max.X, m.at, bar.Max.X+tickLength, m.at+1), line())
		p.write(bar.Max.X+tickLength+labelGap, m.from, m.label, ink())
	}
	return p
}

// drawBare draws a bar from edge to edge.
func drawBare(l *Legend, o Options, naturalWidth, naturalHeight int) *Picture {
	p := newPicture(natural(o.Width, naturalWidth), natural(o.Height, naturalHeight), o.Background)
	length := p.Width
	if o.Vertical {
		length = p.Height
	}
	p.paintBar(image.Rect(0, 0, p.Width, p.Height), l.colors(length), o.Vertical)
	return p
}

// natural is what is asked for, or else what follows.
func natural(asked, follows int) int {
	if asked > 0 {
		return asked
	}
	return follows
}

// paintBar gives each column of pixels a colour, or each row from below. The bar lies within the picture, and is not empty.
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

// colors are those of a bar of so many pixels, beginning with the lowest sample.
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
