// Package codestream reads the headers of a JPEG 2000 codestream: the main header, the location of
// tile-parts and the headers of tiles, with the geometry that follows from them (ISO 15444-1
// annexes A and B, 15444-15 annex A). Package components calls it when it opens a codestream and
// for each tile that it needs. The package must never know of packets, coefficients or the file
// around the codestream.
//
// Words, beside those of the standard:
//
//   - A tile-part is a part of a tile in the codestream: a header and packets.
//   - The part table is the list of tile-parts in the main header (TLM).
//   - A gap is a place in a tile's parts where parts are missing.
//   - Packed headers are packet headers that are apart from their packets (PPM, PPT).
package codestream

import (
	"errors"

	"tileserver/decode"
)

var (
	// ErrCorrupt reports a codestream that contradicts the standard or itself, or ends too early.
	ErrCorrupt = decode.Corrupt("corrupt codestream")

	// ErrUnsupported reports an unsupported extension that changes samples. The error names it.
	ErrUnsupported = errors.New("unsupported codestream")

	// ErrLimit reports a codestream that exceeds one of the Limits.
	ErrLimit = errors.New("codestream beyond a limit")

	// ErrMisplaced reports a tile-part that is not where the table in the main header (TLM) says.
	// [Header.ScanParts] finds the parts without that table.
	ErrMisplaced = errors.New("tile-part is not where the main header says")
)

// Limits limit what a codestream may contain. They are checked before memory is allocated. A zero
// field means its default.
type Limits struct {
	Components  int   // of the image; default 16384, as in the standard
	Tiles       int   // of the image; default 65535, as in the standard
	TileParts   int   // of all tiles together; default 2^20
	HeaderBytes int64 // of the main header, and of all headers of a tile together; default 2^26
	Bands       int   // of all components of one tile together; default 2^19

	PackedHeaderBytes int64 // separate packet headers (PPM, PPT) of one tile; default 2^27

	// PacketLengths limits the packet lengths (PLT, PLM) of one tile; default 2^24. Beyond the
	// limit they are ignored, since the packets themselves say the same.
	PacketLengths int
}

// withDefaults replaces zero fields by their defaults.
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

// valueOr returns the value, or the default if the value is not positive.
func valueOr[T int | int64](value, defaultValue T) T {
	if value <= 0 {
		return defaultValue
	}
	return value
}
