package imageapi

import (
	"fmt"
	"math"
	"strings"
)

// Size is the size of a picture in pixels, before rotation.
type Size struct{ Width, Height int }

// parseSize parses the size of a picture of a region: max, w, ,h pct:n w,h or !w,h, each after an
// optional ^.
func (i Image) parseSize(text string, of Region) (Size, error) {
	form, upscales := strings.CutPrefix(text, "^")
	s, err := i.sizeOf(form, of, upscales)
	switch {
	case err != nil:
		return Size{}, err
	case s.Width < 1 || s.Height < 1:
		return Size{}, reject("the size %q has no pixels", text)
	case !upscales && (s.Width > of.Width || s.Height > of.Height):
		return Size{}, reject("the size %q exceeds the %dx%d pixels of the region; use ^%s to enlarge it", text, of.Width, of.Height, text)
	case !i.Limits.allow(s):
		return Size{}, reject("the size %q is too large; the limits are %d pixels across, %d down and %d in total",
			text, i.Limits.MaxWidth, i.Limits.MaxHeight, i.Limits.MaxArea)
	}
	return s, nil
}

func (i Image) sizeOf(form string, of Region, upscales bool) (Size, error) {
	if form == "max" {
		return i.Limits.largest(of, Size{maxNumber, maxNumber}, upscales), nil
	}
	if part, ok := strings.CutPrefix(form, "pct:"); ok {
		n, ok := decimal(part)
		if !ok {
			return Size{}, reject("the size must be of non-negative numbers, not %q", part)
		}
		return Size{percent(of.Width, n), percent(of.Height, n)}, nil
	}
	pair, confined := strings.CutPrefix(form, "!")
	box, err := parsePair(pair)
	if err != nil {
		return Size{}, err
	}
	switch {
	case confined && (box.Width < 0 || box.Height < 0):
		return Size{}, reject("the size !w,h needs both numbers, not %q", form)
	case confined && box.Width > 0 && box.Height > 0:
		return i.Limits.largest(of, box, upscales), nil
	case box.Width < 0 && box.Height > 0:
		box.Width = scaled(of.Width, box.Height, of.Height)
	case box.Height < 0 && box.Width > 0:
		box.Height = scaled(of.Height, box.Width, of.Width)
	}
	return box, nil
}

// parsePair parses w,h or w, or ,h and returns -1 for a missing number.
func parsePair(text string) (Size, error) {
	width, height, ok := strings.Cut(text, ",")
	if !ok || width == "" && height == "" {
		return Size{}, reject("the size must be max, w, or ,h or w,h or !w,h or pct:n, each after an optional ^, not %q", text)
	}
	s := Size{-1, -1}
	if width != "" {
		s.Width, ok = wholeNumber(width)
	}
	if height != "" && ok {
		s.Height, ok = wholeNumber(height)
	}
	if !ok {
		return Size{}, reject("the size must be of non-negative whole numbers, not %q", text)
	}
	return s, nil
}

// largest returns the largest size of a region within a box and the limits.
func (l Limits) largest(of Region, box Size, upscales bool) Size {
	if !upscales {
		box = Size{min(box.Width, of.Width), min(box.Height, of.Height)}
	}
	box = Size{min(box.Width, l.MaxWidth), min(box.Height, l.MaxHeight)}
	s := of.within(box)
	if l.allow(s) {
		return s
	}
	side := math.Sqrt(float64(l.MaxArea) / (float64(of.Width) * float64(of.Height)))
	return of.within(Size{
		min(box.Width, max(1, int(float64(of.Width)*side))), min(box.Height, max(1, int(float64(of.Height)*side))),
	})
}

// within returns the largest size of the region's aspect ratio that fits into a box.
func (r Region) within(box Size) Size {
	if int64(box.Width)*int64(r.Height) <= int64(box.Height)*int64(r.Width) {
		return Size{box.Width, scaled(r.Height, box.Width, r.Width)}
	}
	return Size{scaled(r.Width, box.Height, r.Height), box.Height}
}

// canonicalSize returns the canonical form of the size of a region.
func (i Image) canonicalSize(s Size, of Region) string {
	switch {
	case s == i.Limits.largest(of, Size{maxNumber, maxNumber}, false):
		return "max"
	case s == i.Limits.largest(of, Size{maxNumber, maxNumber}, true):
		return "^max"
	case s.Width > of.Width || s.Height > of.Height:
		return fmt.Sprintf("^%d,%d", s.Width, s.Height)
	}
	return fmt.Sprintf("%d,%d", s.Width, s.Height)
}
