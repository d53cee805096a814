package ogcapi

import (
	"fmt"
	"strings"
)

// maxColorBytes is longer than any name of a colour.
const maxColorBytes = 32

// ParseColor reads a colour as bgcolor has it, 0xRRGGBB or RRGGBB or a name, and writes it as
// CSS does. Whether CSS knows the name is not looked at.
func ParseColor(text string) (string, error) {
	if len(text) > maxColorBytes {
		return "", fmt.Errorf("%w: a colour of %d characters", ErrQuery, len(text))
	}
	digits := strings.ToLower(text)
	digits, hasPrefix := strings.CutPrefix(digits, "0x")
	if len(digits) == 6 && strings.Trim(digits, "0123456789abcdef") == "" {
		return "#" + digits, nil
	}
	if hasPrefix || digits == "" || strings.Trim(digits, "abcdefghijklmnopqrstuvwxyz") != "" {
		return "", fmt.Errorf("%w: a colour must be like 0x336699 or navy, not %q", ErrQuery, text)
	}
	return digits, nil
}
