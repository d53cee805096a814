package layer

import (
	"fmt"

	"tileserver/display"
	"tileserver/display/picture"
)

// Finish is applied to a rendered picture before it is encoded: the picture is turned, and its
// colors are removed. The zero value changes nothing.
type Finish struct {
	Mirrored bool // left to right, before rotation
	Quarters int  // quarter turns clockwise, 0 to 3
	Tone     picture.Tone
}

// validate rejects a finish that the format or the style does not allow.
func (f Finish) validate(format Format, resolved *display.Resolved) error {
	switch {
	case f == Finish{}:
		return nil
	case format.IsData():
		return invalid("%v holds raw samples, which cannot be rotated or recolored", format)
	case f.Tone != picture.Colored && resolved.HoldsNumbers() && !resolved.IsDeep():
		return invalid("the colors encode numbers, which gray would lose")
	case f.Quarters < 0 || f.Quarters > 3:
		return invalid("rotation must be 0 to 3 quarter turns, not %d", f.Quarters)
	}
	return nil
}

// key returns the part of a picture's key that stands for the finish. It is empty for the zero
// value, so that pictures without a finish have the keys that they had before finishes existed.
func (f Finish) key() string {
	if f == (Finish{}) {
		return ""
	}
	return fmt.Sprintf("\x00finish %v %d %d", f.Mirrored, f.Quarters, f.Tone)
}

// size returns the size of a picture after rotation.
func (f Finish) size(width, height int) (int, int) {
	if f.Quarters%2 != 0 {
		return height, width
	}
	return width, height
}

func (f Finish) isTurned() bool { return f.Mirrored || f.Quarters != 0 }

// bytes returns the memory that rotating a picture takes.
func (f Finish) bytes(width, height int) int64 {
	if !f.isTurned() {
		return 0
	}
	const bytesPerPixel = 8 // at most
	return bytesPerPixel * int64(width) * int64(height)
}

// apply returns the finished picture. It takes ownership of drawn.
func (f Finish) apply(drawn *picture.Picture) *picture.Picture {
	drawn.Tint(f.Tone)
	if !f.isTurned() {
		return drawn
	}
	defer drawn.Release()
	return drawn.Rotated(f.Quarters, f.Mirrored)
}
