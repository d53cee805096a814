package png

import (
	"bytes"
	stdpng "image/png"
	"testing"

	deflate "tileserver/codec/deflate/encoder"
)

// TestSizeAgainstStandardLibrary bounds the size relative to image/png, which tries all filters on
// every row.
func TestSizeAgainstStandardLibrary(t *testing.T) {
	for _, tile := range tiles {
		t.Run(tile.name, func(t *testing.T) {
			var want bytes.Buffer
			encoder := stdpng.Encoder{CompressionLevel: stdpng.BestSpeed}
			if err := encoder.Encode(&want, standardImage(&tile.img)); err != nil {
				t.Fatal(err)
			}
			limit := want.Len()*106/100 + 1024
			if got := len(encode(t, &tile.img)); got > limit {
				t.Errorf("%d bytes, want at most %d", got, limit)
			}
		})
	}
}

func TestTreatment(t *testing.T) {
	tests := []struct {
		name string
		img  *Image
		want strategy
	}{
		{"photo", padded(RGB, 256, 200, 0, photograph(256, 200, 3, 1)), strategy{filterMean, deflate.Literals}},
		{"gray photo", padded(Gray, 200, 256, 0, photograph(200, 256, 1, 2)), strategy{filterMean, deflate.Literals}},
		{"noise", padded(RGB, 64, 64, 0, noise(64*64*3, 3)), strategy{filterMean, deflate.Literals}},
		{"chart", padded(RGB, 256, 256, 0, chart(256, 256, 3)), strategy{filterNone, deflate.Matches}},
		{"photo and emptiness", padded(RGBA, 256, 256, 0, photographInEmptiness(256, 256, 3)), strategy{filterPaeth, deflate.Matches}},
		{"gradient", padded(RGB, 256, 256, 0, gradient(256, 256)), strategy{filterPaeth, deflate.Matches}},
		{"palette", padded(Paletted, 256, 256, 0, chart(256, 256, 1)), strategy{filterNone, deflate.Matches}},
		{"palette noise", padded(Paletted, 64, 64, 0, noise(64*64, 4)), strategy{filterMean, deflate.Literals}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var encoder Encoder
			for i := range encoder.scratch {
				encoder.scratch[i] = make([]byte, 4*test.img.Width)
			}
			encoder.chooseEncoding(test.img)
			if got := encoder.chooseStrategy(); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// gradient returns an image without equal neighbors. Almost all its differences from a prediction
// are equal.
func gradient(width, height int) []byte {
	pix := make([]byte, 0, width*height*3)
	for y := range height {
		for x := range width {
			pix = append(pix, byte(x), byte(y), byte((x+y)/2))
		}
	}
	return pix
}
