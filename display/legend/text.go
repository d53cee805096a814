package legend

import (
	"image"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/image/font/inconsolata"
	"golang.org/x/image/math/fixed"

	"tileserver/display/colormap"
)

// The font has one width for all characters. It knows those of Latin alphabets.
const (
	characterWidth = 8
	lineHeight     = 17
	ascent         = 14 // of lineHeight, above the line that letters stand on
)

const ellipsis = "…"

// inFont writes what the font lacks in other words where there are any, and leaves out what
// cannot be seen.
func inFont(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u2013' || r == '\u2014' || r == '\u2010' || r == '\u2011': // dashes and hyphens
			return '-'
		case r == '\u03bc': // the Greek letter, not the sign
			return '\u00b5'
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Mn, r):
			return -1
		}
		return r
	}, text)
}

// textWidth is how much room a text takes that the font can say.
func textWidth(text string) int { return characterWidth * utf8.RuneCountInString(text) }

// shorten ends a text in an ellipsis where it is longer than there is room.
func shorten(text string, width int) string {
	room := width / characterWidth
	if room < 1 {
		return ""
	}
	if utf8.RuneCountInString(text) <= room {
		return text
	}
	kept := []rune(text)[:room-1]
	return strings.TrimRight(string(kept), " ") + ellipsis
}

// write draws a text whose line has its upper left corner at x and y.
func (p *Picture) write(x, y int, text string, c colormap.Color) {
	for _, r := range text {
		p.writeRune(x, y, r, c)
		x += characterWidth
	}
}

func (p *Picture) writeRune(x, y int, r rune, c colormap.Color) {
	at, mask, from, _, known := inconsolata.Regular8x16.Glyph(fixed.P(x, y+ascent), r)
	glyphs, isAlpha := mask.(*image.Alpha)
	if !known || !isAlpha {
		p.frame(image.Rect(x+1, y+4, x+characterWidth-1, y+ascent), c)
		return
	}
	seen := at.Intersect(image.Rect(0, 0, p.Width, p.Height))
	for py := seen.Min.Y; py < seen.Max.Y; py++ {
		for px := seen.Min.X; px < seen.Max.X; px++ {
			coverage := glyphs.AlphaAt(from.X+px-at.Min.X, from.Y+py-at.Min.Y).A
			p.lay(px, py, c, coverage)
		}
	}
}
