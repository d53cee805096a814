package usage

import (
	"strings"
	"unicode"
)

// WithoutControls replaces control characters, which could command a terminal. File names, file
// contents and answers of servers may contain them.
func WithoutControls(line string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, line)
}
