package legend

import "tileserver/display/colormap"

// Options control the size and the looks of a legend.
type Options struct {
	// Width and Height are in pixels. If 0, they follow from the content.
	Width, Height int

	// Vertical draws bars vertically, with the highest sample on top.
	Vertical bool

	// Background is the color behind the legend. The zero Color is transparent. Text is always
	// dark.
	Background colormap.Color
}

// MaxSide limits the width and the height of a legend, in pixels.
const MaxSide = 4096

const margin = 8

// ink is the color of text; line is the color of frames and ticks.
func ink() colormap.Color  { return colormap.Color{R: 0x22, G: 0x22, B: 0x22, A: 0xff} }
func line() colormap.Color { return colormap.Color{R: 0x66, G: 0x66, B: 0x66, A: 0xff} }

// Draw draws l: a bar for continuous colors, boxes for intervals and categories.
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

// heading returns the title and the unit in characters of the font.
func (l *Legend) heading() string {
	title, unit := normalizeText(l.Title), normalizeText(l.Unit)
	switch {
	case unit == "":
		return title
	case title == "":
		return unit
	}
	return title + " (" + unit + ")"
}

// headingHeight returns the height that a heading takes above the content.
func headingHeight(heading string) int {
	if heading == "" {
		return 0
	}
	return lineHeight + 4
}

func (p *Picture) writeHeading(heading string) {
	p.write(margin, margin-3, shorten(heading, p.Width-2*margin), ink())
}
