package tier1_test

import (
	"errors"
	"fmt"
	"testing"

	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/tier1/tier1test"
	"tileserver/decode/jp2k/wavelet"
)

// sizes are widths and heights.
var sizes = [][2]int{{1, 1}, {3, 5}, {4, 4}, {5, 64}, {64, 64}, {1024, 4}, {4, 1024}, {33, 17}, {1, 9}, {7, 2}, {16, 7}, {31, 6}}

const allStyles = 64

// expect decodes a block and compares the result with that of the reference decoder.
func expect(t *testing.T, d *tier1.Decoder, b tier1.Block) {
	t.Helper()
	want := tier1test.Decode(b)
	got64 := make([]int64, len(want))
	if err := d.Decode64(&b, got64); err != nil {
		t.Fatalf("%d passes: %v", b.Passes, err)
	}
	got := make([]int32, len(want))
	if b.BitPlanes <= tier1.MaxBitPlanes {
		if err := d.Decode(&b, got); err != nil {
			t.Fatalf("%d passes: %v", b.Passes, err)
		}
	}
	for i := range want {
		if got64[i] != want[i] || b.BitPlanes <= tier1.MaxBitPlanes && int64(got[i]) != want[i] {
			t.Fatalf("%d passes: coefficient %d,%d is %d, with 64 bits %d, want %d",
				b.Passes, i%b.Width, i/b.Width, got[i], got64[i], want[i])
		}
	}
}

func TestEveryStyle(t *testing.T) {
	var d tier1.Decoder
	for style := range tier1.Style(allStyles) {
		for i, size := range sizes {
			n := size[0] * size[1]
			for _, scale := range []float64{0.1, 3, 300} {
				if n > 1024 && (int(style)+i)%8 != 0 {
					continue // slow to encode
				}
				orientation := wavelet.Orientation((int(style) + i) % 4)
				values := tier1test.Coefficients(n, scale, uint64(style))
				b := tier1test.Encode(values, size[0], size[1], orientation, style)
				t.Run(fmt.Sprintf("style %06b %dx%d orientation %d scale %g", style, size[0], size[1], orientation, scale), func(t *testing.T) {
					expect(t, &d, b)
					out := make([]int64, n)
					if err := d.Decode64(&b, out); err != nil {
						t.Fatal(err)
					}
					for j, v := range values {
						if out[j]/2 != v {
							t.Fatalf("coefficient %d is %d/2, want %d", j, out[j], v)
						}
					}
				})
			}
		}
	}
}

func TestEveryPass(t *testing.T) {
	var d tier1.Decoder
	for style := range tier1.Style(allStyles) {
		b := tier1test.Encode(tier1test.Coefficients(13*19, 200, 7), 13, 19, wavelet.Orientation(style%4), style)
		for passes := range b.Passes + 1 {
			t.Run(fmt.Sprintf("style %06b", style), func(t *testing.T) { expect(t, &d, tier1test.Cut(b, passes)) })
		}
	}
}

func TestEveryOrientationAndDensity(t *testing.T) {
	var d tier1.Decoder
	for orientation := wavelet.LL; orientation <= wavelet.HH; orientation++ {
		for _, scale := range []float64{0, 0.02, 0.5, 10, 1000, 1e7} {
			b := tier1test.Encode(tier1test.Coefficients(64*64, scale, 3), 64, 64, orientation, 0)
			if b.BitPlanes > tier1.MaxBitPlanes {
				t.Fatalf("%d bit-planes", b.BitPlanes)
			}
			expect(t, &d, b)
		}
	}
}

func TestManyBitPlanes(t *testing.T) {
	var d tier1.Decoder
	values := tier1test.Coefficients(40*9, 1000, 5)
	values[7], values[100] = 1<<62-1, -(1<<61 + 12345)
	b := tier1test.Encode(values, 40, 9, wavelet.HL, tier1.Bypass)
	if b.BitPlanes != tier1.MaxBitPlanes64 {
		t.Fatalf("%d bit-planes", b.BitPlanes)
	}
	expect(t, &d, b)
	if err := d.Decode(&b, make([]int32, 40*9)); !errors.Is(err, tier1.ErrInvalid) {
		t.Errorf("with 32 bits: %v", err)
	}

	values = tier1test.Coefficients(40*9, 1000, 5)
	values[7], values[100] = 1<<30-1, -(1<<29 + 12345)
	b = tier1test.Encode(values, 40, 9, wavelet.HL, 0)
	if b.BitPlanes != tier1.MaxBitPlanes {
		t.Fatalf("%d bit-planes", b.BitPlanes)
	}
	expect(t, &d, b)
}
