package ht_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/decode/jp2k/ht"
	"tileserver/decode/jp2k/ht/httest"
)

var shapes = [][2]int{
	{1, 1}, {2, 2}, {3, 5}, {5, 3}, {1, 9}, {9, 1}, {4, 4}, {5, 64}, {7, 7}, {8, 8}, {15, 3}, {16, 6}, {17, 33}, {33, 17}, {64, 64},
	{64, 63}, {61, 64}, {128, 32}, {1024, 4}, {1021, 3}, {4, 1024}, {3, 1023}, {5, 819},
}

// laplacian returns samples distributed as in the bands of a wavelet: most are near 0.
func laplacian(random *rand.Rand, count, bitPlanes int, scale float64) []int32 {
	values := make([]int32, count)
	for i := range values {
		size := min(random.ExpFloat64()*scale, float64(int64(1)<<bitPlanes-1))
		values[i] = int32(size)
		if random.IntN(2) == 0 {
			values[i] = -values[i]
		}
	}
	return values
}

// mustDecode decodes a block into the middle of used memory, and checks that nothing after the
// block is written.
func mustDecode(t *testing.T, d *ht.Decoder, b *ht.Block) []int32 {
	t.Helper()
	const untouched = 0x5A5A5A5A
	size := b.Width * b.Height
	out := slices.Repeat([]int32{untouched}, size+64)
	if err := d.Decode(b, out); err != nil {
		t.Fatal(err)
	}
	for i, value := range out[size:] {
		if value != untouched {
			t.Fatalf("sample %d after the end was written", i)
		}
	}
	return out[:size]
}

func TestRoundTrips(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	d := new(ht.Decoder)
	for _, shape := range shapes {
		for _, bitPlanes := range []int{1, 2, 9, 17, 24, 25, 30} {
			for _, scale := range []float64{0, 0.05, 0.7, 5, 300, 1e6, 1e9} {
				for passes := 1; passes <= min(3, 2*bitPlanes-1); passes++ {
					s := httest.Samples{Width: shape[0], Height: shape[1], BitPlanes: bitPlanes, Passes: passes}
					s.VerticallyCausal = random.IntN(2) == 0
					s.Plane = random.IntN(min(bitPlanes, 4))
					if passes > 1 {
						s.Plane = max(s.Plane, 1)
					}
					s.Values = laplacian(random, shape[0]*shape[1], bitPlanes, scale)
					checkValues(t, fmt.Sprintf("scale %g", scale), &s, mustDecode(t, d, s.Encode()))
				}
			}
		}
	}
}

// checkValues checks that each sample is the middle of the range given by its bits, down to the
// last decoded plane. In the plane below the cleanup pass, samples without a significant neighbor
// may be 0.
func checkValues(t *testing.T, name string, s *httest.Samples, got []int32) {
	t.Helper()
	for i, value := range s.Values {
		plane := s.Plane
		size := max(value, -value)
		if s.Passes == 3 || s.Passes == 2 && size>>plane == 0 {
			plane--
		}
		want := (2*(size>>plane) + 1) << plane
		if size>>plane == 0 {
			want = 0
		}
		if value < 0 {
			want = -want
		}
		if got[i] != want && (got[i] != 0 || size>>s.Plane != 0) {
			t.Fatalf("%s, %d × %d, plane %d of %d, %d passes: sample %d of %d is %d, want %d",
				name, s.Width, s.Height, s.Plane, s.BitPlanes, s.Passes, i, value, got[i], want)
		}
	}
}

// TestAgainstReference compares with the reference decoder, on sound and on damaged blocks.
func TestAgainstReference(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	d := new(ht.Decoder)
	for range 1500 {
		s := randomSamples(random)
		b := s.Encode()
		compareWithReference(t, d, b)
		damage(random, b)
		compareWithReference(t, d, b)
		if t.Failed() {
			return
		}
	}
}

// TestBlocksShareNoState decodes blocks with truncated segments after a block that filled all
// scratch memory.
func TestBlocksShareNoState(t *testing.T) {
	random := rand.New(rand.NewPCG(10, 11))
	full := httest.Samples{Width: 64, Height: 64, BitPlanes: 30, Plane: 1, Passes: 3, Values: laplacian(random, 4096, 30, 1e9)}
	for _, shape := range [][2]int{{168, 6}, {5, 200}, {31, 33}, {1, 1}, {4, 4}} {
		for _, passes := range []int{1, 3} {
			d := new(ht.Decoder)
			mustDecode(t, d, full.Encode())
			b := &ht.Block{Width: shape[0], Height: shape[1], BitPlanes: 30, MissingBitPlanes: 28, Passes: passes}
			b.Cleanup = []byte{0, 0x30, 0x30, 0x42, 0x31, 0x21, 0x63, 0xA4, 0x19, 0}
			b.Refinement = []byte{0x2A}
			compareWithReference(t, d, b)
		}
	}
}

func randomSamples(random *rand.Rand) *httest.Samples {
	s := &httest.Samples{Width: 1 + random.IntN(40), Height: 1 + random.IntN(20), VerticallyCausal: random.IntN(2) == 0}
	s.BitPlanes = 2 + random.IntN(29)
	s.Passes = 1 + random.IntN(3)
	s.Plane = 1 + random.IntN(s.BitPlanes-1)
	scale := random.ExpFloat64() * float64(int(1)<<random.IntN(s.BitPlanes+1))
	s.Values = laplacian(random, s.Width*s.Height, s.BitPlanes, scale)
	return s
}

// damage changes some bits, but not the length of the suffix.
func damage(random *rand.Rand, b *ht.Block) {
	for range 1 + random.IntN(4) {
		if bits := 8*len(b.Cleanup) - 16; bits > 0 {
			bit := random.IntN(bits)
			b.Cleanup[bit/8] ^= 1 << (bit % 8)
		}
		if bits := 8 * len(b.Refinement); bits > 0 {
			bit := random.IntN(bits)
			b.Refinement[bit/8] ^= 1 << (bit % 8)
		}
	}
}

func compareWithReference(t *testing.T, d *ht.Decoder, b *ht.Block) {
	t.Helper()
	got := make([]int32, b.Width*b.Height)
	err := d.Decode(b, got)
	want, sound := decodeByReference(b)
	if (err == nil) != sound {
		t.Errorf("%+v: error %v, reference sound: %v", b, err, sound)
		return
	}
	if err == nil && !slices.Equal(got, want) {
		t.Errorf("%+v:\n got %v\nwant %v", b, got, want)
	}
}
