// Package httest encodes HT code-blocks, for tests of what decodes them. It is plain and slow, and takes nothing from the decoder
// but the form of a block and the codewords.
package httest

import (
	"fmt"

	"tileserver/decode/jp2k/ht"
)

// Samples are what is to be encoded, and how.
type Samples struct {
	Width, Height int
	Values        []int32 // row by row

	// BitPlanes is how many of them a magnitude has at most, and Plane the lowest that the cleanup pass has: at 0, all.
	BitPlanes, Plane int

	// Passes is 1, or 2 with the propagation of significance, or 3 with the refinement of magnitudes too: both are of the plane below.
	Passes int

	VerticallyCausal bool
}

// Encode makes a block of samples. It panics where these are not what they say.
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

// at is the magnitude of a sample in the planes of the cleanup pass, and its sign. Outside the block it is 0.
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
