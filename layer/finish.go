package layer

import (
	"fmt"

	"tileserver/display"
	"tileserver/display/picture"
)

// Finish is what is done to a picture that is drawn, before it becomes a file: it is turned,
// and its colours are taken away. The zero value does nothing.
type Finish struct {
	Mirrored bool // left to right, before it is turned
	Quarters int  // of a turn, clockwise, from 0 to 3
	Tone     picture.Tone
}

// check refuses what cannot be finished.
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

// name is what tells pictures apart that are finished in different ways. That of the zero
// value is empty, so that pictures keep the names that they had before there was any other.
func (f Finish) key() string {
	if f == (Finish{}) {
		return ""
	}
	return fmt.Sprintf("\x00finish %v %d %d", f.Mirrored, f.Quarters, f.Tone)
}

// size is that of a picture when it is turned.
func (f Finish) size(width, height int) (int, int) {
	if f.Quarters%2 != 0 {
		return height, width
	}
	return width, height
}

func (f Finish) isTurned() bool { return f.Mirrored || f.Quarters != 0 }

// bytes is what a picture takes while it is turned.
func (f Finish) bytes(width, height int) int64 {
	if !f.isTurned() {
		return 0
	}
	const bytesPerPixel = 8 // at most
	return bytesPerPixel * int64(width) * int64(height)
}

// of is a picture finished. What was there before is not to be used any more.
func (f Finish) apply(drawn *picture.Picture) *picture.Picture {
	drawn.Tint(f.Tone)
	if !f.isTurned() {
		return drawn
	}
	defer drawn.Release()
	return drawn.Rotated(f.Quarters, f.Mirrored)
}
