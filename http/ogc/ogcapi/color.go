package ogcapi

import (
	"fmt"
	"strings"
)

// maxColorBytes exceeds the length of any color name.
const maxColorBytes = 32

// ParseColor converts a color of the parameter bgcolor, 0xRRGGBB or RRGGBB or a name, to CSS. It
// does not check whether CSS defines the name.
func ParseColor(text string) (string, error) {
	if len(text) > maxColorBytes {
		return "", fmt.Errorf("%w: a color of %d characters", ErrQuery, len(text))
	}
	digits := strings.ToLower(text)
	digits, hasPrefix := strings.CutPrefix(digits, "0x")
	if len(digits) == 6 && strings.Trim(digits, "0123456789abcdef") == "" {
		return "#" + digits, nil
	}
	if hasPrefix || digits == "" || strings.Trim(digits, "abcdefghijklmnopqrstuvwxyz") != "" {
		return "", fmt.Errorf("%w: a color must be like 0x336699 or navy, not %q", ErrQuery, text)
	}
	return digits, nil
}
