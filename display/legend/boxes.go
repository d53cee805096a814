package legend

import (
	"fmt"
	"image"
	"unicode/utf8"

	"tileserver/display/colormap"
)

const (
	rowHeight    = 20
	boxWidth     = 24
	boxHeight    = 14
	boxGap       = 8 // between a box and its label
	columnGap    = 16
	naturalRows  = 24
	naturalLabel = 32 // characters
	leastLabel   = 12
)

// row is a box and its label, or only a label.
type row struct {
	label  string
	color  colormap.Color
	hasBox bool
}

// grid is how rows are put into columns.
type grid struct {
	rows, columns int
	columnWidth   int
}

// drawBoxes draws columns of boxes with their labels, those that are too many as a number.
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
	for i, r := range atMost(rows, g.rows*g.columns) {
		p.drawRow(r, margin+i/g.rows*g.columnWidth, top+i%g.rows*rowHeight, g.columnWidth-columnGap)
	}
	return p
}

func (l *Legend) rows() []row {
	var rows []row
	for _, e := range l.Map.Entries() {
		rows = append(rows, row{inFont(labelOf(l.Map.Kind(), e)), e.Color, true})
	}
	return rows
}

// arrange fills the height that there is, or makes as many columns as the width has room for.
func arrange(rows []row, o Options, top int) grid {
	label := 0
	for _, r := range rows {
		label = max(label, min(utf8.RuneCountInString(r.label), naturalLabel))
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
	g.columns = min(ceilDivide(len(rows), g.rows), max(1, across/min(whole, widthOfColumn(leastLabel))))
	g.columnWidth = whole
	if g.columns*whole > across {
		g.columnWidth = across / g.columns
	}
	return g
}

// widthOfColumn is the room that a label of so many characters takes with its box, and the
// gap to the next column.
func widthOfColumn(characters int) int {
	return boxWidth + boxGap + characterWidth*characters + columnGap
}

func ceilDivide(a, b int) int { return (a + b - 1) / b }

// atMost puts a row for those that there is no room for in the place of the last.
func atMost(rows []row, most int) []row {
	if len(rows) <= most {
		return rows
	}
	shown := rows[:most-1]
	return append(shown, row{label: fmt.Sprintf("+%d more", len(rows)-len(shown))})
}

// drawRow draws r into a width, with its upper left corner at x and y.
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
