package bucket

import "strings"

// IsYes reports whether a variable of the environment switches something on.
func IsYes(text string) bool {
	switch strings.ToUpper(text) {
	case "YES", "TRUE", "ON", "1":
		return true
	}
	return false
}
