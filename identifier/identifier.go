// Package identifier says which ids and names need no escaping in an address. The packages that
// define ids call it: layer, geo, layer/tilesets and style check them, and library makes them of file
// names. The package must never know what an identifier belongs to, or which ones are taken.
package identifier

import "strings"

// IsValid reports whether an identifier is of letters, digits, "-", "_" and ".", and not of dots
// alone, which are folders in paths.
func IsValid(id string) bool {
	return strings.Trim(id, ".") != "" && !strings.ContainsFunc(id, isOther)
}

// Allows reports whether identifiers may have a character.
func Allows(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.'
}

func isOther(r rune) bool { return !Allows(r) }
