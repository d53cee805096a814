package rows

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	decoded "tileserver/decode/rows"
)

func noise(n int, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 1))
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(random.Uint32())
	}
	return out
}

// words returns bytes as samples, in memory of their own.
func words[T uint8 | uint16 | uint32 | uint64](row []byte) []T {
	var zero T
	out := make([]T, len(row)/int(unsafe.Sizeof(zero)))
	binary.Decode(row, binary.LittleEndian, out)
	return out
}

func sumOf[T uint8 | uint16 | uint32 | uint64](t *testing.T, row []byte, samples int) []byte {
	t.Helper()
	got := words[T](row)
	decoded.Accumulate(got, got, samples)
	out, err := binary.Append(nil, binary.LittleEndian, got)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestDifferencesAddUpToTheirSamples(t *testing.T) {
	sum := map[int]func(*testing.T, []byte, int) []byte{1: sumOf[uint8], 2: sumOf[uint16], 4: sumOf[uint32], 8: sumOf[uint64]}
	for size, add := range sum {
		for samples := 1; samples <= 5; samples++ {
			for pixels := 1; pixels <= 40; pixels++ {
				row := noise(pixels*samples*size, uint64(pixels))
				got := bytes.Clone(row)
				SubtractLeft(got, size, samples*size)
				if got = add(t, got, samples); !bytes.Equal(got, row) {
					t.Fatalf("%d pixels of %d samples of %d bytes: %v, want %v", pixels, samples, size, got, row)
				}
			}
		}
	}
}

func TestDifferencesOfSamples(t *testing.T) {
	tests := []struct {
		name       string
		size, step int
		row, want  []byte
	}{
		{"bytes", 1, 1, []byte{5, 7, 4, 4}, []byte{5, 2, 253, 0}},
		{"pixels of three bytes", 1, 3, []byte{5, 7, 4, 6, 5, 4}, []byte{5, 7, 4, 1, 254, 0}},
		{"borrow", 2, 2, []byte{255, 0, 0, 1, 255, 0}, []byte{255, 0, 1, 0, 255, 255}},
		{"four bytes", 4, 4, []byte{0, 0, 1, 0, 255, 255, 0, 0}, []byte{0, 0, 1, 0, 255, 255, 255, 255}},
	}
	for _, test := range tests {
		got := bytes.Clone(test.row)
		if SubtractLeft(got, test.size, test.step); !bytes.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// The bytes of 1 and 2.0625, highest bytes first, and the difference of each byte from the previous
// one.
func TestFloatsAreSplitIntoTheirBytes(t *testing.T) {
	row := binary.LittleEndian.AppendUint32(nil, math.Float32bits(1))     // 3f 80 00 00
	row = binary.LittleEndian.AppendUint32(row, math.Float32bits(2.0625)) // 40 04 00 00
	SplitFloats(row, make([]byte, 8), 4, 1)
	if want := []byte{0x3f, 0x01, 0x40, 0x84, 0xfc, 0, 0, 0}; !bytes.Equal(row, want) {
		t.Errorf("%x, want %x", row, want)
	}
}

func TestSplitFloatsAreJoinedAgain(t *testing.T) {
	for _, size := range []int{4, 8} {
		for samples := 1; samples <= 4; samples++ {
			for pixels := 1; pixels <= 20; pixels++ {
				row := noise(pixels*samples*size, uint64(pixels))
				got, planes := bytes.Clone(row), make([]byte, len(row))
				SplitFloats(got, make([]byte, len(row)), size, samples)
				decoded.Accumulate(planes, got, samples)
				decoded.Join(got, planes, size)
				if !bytes.Equal(got, row) {
					t.Fatalf("%d pixels of %d samples of %d bytes: %v, want %v", pixels, samples, size, got, row)
				}
			}
		}
	}
}

func TestSamplesOfBandsAreInterleaved(t *testing.T) {
	for _, size := range []int{1, 2, 4, 8, 16} {
		for _, samples := range []int{1, 2, 3, 5} {
			const pixels = 7
			out := make([]byte, pixels*samples*size)
			for band := range samples {
				Interleave(out[band*size:], noise(pixels*size, uint64(band)), size, samples*size)
			}
			for band := range samples {
				plane := noise(pixels*size, uint64(band))
				for pixel := range pixels {
					got, want := out[(pixel*samples+band)*size:][:size], plane[pixel*size:][:size]
					if !bytes.Equal(got, want) {
						t.Fatalf("%d samples of %d bytes: sample %d of pixel %d is %v, want %v", samples, size, band, pixel, got, want)
					}
				}
			}
		}
	}
}

func TestPaddingRepeatsTheLastPixel(t *testing.T) {
	row := []byte{1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0}
	Repeat(row, 6, 3)
	if want := []byte{1, 2, 3, 4, 5, 6, 4, 5, 6, 4, 5, 6}; !bytes.Equal(row, want) {
		t.Errorf("%v, want %v", row, want)
	}
}
