package areas

import (
	"errors"
	"fmt"
)

// An Error says why an area cannot be shown, in words for clients.
type Error struct {
	IsMissing bool // there is no such tile or tile matrix set; otherwise the area itself is invalid
	Err       error
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the reason: ErrEmptyBox, a SideError or another one.
func (e *Error) Unwrap() error { return e.Err }

// ErrEmptyBox is about a box without pixels or without an extent.
var ErrEmptyBox = errors.New("an area needs a width, a height and bounds that are not empty")

// A SideError is about a side of a tile that is no multiple of the regular one.
type SideError struct{ Side, Usual int }

func (e *SideError) Error() string {
	return fmt.Sprintf("the side of a tile must be %d, or 2 to %d times that, not %d", e.Usual, MaxSideScale, e.Side)
}

func invalid(format string, arguments ...any) error {
	return &Error{Err: fmt.Errorf(format, arguments...)}
}

func missing(format string, arguments ...any) error {
	return &Error{IsMissing: true, Err: fmt.Errorf(format, arguments...)}
}
