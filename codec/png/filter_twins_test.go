package png

import (
	"bytes"
	"testing"
)

func TestFilterTwins(t *testing.T) {
	for length := range 300 {
		row, left, up, upLeft := noise(length, 1), noise(length, 2), noise(length, 3), noise(length, 4)
		got, want := make([]byte, length), make([]byte, length)
		check := func(name string) {
			t.Helper()
			if !bytes.Equal(got, want) {
				t.Fatalf("%s of %d bytes: got %x, want %x", name, length, got, want)
			}
		}
		subtract(got, row, left)
		subtractGo(want, row, left)
		check("difference")
		subtractMean(got, row, left, up)
		subtractMeanGo(want, row, left, up)
		check("difference from the mean")
		subtractPaeth(got, row, left, up, upLeft)
		subtractPaethGo(want, row, left, up, upLeft)
		check("difference from Paeth's prediction")
	}
}

// TestEveryPaeth checks the prediction for all possible neighbors.
func TestEveryPaeth(t *testing.T) {
	row, left, up, upLeft := make([]byte, 256), make([]byte, 256), make([]byte, 256), make([]byte, 256)
	got, want := make([]byte, 256), make([]byte, 256)
	for a := range 256 {
		for b := range 256 {
			for c := range 256 {
				left[c], up[c], upLeft[c] = byte(a), byte(b), byte(c)
			}
			subtractPaeth(got, row, left, up, upLeft)
			subtractPaethGo(want, row, left, up, upLeft)
			if !bytes.Equal(got, want) {
				t.Fatalf("left %d, up %d: got %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestEveryMean(t *testing.T) {
	row, left, up, got := make([]byte, 256), make([]byte, 256), make([]byte, 256), make([]byte, 256)
	for a := range 256 {
		for b := range 256 {
			left[b], up[b] = byte(a), byte(b)
		}
		subtractMean(got, row, left, up)
		for b := range 256 {
			if want := byte(-(a + b) / 2); got[b] != want {
				t.Fatalf("0 less the mean of %d and %d is %d, want %d", a, b, got[b], want)
			}
		}
	}
}

func TestFilterRows(t *testing.T) {
	// predict reverses a filter, as the PNG specification states it.
	predict := map[filter]func(left, up, upLeft int) int{
		filterNone:  func(_, _, _ int) int { return 0 },
		filterSub:   func(left, _, _ int) int { return left },
		filterUp:    func(_, up, _ int) int { return up },
		filterMean:  func(left, up, _ int) int { return (left + up) / 2 },
		filterPaeth: func(left, up, upLeft int) int { return int(naivePaeth(left, up, upLeft)) },
	}
	for kind := range predict {
		for _, bytesPerPixel := range []int{1, 2, 3, 4, 6, 8} {
			for _, above := range [][]byte{nil, noise(100*bytesPerPixel, 5)} {
				row := noise(100*bytesPerPixel, 6)
				out := make([]byte, 1+len(row))
				filterRow(out, kind, row, above, bytesPerPixel)
				for i := range row {
					left, up, upLeft := 0, 0, 0
					if i >= bytesPerPixel {
						left = int(row[i-bytesPerPixel])
					}
					if above != nil {
						up = int(above[i])
					}
					if above != nil && i >= bytesPerPixel {
						upLeft = int(above[i-bytesPerPixel])
					}
					if got := out[1+i] + byte(predict[filter(out[0])](left, up, upLeft)); got != row[i] {
						t.Fatalf("filter %d as %d, %d bytes a pixel: byte %d is %d, want %d", kind, out[0], bytesPerPixel, i, got, row[i])
					}
				}
			}
		}
	}
}
