// Package iiif knows the IIIF Image API 3.0: what the parts of an address ask for of an image
// of some size, how the same is asked for in the canonical way, and the document that tells
// what may be asked for. It must never know what the pixels are or who asks for them.
package iiif

import (
	"errors"
	"fmt"
)

// ErrRequest is in the chain of every error about a request that no answer can be made of.
// All of them are a client's.
var ErrRequest = errors.New("invalid request")

func refuse(format string, arguments ...any) error {
	return fmt.Errorf("%w: %s", ErrRequest, fmt.Sprintf(format, arguments...))
}

// Image is what requests are about.
type Image struct {
	Width, Height int
	Limits        Limits

	CanonicalLinks bool // pictures link to their canonical addresses
}

// Limits bound the size of what is asked for. Neither side may have more pixels than both
// together.
type Limits struct{ MaxWidth, MaxHeight, MaxArea int }

// allow tells whether a size is within the limits.
func (l Limits) allow(s Size) bool {
	return s.Width <= l.MaxWidth && s.Height <= l.MaxHeight && s.Width <= l.MaxArea/s.Height
}
