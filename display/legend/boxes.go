package legend

import (
	"fmt"
	"image"
	"unicode/utf8"

	"tileserver/display/colormap"
)

const (
	rowHeight          = 20
	boxWidth           = 24
	boxHeight          = 14
	boxGap             = 8 // between a box and its label
	columnGap          = 16
	naturalRows        = 24
	naturalLabelLength = 32 // in characters
	minLabelLength     = 12
)

// A row is a box with a label, or a label alone.
type row struct {
	label  string
	color  colormap.Color
	hasBox bool
}

// A grid arranges rows in columns.
type grid struct {
	rows, columns int
	columnWidth   int
}

// drawBoxes draws columns of labeled boxes. Entries without room are summarized by their number.
func drawBoxes(l *Legend, o Options) *Picture {
	heading := l.heading()
	rows := l.rows()
	top := margin + headingHeight(heading)
	g := arrange(rows, o, top)
	width, height := o.Width, o.Height
	if width == 0 {
		width = max(margin+g.columns*g.columnWidth-columnGap+margin, min(2*margin+textWidth(heading), naturalBarLength))
		width = min(width, MaxSide)
	}
	if height == 0 {
		height = min(top+g.rows*rowHeight+margin-(rowHeight-boxHeight)/2, MaxSide)
	}
	p := newPicture(width, height, o.Background)
	p.writeHeading(heading)
	for i, r := range limitRows(rows, g.rows*g.columns) {
		p.drawRow(r, margin+i/g.rows*g.columnWidth, top+i%g.rows*rowHeight, g.columnWidth-columnGap)
	}
	return p
}

func (l *Legend) rows() []row {
	var rows []row
	for _, e := range l.Map.Entries() {
		rows = append(rows, row{normalizeText(labelOf(l.Map.Kind(), e)), e.Color, true})
	}
	return rows
}

// arrange fills the given height, or the given width with as many columns as fit.
func arrange(rows []row, o Options, top int) grid {
	label := 0
	for _, r := range rows {
		label = max(label, min(utf8.RuneCountInString(r.label), naturalLabelLength))
	}
	whole := widthOfColumn(label)
	across := MaxSide
	if o.Width > 0 {
		across = o.Width
	}
	across += columnGap - 2*margin
	g := grid{rows: min(len(rows), naturalRows)}
	switch {
	case o.Height > 0:
		g.rows = max(1, (o.Height-top-margin/2)/rowHeight)
	case o.Width > 0:
		g.rows = ceilDivide(len(rows), max(1, across/whole))
	}
	g.rows = min(g.rows, len(rows), MaxSide/rowHeight)
	g.columns = min(ceilDivide(len(rows), g.rows), max(1, across/min(whole, widthOfColumn(minLabelLength))))
	g.columnWidth = whole
	if g.columns*whole > across {
		g.columnWidth = across / g.columns
	}
	return g
}

// widthOfColumn returns the width of a box, a label of a given length and the gap to the next
// column.
func widthOfColumn(characters int) int {
	return boxWidth + boxGap + characterWidth*characters + columnGap
}

func ceilDivide(a, b int) int { return (a + b - 1) / b }

// limitRows replaces rows that do not fit by a single row with their number.
func limitRows(rows []row, maxRows int) []row {
	if len(rows) <= maxRows {
		return rows
	}
	shown := rows[:maxRows-1]
	return append(shown, row{label: fmt.Sprintf("+%d more", len(rows)-len(shown))})
}

// drawRow draws r in a given width, with the upper left corner at x and y.
func (p *Picture) drawRow(r row, x, y, width int) {
	if r.hasBox {
		box := image.Rect(x, y, x+boxWidth, y+boxHeight)
		p.fill(box, r.color)
		p.frame(box, line())
		x += boxWidth + boxGap
		width -= boxWidth + boxGap
	}
	p.write(x, y-(lineHeight-boxHeight)/2-1, shorten(r.label, width), ink())
}
