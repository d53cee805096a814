// Package ht decodes code-blocks of high-throughput JPEG 2000 (Part 15, ITU-T T.814): the cleanup pass and the two
// passes that refine what it left. It knows nothing of codestreams, packets, wavelets or images.
package ht

import "errors"

// ErrDamaged is what a code-block fails with that no encoder writes.
var ErrDamaged = errors.New("damaged HT code-block")

// ErrUnrefined is what a code-block comes with whose cleanup pass is sound, but followed by others of a plane that there is
// not. Those are left out.
var ErrUnrefined = errors.New("HT code-block without a bit-plane to be refined")

// ErrUnsupported is what a code-block fails with whose numbers do not fit into 32 bits.
var ErrUnsupported = errors.New("unsupported HT code-block")

// Limits of the standard for the size of a code-block.
const (
	MaxSide    = 1024
	MaxSamples = 4096
)

// MaxBitPlanes is how many bit-planes fit into an int32 beside its sign and a fraction bit.
const MaxBitPlanes = 30

// Block is one code-block: the last HT set of it. A set is a cleanup pass, which holds all bit-planes down to its own, and up to
// two passes more, which hold what is in the plane below. Any set replaces those before it, so that a
// packet parser, which counts passes from the first set on,
//
//   - gives Passes of the last set that has bytes: 1 to 3, or 0 where there is none (nothing but placeholders),
//   - adds to the missing bit-planes of the packet header one for each set before that, be it of placeholder passes,
//     which have no bytes, or a set that is coded: with n passes in all, these are (n-1)/3.
type Block struct {
	Width, Height int

	// BitPlanes is how many of them a magnitude of the subband has at most (Mb); MissingBitPlanes is how many of them lie
	// above the plane of the cleanup pass, which is therefore BitPlanes - 1 - MissingBitPlanes.
	BitPlanes, MissingBitPlanes int

	// Passes are those of the set: cleanup, significance propagation, magnitude refinement.
	Passes int

	// Cleanup is the segment of the first pass, Refinement the one that the others share. Where Refinement is empty, passes
	// that would be in it are left out.
	Cleanup, Refinement []byte

	// VerticallyCausal keeps the propagation of significance from looking into the stripe below.
	VerticallyCausal bool
}
