package components

import (
	"bytes"
	"testing"

	"tileserver/decode/jp2k/samples"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// Packed samples are stored as the numbers are that they were made of, in targets of each type.
func TestStorePacked(t *testing.T) {
	rect := wavelet.Rect{X0: 3, Y0: 5, X1: 3 + 16, Y1: 5 + 7}
	for _, depth := range []samples.Depth{{Bits: 1}, {Bits: 7, Signed: true}, {Bits: 8}, {Bits: 8, Signed: true}, {Bits: 9}, {Bits: 16}, {Bits: 16, Signed: true}} {
		numbers := wavelet.NewPlane[int32](rect)
		for i := range numbers.Samples {
			numbers.Samples[i] = int32(i*i*977%(1<<depth.Bits)) - 1<<(depth.Bits-1)
		}
		packed := packedOf(numbers.Samples, depth)
		for _, kind := range []raster.DataType{raster.Uint8, raster.Int8, raster.Uint16, raster.Int16, raster.Uint32, raster.Int32, raster.Uint64, raster.Int64} {
			if depth.Bits > 8*kind.Size() {
				continue
			}
			for _, part := range []wavelet.Rect{rect, {X0: 1, Y0: 7, X1: 10, Y1: 30}, {X0: 10, Y0: 1, X1: 40, Y1: 9}, {X0: 50, Y0: 1, X1: 60, Y1: 9}} {
				var made [2]Target
				for i := range made {
					made[i] = Target{Output: &Output{Rect: part, Type: kind, Bands: 2}, Band: 1}
					made[i].allocate()
				}
				storePacked(made[0], packed, rect, depth)
				put(made[1], &numbers, rect, depth)
				if got, want := made[0].Buffer.Freeze(), made[1].Buffer.Freeze(); !bytes.Equal(got.Plane(1), want.Plane(1)) || !bytes.Equal(got.Plane(0), want.Plane(0)) {
					t.Errorf("%+v as %v in %v: other samples", depth, kind, part)
				}
			}
		}
	}
}

// packedOf returns samples as a device packs them.
func packedOf(numbers []int32, depth samples.Depth) (packed []byte) {
	for _, n := range numbers {
		if !depth.Signed {
			n += 1 << (depth.Bits - 1)
		}
		packed = append(packed, byte(n))
		if depth.Bits > 8 {
			packed = append(packed, byte(n>>8))
		}
	}
	return packed
}
