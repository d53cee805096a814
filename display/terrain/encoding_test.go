package terrain

import (
	"errors"
	"math"
	"testing"
)

func TestEncode(t *testing.T) {
	nan := float32(math.NaN())
	tests := []struct {
		name     string
		encoding Encoding
		height   float32
		want     [3]uint8
	}{
		{"sea level", MapboxTerrainRGB(), 0, [3]uint8{1, 134, 160}},
		{"Everest", MapboxTerrainRGB(), 8848.86, [3]uint8{2, 224, 73}},
		{"lowest", MapboxTerrainRGB(), -10000, [3]uint8{0, 0, 0}},
		{"too low", MapboxTerrainRGB(), -10001, [3]uint8{0, 0, 0}},
		{"below the range", MapboxTerrainRGB(), float32(math.Inf(-1)), [3]uint8{0, 0, 0}},
		{"above the range", MapboxTerrainRGB(), float32(math.Inf(1)), [3]uint8{255, 255, 255}},
		{"NaN", MapboxTerrainRGB(), nan, [3]uint8{0, 0, 0}},
		{"rounded down", MapboxTerrainRGB(), 0.04, [3]uint8{1, 134, 160}},
		{"rounded up", MapboxTerrainRGB(), 0.06, [3]uint8{1, 134, 161}},
		{"sea level", Terrarium(), 0, [3]uint8{128, 0, 0}},
		{"a fraction", Terrarium(), 1.5, [3]uint8{128, 1, 128}},
		{"below zero", Terrarium(), -0.25, [3]uint8{127, 255, 192}},
		{"highest", Terrarium(), 32768 - 1./256, [3]uint8{255, 255, 255}},
		{"too high", Terrarium(), 40000, [3]uint8{255, 255, 255}},
		{"a step of 1", Encoding{Base: -100, Interval: 1}, 156.5, [3]uint8{0, 1, 1}},
	}
	for _, test := range tests {
		dst := []uint8{9, 9, 9, 9}
		if err := test.encoding.Encode(dst, 4, []float32{test.height}, nil); err != nil {
			t.Fatal(err)
		}
		if got := [3]uint8(dst); got != test.want || dst[3] != 9 {
			t.Errorf("%s: %g is %v, want %v", test.name, test.height, dst, test.want)
		}
	}
}

func TestMissingHeights(t *testing.T) {
	heights, coverage := []float32{100, float32(math.NaN()), 100}, []uint8{1, 0, 255}
	encoding := MapboxTerrainRGB()
	dst := []uint8{9, 9, 9, 9, 9, 9, 9, 9, 9}
	if err := encoding.Encode(dst, 3, heights, coverage); err != nil || [3]uint8(dst[3:]) != [3]uint8{} {
		t.Errorf("missing height is %v, %v", dst[3:6], err)
	}
	encoding.HasMissingHeight, encoding.MissingHeight = true, 50
	if err := encoding.Encode(dst, 3, heights, coverage); err != nil || encoding.Height(dst[3], dst[4], dst[5]) != 50 {
		t.Errorf("missing height is %v, %v", dst[3:6], err)
	}
	if encoding.Height(dst[0], dst[1], dst[2]) != 100 || encoding.Height(dst[6], dst[7], dst[8]) != 100 {
		t.Errorf("the remaining heights are %v", dst)
	}
}

// Encoding the height of a color gives the same color, as far as float32 is precise enough.
func TestEncodingsAreInverse(t *testing.T) {
	for _, test := range []struct {
		name     string
		encoding Encoding
		codes    int
	}{{"terrain-rgb", MapboxTerrainRGB(), 10 << 20}, {"terrarium", Terrarium(), 1 << 24}} {
		var dst [3]uint8
		for code := range test.codes {
			color := [3]uint8{uint8(code >> 16), uint8(code >> 8), uint8(code)}
			height := []float32{float32(test.encoding.Height(color[0], color[1], color[2]))}
			if err := test.encoding.Encode(dst[:], 3, height, nil); err != nil || dst != color {
				t.Fatalf("%s: %v is %g and then %v, %v", test.name, color, height, dst, err)
			}
		}
	}
}

func TestEncodeErrors(t *testing.T) {
	heights := []float32{1, 2}
	for _, test := range []struct {
		name          string
		encoding      Encoding
		bytes         int
		bytesPerPixel int
		coverage      []uint8
		want          error
	}{
		{"result too small", Terrarium(), 5, 3, nil, ErrGrid},
		{"result too large", Terrarium(), 7, 3, nil, ErrGrid},
		{"two bytes per pixel", Terrarium(), 4, 2, nil, ErrGrid},
		{"no bytes per pixel", Terrarium(), 6, 0, nil, ErrGrid},
		{"coverage of another size", Terrarium(), 6, 3, []uint8{1}, ErrGrid},
		{"no interval", Encoding{}, 6, 3, nil, ErrParameters},
		{"no base", Encoding{Base: math.NaN(), Interval: 1}, 6, 3, nil, ErrParameters},
		{"no missing height", Encoding{0, 1, true, math.Inf(1)}, 6, 3, nil, ErrParameters},
	} {
		err := test.encoding.Encode(make([]uint8, test.bytes), test.bytesPerPixel, heights, test.coverage)
		if !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
}
