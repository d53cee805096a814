// Package ht decodes code-blocks of high-throughput JPEG 2000 (HTJ2K: Part 15, ITU-T T.814): the
// cleanup pass and the two passes that refine its result. Package components calls it for each HT
// code-block that is not cached. The package must never know of codestreams, packets, wavelets or
// images.
//
// Words, with the standard's symbols:
//
//   - A quad is 2 x 2 samples: upper left, lower left, upper right, lower right. Quads are coded
//     in pairs.
//   - rho is the mask of a quad's significant samples.
//   - U is the exponent bound of a quad: the maximum length of its magnitudes in bits. It is the
//     sum of u, which is coded, and the prediction from the quads above.
//   - e_k is the mask of samples whose bit at the exponent bound is known; e_1 holds these bits.
//   - MagSgn, VLC and MEL are the segments of the cleanup pass: magnitudes with signs, codewords
//     of quads, and events (coded as runs of zeros).
//   - A set is a cleanup pass and up to two passes that refine the bit-plane below it.
package ht

import "errors"

// ErrDamaged reports a code-block that no encoder writes.
var ErrDamaged = errors.New("damaged HT code-block")

// ErrUnrefined reports a block with a sound cleanup pass whose other passes refine a bit-plane that
// does not exist. These passes are skipped.
var ErrUnrefined = errors.New("HT code-block refines a bit-plane that it does not have")

// ErrUnsupported reports a code-block whose values do not fit into 32 bits.
var ErrUnsupported = errors.New("unsupported HT code-block")

// The limits of the standard for the size of a code-block.
const (
	MaxSide    = 1024
	MaxSamples = 4096
)

// MaxBitPlanes is the number of bit-planes that fit into an int32 beside its sign and a fraction
// bit.
const MaxBitPlanes = 30

// Block is the last HT set of a code-block. Its cleanup pass holds all bit-planes down to its own;
// up to two more passes hold the plane below. Each set replaces the sets before it. A packet parser
// counts passes from the first set on, so it must convert:
//
//   - Passes is the number of passes of the last set that has bytes: 1 to 3, or 0 if all sets are
//     placeholders.
//   - MissingBitPlanes is the number from the packet header, plus one for each set before the
//     last. Placeholder sets, which have no bytes, count too. With n passes in all, that is (n-1)/3
//     sets.
type Block struct {
	Width, Height int

	// BitPlanes is the maximum number of bit-planes of a magnitude in the subband (Mb).
	// MissingBitPlanes is the number of planes above the plane of the cleanup pass, which is
	// therefore BitPlanes - 1 - MissingBitPlanes.
	BitPlanes, MissingBitPlanes int

	// Passes counts the set's passes: cleanup, significance propagation, magnitude refinement.
	Passes int

	// Cleanup is the segment of the cleanup pass. Refinement is the segment that the other passes
	// share; if it is empty, these passes are skipped.
	Cleanup, Refinement []byte

	// VerticallyCausal makes significance propagation ignore the stripe below.
	VerticallyCausal bool
}
