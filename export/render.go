package export

import (
	"context"

	"tileserver/archive"
)

// Render makes the file of a tile. It is nil if there is nothing to show. The error is a DamagedError if
// what the tile shows is damaged.
type Render func(ctx context.Context, at archive.Position) ([]byte, error)

// A DamagedError says that a tile would lack pixels which cannot be decoded.
type DamagedError struct{ Err error }

func (e *DamagedError) Error() string { return e.Err.Error() }

// Unwrap returns what is damaged.
func (e *DamagedError) Unwrap() error { return e.Err }
