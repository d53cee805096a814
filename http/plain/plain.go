// Package plain makes texts fit to be shown by any client of any protocol: titles are often the
// names of files, which may hold anything. It must never know what the texts are of.
package plain

import (
	"strings"
	"unicode"
)

// Text is text on one line, of so many characters at most. What XML cannot have goes, what
// turns the direction of a text goes, and so do double quotes, for some clients put a title
// between such without escaping it.
func Text(text string, maxRunes int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '"':
			return '\''
		case r == unicode.ReplacementChar, r == 0xFFFE, r == 0xFFFF, unicode.Is(unicode.Bidi_Control, r):
			return -1
		case unicode.IsControl(r), unicode.IsSpace(r):
			return ' '
		}
		return r
	}, text)
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > maxRunes {
		runes = append(runes[:maxRunes], '…')
	}
	return string(runes)
}
