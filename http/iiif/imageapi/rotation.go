package imageapi

import (
	"strconv"
	"strings"
)

// Rotation is a mirroring from left to right, if any, followed by clockwise quarter turns.
type Rotation struct {
	Mirrored bool
	Quarters int // from 0 to 3
}

// parseRotation parses degrees, after an optional !.
func parseRotation(text string) (Rotation, error) {
	digits, mirrored := strings.CutPrefix(text, "!")
	degrees, ok := decimal(digits)
	if !ok || degrees > 360 {
		return Rotation{}, reject("the rotation must be a number from 0 to 360 after an optional !, not %q", text)
	}
	quarters := int(degrees / 90)
	if degrees != float64(90*quarters) {
		return Rotation{}, reject("the rotation must be 0, 90, 180 or 270, not %q", text)
	}
	return Rotation{mirrored, quarters % 4}, nil
}

// String returns the canonical form.
func (r Rotation) String() string {
	degrees := strconv.Itoa(90 * r.Quarters)
	if r.Mirrored {
		return "!" + degrees
	}
	return degrees
}
