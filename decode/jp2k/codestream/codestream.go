// Package codestream reads what a JPEG 2000 codestream says of itself: the main header, where the parts of its tiles lie,
// and the headers of a tile, with all geometry that follows from them (ISO 15444-1 annexes A and B, 15444-15 annex A).
// It knows neither packets nor coefficients, nor the file that the codestream lies in.
package codestream

import "errors"

var (
	// ErrCorrupt says that the codestream contradicts the standard or itself, or ends too early.
	ErrCorrupt = errors.New("corrupt codestream")

	// ErrUnsupported says that the codestream uses an extension, which the error names, that changes its samples
	// and is not known here.
	ErrUnsupported = errors.New("unsupported codestream")

	// ErrLimit says that the codestream has more of something than is allowed.
	ErrLimit = errors.New("codestream beyond a limit")

	// ErrMisplaced says that a part of a tile is not where the table in the main header (TLM) promised it. Then
	// [Header.WalkParts] finds the parts without that table.
	ErrMisplaced = errors.New("tile-part is not where the main header says")
)

// Limits bound what a codestream may ask for, before anything of that size is allocated. A zero
// is the default.
type Limits struct {
	Components  int   // of the image; 16384, as in the standard
	Tiles       int   // of the image; 65535, as in the standard
	TileParts   int   // of all tiles together; 2^20
	HeaderBytes int64 // of the main header, and of all headers of a tile together; 2^26
	Bands       int   // of all components of one tile together; 2^19

	PackedHeaderBytes int64 // packet headers kept apart (PPM, PPT), of one tile; 2^27

	// PacketLengths (PLT, PLM) of one tile: 2^24. Beyond that they are passed over, for the packets
	// themselves say the same.
	PacketLengths int
}

// withDefaults is the limits that hold.
func (l Limits) withDefaults() Limits {
	return Limits{
		Components:        valueOr(l.Components, 16384),
		Tiles:             valueOr(l.Tiles, 65535),
		TileParts:         valueOr(l.TileParts, 1<<20),
		HeaderBytes:       valueOr(l.HeaderBytes, 1<<26),
		Bands:             valueOr(l.Bands, 1<<19),
		PackedHeaderBytes: valueOr(l.PackedHeaderBytes, 1<<27),
		PacketLengths:     valueOr(l.PacketLengths, 1<<24),
	}
}

// valueOr is the value, or what is usual where there is none.
func valueOr[T int | int64](value, usual T) T {
	if value <= 0 {
		return usual
	}
	return value
}
