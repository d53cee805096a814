package access

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Size bounds a picture: by its sides, or by its pixels. The zero Size allows any.
type Size struct {
	Width, Height int
	Pixels        int // if the sides are 0
}

// AnySize is the notation of the zero Size.
const AnySize = "any"

// ParseSize parses sides such as 2048x1024, a number of pixels, or any.
func ParseSize(text string) (Size, error) {
	if text == AnySize {
		return Size{}, nil
	}
	width, height, hasSides := strings.Cut(text, "x")
	if !hasSides {
		height = "1"
	}
	w, okWidth := positive(width)
	h, okHeight := positive(height)
	switch {
	case !okWidth || !okHeight:
		return Size{}, fmt.Errorf("%q is not a size such as 2048x1024, a number of pixels, or %s", text, AnySize)
	case hasSides:
		return Size{Width: w, Height: h}, nil
	}
	return Size{Pixels: w}, nil
}

// positive parses a whole number of at least 1.
func positive(text string) (int, bool) {
	v, err := strconv.Atoi(text)
	return v, err == nil && v >= 1 && v <= math.MaxInt32
}

// String returns the notation of the size.
func (s Size) String() string {
	switch {
	case s == Size{}:
		return AnySize
	case s.Pixels > 0:
		return fmt.Sprintf("%d pixels", s.Pixels)
	}
	return fmt.Sprintf("%dx%d", s.Width, s.Height)
}

// Holds reports whether a picture is within the bounds.
func (s Size) Holds(width, height int) bool {
	if s.Pixels > 0 {
		return int64(width)*int64(height) <= int64(s.Pixels)
	}
	return s == Size{} || width <= s.Width && height <= s.Height
}

// Within returns the longest sides and the pixels of a picture that is within the size and within
// other limits.
func (s Size) Within(maxSide, maxPixels int) (width, height, pixels int) {
	switch {
	case s.Pixels > 0:
		maxPixels = min(maxPixels, s.Pixels)
		maxSide = min(maxSide, maxPixels)
	case s != Size{}:
		return min(maxSide, s.Width), min(maxSide, s.Height), min(maxPixels, s.Width*s.Height)
	}
	return maxSide, maxSide, maxPixels
}
