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

// The font has a fixed width. It covers Latin alphabets.
const (
	characterWidth = 8
	lineHeight     = 17
	ascent         = 14 // height above the baseline, part of lineHeight
)

const ellipsis = "…"

// normalizeText replaces characters that the font lacks by similar ones, where some exist, and
// removes invisible characters.
func normalizeText(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u2013' || r == '\u2014' || r == '\u2010' || r == '\u2011': // dashes and hyphens
			return '-'
		case r == '\u03bc': // the Greek letter in place of the micro sign
			return '\u00b5'
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Mn, r):
			return -1
		}
		return r
	}, text)
}

// textWidth returns the width of a normalized text in pixels.
func textWidth(text string) int { return characterWidth * utf8.RuneCountInString(text) }

// shorten truncates a text that is wider than width and appends an ellipsis.
func shorten(text string, width int) string {
	room := width / characterWidth
	if room < 1 {
		return ""
	}
	if utf8.RuneCountInString(text) <= room {
		return text
	}
	prefix := []rune(text)[:room-1]
	return strings.TrimRight(string(prefix), " ") + ellipsis
}

// write draws a line of text with its upper left corner at x and y.
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
	visible := at.Intersect(image.Rect(0, 0, p.Width, p.Height))
	for py := visible.Min.Y; py < visible.Max.Y; py++ {
		for px := visible.Min.X; px < visible.Max.X; px++ {
			coverage := glyphs.AlphaAt(from.X+px-at.Min.X, from.Y+py-at.Min.Y).A
			p.blend(px, py, c, coverage)
		}
	}
}
