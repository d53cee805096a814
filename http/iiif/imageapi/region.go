package imageapi

import (
	"fmt"
	"strings"
)

// Region is a non-empty rectangle of the image, in pixels.
type Region struct{ X, Y, Width, Height int }

// parseRegion parses full, square, x,y,w,h or pct:x,y,w,h, and clips it to the image.
func (i Image) parseRegion(text string) (Region, error) {
	switch text {
	case "full":
		return Region{Width: i.Width, Height: i.Height}, nil
	case "square":
		side := min(i.Width, i.Height)
		return Region{(i.Width - side) / 2, (i.Height - side) / 2, side, side}, nil
	}
	parts := strings.SplitN(strings.TrimPrefix(text, "pct:"), ",", 5)
	if len(parts) != 4 {
		return Region{}, reject("the region must be full, square, x,y,w,h or pct:x,y,w,h, not %q", text)
	}
	isPercent := strings.HasPrefix(text, "pct:")
	var numbers [4]int
	for n, part := range parts {
		var ok bool
		if isPercent {
			numbers[n], ok = percentOf([...]int{i.Width, i.Height}[n%2], part)
		} else {
			numbers[n], ok = wholeNumber(part)
		}
		if !ok {
			return Region{}, reject("the region must be of non-negative numbers, not %q", part)
		}
	}
	return i.clip(numbers[0], numbers[1], numbers[2], numbers[3])
}

func percentOf(pixels int, text string) (n int, ok bool) {
	part, ok := decimal(text)
	return percent(pixels, part), ok
}

// clip returns the part of a rectangle within the image.
func (i Image) clip(x, y, width, height int) (Region, error) {
	if width < 1 || height < 1 {
		return Region{}, reject("the region has no pixels")
	}
	if x >= i.Width || y >= i.Height {
		return Region{}, reject("the region is outside the image of %dx%d pixels", i.Width, i.Height)
	}
	return Region{x, y, min(width, i.Width-x), min(height, i.Height-y)}, nil
}

// canonical returns the canonical form of a region.
func (i Image) canonical(r Region) string {
	if r == (Region{Width: i.Width, Height: i.Height}) {
		return "full"
	}
	return fmt.Sprintf("%d,%d,%d,%d", r.X, r.Y, r.Width, r.Height)
}
