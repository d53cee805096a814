// Package httest encodes HT code-blocks for tests of the decoder. It is plain and slow, and shares
// only the type of a block and the codewords with the decoder.
package httest

import (
	"fmt"

	"tileserver/decode/jp2k/ht"
)

// Samples are the samples to encode, with the parameters.
type Samples struct {
	Width, Height int
	Values        []int32 // row by row

	// BitPlanes is the maximum number of bit-planes of a magnitude. Plane is the lowest plane of
	// the cleanup pass; at 0, it codes all planes.
	BitPlanes, Plane int

	// Passes is 1, 2 with significance propagation, or 3 with magnitude refinement too. Both code
	// the plane below Plane.
	Passes int

	VerticallyCausal bool
}

// Encode encodes the samples. It panics if they do not fit the parameters.
func (s *Samples) Encode() *ht.Block {
	if len(s.Values) != s.Width*s.Height || s.Plane >= s.BitPlanes || s.Passes < 1 || s.Passes > 3 || s.Passes > 1 && s.Plane == 0 {
		panic(fmt.Sprintf("httest: %d values of %d × %d, plane %d of %d, %d passes",
			len(s.Values), s.Width, s.Height, s.Plane, s.BitPlanes, s.Passes))
	}
	for i, value := range s.Values {
		if magnitude(value)>>s.BitPlanes != 0 {
			panic(fmt.Sprintf("httest: value %d, which is %d, has more than %d bit-planes", i, value, s.BitPlanes))
		}
	}
	block := &ht.Block{
		Width: s.Width, Height: s.Height, BitPlanes: s.BitPlanes, MissingBitPlanes: s.BitPlanes - 1 - s.Plane,
		Passes: s.Passes, VerticallyCausal: s.VerticallyCausal,
	}
	block.Cleanup = s.cleanup()
	if s.Passes > 1 {
		block.Refinement = s.refinement()
	}
	return block
}

// at returns the magnitude of a sample in the planes of the cleanup pass, and its sign. Outside the
// block it returns 0.
func (s *Samples) at(x, y int) (size, sign uint32) {
	if x < 0 || y < 0 || x >= s.Width || y >= s.Height {
		return 0, 0
	}
	value := s.Values[y*s.Width+x]
	return magnitude(value) >> s.Plane, uint32(value) >> 31
}

func magnitude(value int32) uint32 {
	if value < 0 {
		value = -value
	}
	return uint32(value)
}
