package ht_test

import (
	"math/rand/v2"
	"testing"

	"tileserver/decode/jp2k/ht"
)

// FuzzDecode compares the decoder with the reference decoder on arbitrary bytes.
func FuzzDecode(f *testing.F) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 40 {
		b := randomSamples(random).Encode()
		f.Add(uint16(b.Width), uint16(b.Height), uint8(b.BitPlanes), uint8(b.MissingBitPlanes), uint8(b.Passes), b.VerticallyCausal,
			b.Cleanup, b.Refinement)
	}
	d := new(ht.Decoder)
	out := make([]int32, ht.MaxSamples)
	f.Fuzz(func(t *testing.T, width, height uint16, planes, missing, passes uint8, causal bool, cleanup, refinement []byte) {
		b := &ht.Block{
			Width: int(width), Height: int(height), BitPlanes: int(planes), MissingBitPlanes: int(missing), Passes: int(passes),
			VerticallyCausal: causal, Cleanup: cleanup, Refinement: refinement,
		}
		// The reference checks the bits, but not the lengths.
		if err := d.Decode(b, out); err == nil && b.Passes > 0 && b.Width*b.Height <= 1024 {
			compareWithReference(t, d, b)
		}
	})
}
