// Package identifier says which ids and names need no escaping in an address. Package layer checks
// layers and tile matrix sets with it, and style the names of styles. It must never know what an
// identifier belongs to, or which ones are taken.
package identifier

import "strings"

// IsValid reports whether an identifier is of letters, digits, "-", "_" and ".", and not of dots
// alone, which are folders in paths.
func IsValid(id string) bool {
	return strings.Trim(id, ".") != "" && !strings.ContainsFunc(id, isOther)
}

func isOther(r rune) bool {
	isAllowed := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.'
	return !isAllowed
}
