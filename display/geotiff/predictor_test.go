package geotiff

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"
)

func TestSubtractNeighbors(t *testing.T) {
	for _, size := range []int{1, 2, 4} {
		for samples := 1; samples <= 4; samples++ {
			for pixels := 1; pixels <= 40; pixels++ {
				row := noiseBytes(pixels*samples*size, uint64(pixels))
				got := bytes.Clone(row)
				subtractNeighbors(got, size, samples*size)
				addNeighbors(got, size, samples)
				if !bytes.Equal(got, row) {
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
		if subtractNeighbors(got, test.size, test.step); !bytes.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// The bytes of 1 and 2.0625, highest bytes first, and the difference of each byte from the previous
// one.
func TestSplitFloats(t *testing.T) {
	row := binary.LittleEndian.AppendUint32(nil, math.Float32bits(1))     // 3f 80 00 00
	row = binary.LittleEndian.AppendUint32(row, math.Float32bits(2.0625)) // 40 04 00 00
	splitFloats(row, make([]byte, 8), 4)
	if want := []byte{0x3f, 0x01, 0x40, 0x84, 0xfc, 0, 0, 0}; !bytes.Equal(row, want) {
		t.Errorf("%x, want %x", row, want)
	}
}

func TestPredictors(t *testing.T) {
	want := map[Type]predictor{
		Uint8: 2, Int8: 2, Uint16: 2, Int16: 2, Uint32: 2, Int32: 2, Uint64: 1, Int64: 1, Float32: 3, Float64: 3,
		ComplexInt16: 1, ComplexInt32: 1, Complex64: 1, Complex128: 1,
	}
	for kind, predictor := range want {
		img := noisyImage(kind, 9, 5, 1)
		if got := parse(t, encode(t, img)).images[0].one(317, 1); got != int(predictor) {
			t.Errorf("%s: predictor %d, want %d", kind, got, predictor)
		}
		img.Compression = Uncompressed
		if got := parse(t, encode(t, img)).images[0].one(317, 1); got != 1 {
			t.Errorf("%s: predictor %d without compression", kind, got)
		}
	}
}
