// Package plain cleans texts for protocol documents: titles are often file names, which may contain
// anything. It must never know what the texts describe.
package plain

import (
	"strings"
	"unicode"
)

// Text returns text on one line of at most maxRunes characters. It drops characters that XML
// forbids and marks that change the writing direction. It replaces double quotes, because some
// clients quote titles without escaping.
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
