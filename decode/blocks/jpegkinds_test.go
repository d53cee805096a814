package blocks

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"tileserver/decode"
	"tileserver/raster"
)

// losslessJPEG encodes components without a transform. It predicts each sample from the one before.
// All codes have 5 bits.
func losslessJPEG(bits, width int, components ...[]int) []byte {
	height := len(components[0]) / width
	out := []byte{0xFF, 0xD8, 0xFF, 0xC3, 0, byte(8 + 3*len(components)), byte(bits), 0, byte(height), 0, byte(width), byte(len(components))}
	scan := []byte{0xFF, 0xDA, 0, byte(6 + 2*len(components)), byte(len(components))}
	for i := range components {
		out = append(out, byte(i), 0x11, 0)
		scan = append(scan, byte(i), 0)
	}
	const sizes = 17
	out = append(out, 0xFF, 0xC4, 0, 2+1+16+sizes, 0, 0, 0, 0, 0, sizes, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	for size := range sizes {
		out = append(out, byte(size))
	}
	out = append(append(out, scan...), 1, 0, 0)
	pending, count := uint64(0), 0
	put := func(v, n int) {
		pending, count = pending<<n|uint64(v&(1<<n-1)), count+n
		for ; count >= 8; count -= 8 {
			b := byte(pending >> (count - 8))
			if out = append(out, b); b == 0xFF {
				out = append(out, 0)
			}
		}
	}
	for at := range components[0] {
		for _, c := range components {
			predicted := 1 << (bits - 1)
			switch {
			case at%width > 0:
				predicted = c[at-1]
			case at > 0:
				predicted = c[at-width]
			}
			difference := int(int16(c[at] - predicted))
			size := 0
			for max(difference, -difference)>>size > 0 {
				size++
			}
			put(size, 5)
			if difference < 0 {
				difference += 1<<size - 1
			}
			if size < 16 { // there is only one difference of 16 bits
				put(difference, size)
			}
		}
	}
	put(127, 7)
	return append(out, 0xFF, 0xD9)
}

func pattern(n, seed, most int) []int {
	samples := make([]int, n)
	for i := range samples {
		samples[i] = (i*i*seed + 31*i) % (most + 1)
	}
	return samples
}

// TestJPEGKinds decodes numbers of components and bits that photographs do not have.
func TestJPEGKinds(t *testing.T) {
	const width, height = 13, 7
	for _, test := range []struct {
		bits, stored, components int
		kind                     raster.DataType
	}{
		{8, 8, 1, raster.Uint8}, {8, 8, 2, raster.Uint8}, {8, 8, 4, raster.Int8}, {7, 8, 3, raster.Uint8},
		{12, 12, 1, raster.Uint16}, {16, 16, 3, raster.Uint16}, {14, 16, 4, raster.Int16}, {10, 12, 2, raster.Uint16},
	} {
		name := fmt.Sprintf("%d bits of %d, %d components", test.bits, test.stored, test.components)
		var components [][]int
		for i := range test.components {
			components = append(components, pattern(width*height, i+2, 1<<test.bits-1))
		}
		layout := &Layout{Width: width, Samples: test.components, Type: test.kind, Bits: test.stored}
		for _, samples := range [][]int{inOrder(test.components), {test.components - 1}, {0, 0}} {
			target := raster.NewBuffer(test.kind, width-2, height-1, len(samples))
			job := &Job{Layout: layout, Source: losslessJPEG(test.bits, width, components...), Rows: height, Target: target, Samples: samples}
			if err := newJPEG().Decode(job); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for i, s := range samples {
				for at := range (width - 2) * (height - 1) {
					want := components[s][at/(width-2)*width+at%(width-2)]
					got := int(target.Plane(i)[at*test.kind.Size()])
					if test.kind.Size() == 2 {
						got = int(binary.NativeEndian.Uint16(target.Plane(i)[2*at:]))
					}
					if got != want {
						t.Fatalf("%s, samples %v: sample %d of pixel %d is %d, want %d", name, samples, s, at, got, want)
					}
				}
			}
		}
	}
}

// TestMosaicJPEG decodes streams of cameras, which store neighbors in a row as components.
func TestMosaicJPEG(t *testing.T) {
	const width, height = 12, 5
	row := pattern(width*height, 7, 1<<14-1)
	for _, components := range []int{2, 4} {
		apart := make([][]int, components)
		for at, v := range row {
			apart[at%components] = append(apart[at%components], v)
		}
		target := raster.NewBuffer(raster.Uint16, 11, 4, 1)
		job := &Job{
			Layout: &Layout{Width: width, Samples: 1, Type: raster.Uint16, Bits: 16},
			Source: losslessJPEG(14, width/components, apart...), Rows: height, Target: target, Samples: []int{0},
		}
		if err := newJPEG().Decode(job); err != nil {
			t.Fatalf("%d components: %v", components, err)
		}
		for at := range 11 * 4 {
			if got, want := int(binary.NativeEndian.Uint16(target.Plane(0)[2*at:])), row[at/11*width+at%11]; got != want {
				t.Fatalf("%d components: sample %d is %d, want %d", components, at, got, want)
			}
		}
	}
}

// TestJPEGOfAnotherImage decodes streams that contradict what the file says of its blocks.
func TestJPEGOfAnotherImage(t *testing.T) {
	one, two := pattern(64, 3, 255), pattern(64, 5, 255)
	gray8 := Layout{Width: 8, Samples: 1, Type: raster.Uint8, Bits: 8}
	for _, test := range []struct {
		name   string
		layout Layout
		source []byte
		want   error
	}{
		{"12 bits in bytes", gray8, losslessJPEG(12, 8, one), decode.ErrUnsupported},
		{"8 bits in words", Layout{Width: 8, Samples: 1, Type: raster.Uint16, Bits: 16}, losslessJPEG(8, 8, one), decode.ErrUnsupported},
		{"floats", Layout{Width: 8, Samples: 1, Type: raster.Float32, Bits: 32}, losslessJPEG(16, 8, one), decode.ErrUnsupported},
		{"a predictor", Layout{Width: 8, Samples: 1, Type: raster.Uint8, Bits: 8, Predictor: HorizontalPredictor}, losslessJPEG(8, 8, one), decode.ErrUnsupported},
		{"two components of one", gray8, losslessJPEG(8, 8, one, two), decode.ErrCorruptBlock},
		{"too narrow", Layout{Width: 9, Samples: 1, Type: raster.Uint8, Bits: 8}, losslessJPEG(8, 8, one), decode.ErrCorruptBlock},
		{"too low", gray8, losslessJPEG(8, 16, one), decode.ErrCorruptBlock},
		{"colors of two components", Layout{Width: 8, Samples: 2, Type: raster.Uint8, Bits: 8, JPEG: JPEGLayout{YCbCr: true}},
			losslessJPEG(8, 8, one, two), decode.ErrUnsupported},
	} {
		target := raster.NewBuffer(test.layout.Type, test.layout.Width, 8, 1)
		job := &Job{Layout: &test.layout, Source: test.source, Rows: 8, Target: target, Samples: []int{0}}
		if err := newJPEG().Decode(job); !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, err, test.want)
		}
	}
}
