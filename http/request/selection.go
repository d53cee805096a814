package request

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds of parameters that select layers.
const (
	maxSearchRunes = 200
	maxIDBytes     = 1000
)

// ID returns the id of a layer, or "".
func (p *Parameters) ID(name string) string {
	id := p.Text(name)
	if len(id) > maxIDBytes {
		p.Reject("%s is too long for the id of a layer", name)
		return ""
	}
	return id
}

// Words returns the words of a search text.
func (p *Parameters) Words(name string) []string {
	text := p.Text(name)
	switch {
	case !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }):
		p.Reject("%s must be text", name)
	case utf8.RuneCountInString(text) > maxSearchRunes:
		p.Reject("%s has more than %d characters", name, maxSearchRunes)
	default:
		return strings.Fields(text)
	}
	return nil
}
