package lossless

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"tileserver/codec/webp/vp8l"
)

// alphaPlanes lists kinds of alpha planes.
var alphaPlanes = []struct {
	name string
	at   func(x, y int) byte
}{
	{"opaque", func(x, y int) byte { return 255 }},
	{"mask", func(x, y int) byte {
		if x+y/3 > 40 {
			return 255
		}
		return 0
	}},
	{"soft disc", func(x, y int) byte { return byte(255 * max(0, 1-math.Hypot(float64(x-40), float64(y-50))/60)) }},
	{"ramp to the right", func(x, y int) byte { return byte(x * 3) }},
	{"ramp down", func(x, y int) byte { return byte(y * 3) }},
	{"ramp over stripes", func(x, y int) byte { return byte(x*x/8 + y%5*40) }},
	{"noise", func(x, y int) byte { return byte((x*7919 + y*104729 + x*y*x) * 48271 >> 7) }},
}

func plane(width, height int, at func(x, y int) byte) []byte {
	alpha := make([]byte, 0, width*height)
	for y := range height {
		for x := range width {
			alpha = append(alpha, at(x, y))
		}
	}
	return alpha
}

// decodeAlpha decodes an ALPH chunk.
func decodeAlpha(t *testing.T, chunk []byte, width, height int) []byte {
	t.Helper()
	values := chunk[1:]
	if chunk[0]&3 == alphaCompressed {
		header := uint64(vp8l.Signature) | uint64(width-1)<<8 | uint64(height-1)<<22
		stream := []byte{byte(header), byte(header >> 8), byte(header >> 16), byte(header >> 24), byte(header >> 32)}
		picture := decode(t, append(stream, values...), width, height)
		values = nil
		for i := 1; i < len(picture.Pix); i += 4 {
			values = append(values, picture.Pix[i])
		}
	}
	if len(values) != width*height {
		t.Fatalf("%d alpha samples, want %d", len(values), width*height)
	}
	undoFilter(values, width, chunk[0]>>2&3)
	return values
}

func undoFilter(values []byte, width int, filter byte) {
	for i := range values {
		left, above, aboveLeft := 0, 0, 0
		x, y := i%width, i/width
		if x > 0 {
			left = int(values[i-1])
		}
		if y > 0 {
			above = int(values[i-width])
		}
		if x > 0 && y > 0 {
			aboveLeft = int(values[i-width-1])
		}
		if y == 0 {
			above, aboveLeft = left, left
		}
		if x == 0 {
			left, aboveLeft = above, above
		}
		values[i] += [4]byte{0, byte(left), byte(above), byte(min(max(left+above-aboveLeft, 0), 255))}[filter]
	}
}

func TestEveryAlpha(t *testing.T) {
	var e Encoder
	filters := make(map[byte]bool)
	for _, kind := range alphaPlanes {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s/%dx%d", kind.name, size[0], size[1]), func(t *testing.T) {
				alpha := plane(size[0], size[1], kind.at)
				chunk, err := e.EncodeAlpha(nil, alpha, size[0], size[1])
				if err != nil {
					t.Fatal(err)
				}
				if got := decodeAlpha(t, chunk, size[0], size[1]); string(got) != string(alpha) {
					t.Errorf("got %v, want %v", got, alpha)
				}
				if len(chunk) > len(alpha)+1 {
					t.Errorf("%d bytes for %d alpha samples", len(chunk), len(alpha))
				}
				filters[chunk[0]] = true
			})
		}
	}
	for filter := range alphaFilterCount {
		if !filters[alphaCompressed|byte(filter)<<2] {
			t.Errorf("filter %d has not been chosen for anything", filter)
		}
	}
	if !filters[alphaRaw] {
		t.Error("nothing was written as it is")
	}
}

func TestAlphaIsSmall(t *testing.T) {
	for i, maxBytes := range []int{30, 200, 6000} {
		var e Encoder
		chunk, err := e.EncodeAlpha(nil, plane(256, 256, alphaPlanes[i].at), 256, 256)
		if err != nil || len(chunk) > maxBytes {
			t.Errorf("%s: %d bytes, error %v, want at most %d", alphaPlanes[i].name, len(chunk), err, maxBytes)
		}
	}
}

func TestEncodeAlphaRejects(t *testing.T) {
	tests := []struct {
		name                 string
		bytes, width, height int
	}{
		{"no height", 0, 3, 0},
		{"negative width", 9, -3, -3},
		{"too high", maxSide + 1, 1, maxSide + 1},
		{"too few", 11, 3, 4},
		{"too many", 13, 3, 4},
	}
	for _, test := range tests {
		var e Encoder
		got, err := e.EncodeAlpha([]byte("as before"), make([]byte, test.bytes), test.width, test.height)
		if !errors.Is(err, ErrImage) || string(got) != "as before" {
			t.Errorf("%s: got %q and the error %v, want %v", test.name, got, err, ErrImage)
		}
	}
}
