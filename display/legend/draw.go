package legend

import "tileserver/display/colormap"

// Options say how a legend is to look.
type Options struct {
	// Width and Height are pixels. What is 0 follows from what there is to show.
	Width, Height int

	// Vertical bars have their highest sample on top.
	Vertical bool

	// Background is transparent if it is the zero Color. Texts are dark.
	Background colormap.Color
}

// MaxSide bounds the width and the height of a legend.
const MaxSide = 4096

const margin = 8

// ink is the colour of texts, line that of frames and ticks.
func ink() colormap.Color  { return colormap.Color{R: 0x22, G: 0x22, B: 0x22, A: 0xff} }
func line() colormap.Color { return colormap.Color{R: 0x66, G: 0x66, B: 0x66, A: 0xff} }

// Draw draws l: a bar for colours that run into each other, boxes for intervals and categories.
func Draw(l *Legend, o Options) *Picture {
	o.Width, o.Height = min(max(o.Width, 0), MaxSide), min(max(o.Height, 0), MaxSide)
	switch kind := l.Map.Kind(); {
	case kind == colormap.Intervals || kind == colormap.Categories:
		return drawBoxes(l, o)
	case o.Vertical:
		return drawColumn(l, o)
	}
	return drawBar(l, o)
}

// heading is the title and the unit in the letters of the font.
func (l *Legend) heading() string {
	title, unit := inFont(l.Title), inFont(l.Unit)
	switch {
	case unit == "":
		return title
	case title == "":
		return unit
	}
	return title + " (" + unit + ")"
}

// headingHeight is the room that a heading takes above what it is about.
func headingHeight(heading string) int {
	if heading == "" {
		return 0
	}
	return lineHeight + 4
}

func (p *Picture) writeHeading(heading string) {
	p.write(margin, margin-3, shorten(heading, p.Width-2*margin), ink())
}
