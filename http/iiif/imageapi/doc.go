// Package imageapi implements the syntax of the IIIF Image API 3.0: it parses the segments of an
// address, writes their canonical form, and writes the information document. It must never know
// pixels or requests of HTTP.
package imageapi

import (
	"errors"
	"fmt"
)

// ErrRequest wraps every error about an invalid request.
var ErrRequest = errors.New("invalid request")

func reject(format string, arguments ...any) error {
	return fmt.Errorf("%w: %s", ErrRequest, fmt.Sprintf(format, arguments...))
}

// Image is the image that requests refer to.
type Image struct {
	Width, Height int
	Limits        Limits

	CanonicalLinks bool // responses link to canonical addresses

	Formats []string // that the document offers; nil offers all
}

// Limits bound the size of pictures. MaxArea also bounds each side.
type Limits struct{ MaxWidth, MaxHeight, MaxArea int }

// allow reports whether a size is within the limits.
func (l Limits) allow(s Size) bool {
	return s.Width <= l.MaxWidth && s.Height <= l.MaxHeight && s.Width <= l.MaxArea/s.Height
}
