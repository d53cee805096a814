package lossy

import (
	"bytes"
	"math"
	"testing"
)

// decibels returns the signal-to-noise ratio of a decoded frame, over luma and chroma.
func (e *Encoder) decibels(t *testing.T, frame []byte, width, height int) float64 {
	t.Helper()
	img := decode(t, frame)
	sum, count := 0, 0
	add := func(samples []uint8, stride int, p *plane, width, height int) {
		for y := range height {
			for x, want := range p.row(y)[:width] {
				d := int(samples[y*stride+x]) - int(want)
				sum += d * d
			}
		}
		count += width * height
	}
	add(img.Y, img.YStride, &e.source.y, width, height)
	add(img.Cb, img.CStride, &e.source.u, (width+1)/2, (height+1)/2)
	add(img.Cr, img.CStride, &e.source.v, (width+1)/2, (height+1)/2)
	return 10 * math.Log10(255*255*float64(count)/float64(max(sum, 1)))
}

// TestQuality bounds the sizes and the errors of frames, so that a regression of either fails.
func TestQuality(t *testing.T) {
	const side = 256
	img := paint(RGB, side, side, 1, terrain)
	var e Encoder
	tests := []struct {
		quality, maxBytes int
		minDecibels       float64
	}{
		{1, 2300, 27.5}, {10, 4100, 31.1}, {30, 6450, 34.7}, {50, 8100, 36.8}, {75, 10_150, 38.9}, {90, 18_500, 44.3}, {100, 34_500, 52},
	}
	for _, test := range tests {
		frame, err := e.Encode(nil, img, test.quality)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.decibels(t, frame, side, side); got < test.minDecibels {
			t.Errorf("quality %d: got %.2f dB, want %.2f", test.quality, got, test.minDecibels)
		}
		if len(frame) > test.maxBytes {
			t.Errorf("quality %d: got %d bytes, want %d", test.quality, len(frame), test.maxBytes)
		}
	}
}

// TestSmoothingHelps compares a frame with and without the loop filter.
func TestSmoothingHelps(t *testing.T) {
	const side = 128
	img := paint(RGB, side, side, 1, terrain)
	var e Encoder
	smoothed, err := e.Encode(nil, img, 20)
	if err != nil {
		t.Fatal(err)
	}
	with := e.decibels(t, smoothed, side, side)
	asItIs, err := e.encode(nil, img, withoutFilter(20))
	if err != nil {
		t.Fatal(err)
	}
	if without := e.decibels(t, asItIs, side, side); with <= without {
		t.Errorf("%.2f dB when smoothed, %.2f dB without", with, without)
	}
}

// TestFormatsOfOnePicture checks that a gray picture gives the same frame in all formats.
func TestFormatsOfOnePicture(t *testing.T) {
	for _, width := range []int{1, 16, 33, 130} {
		gray := paint(Gray, width, 70, 1, terrain)
		pictures := []*Image{gray}
		for _, f := range []Format{RGB, RGBA} {
			img := &Image{Format: f, Width: width, Height: 70, Stride: width * f.samples()}
			for y := range 70 {
				for _, v := range gray.row(y) {
					img.Pix = append(img.Pix, []byte{v, v, v, 255}[:f.samples()]...)
				}
			}
			pictures = append(pictures, img)
		}
		var e Encoder
		want, err := e.Encode(nil, gray, 70)
		if err != nil {
			t.Fatal(err)
		}
		for _, img := range pictures[1:] {
			if got, err := e.Encode(nil, img, 70); err != nil || !bytes.Equal(got, want) {
				t.Errorf("format %d, %d pixels wide: other bytes than of gray, or %v", img.Format, width, err)
			}
		}
	}
}

// TestHiddenColors checks that the colors of fully transparent pixels do not matter, and that they
// do not harm the visible pixels.
func TestHiddenColors(t *testing.T) {
	const width, height = 75, 53
	var pictures [2]*Image
	for i := range pictures {
		img := paint(RGBA, width, height, uint64(i), scenes[2].pixel) // noise
		for y := range height {
			for x := range width {
				p := img.row(y)[4*x:][:4]
				if x < 20 || (x-50)*(x-50)+(y-30)*(y-30) < 200 {
					p[3] = 0
					continue
				}
				copy(p, []byte{uint8(2 * x), uint8(90 + y), 40, uint8(1 + x)})
			}
		}
		pictures[i] = img
	}
	context := bytes.Clone(pictures[1].Pix)
	var e Encoder
	want, err := e.Encode(nil, pictures[0], 75)
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Encode(nil, pictures[1], 75)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("other bytes with other colors that cannot be seen, or %v", err)
	}
	if !bytes.Equal(context, pictures[1].Pix) {
		t.Error("the picture was changed")
	}
	if maxBytes := 1200; len(got) > maxBytes {
		t.Errorf("got %d bytes, want %d", len(got), maxBytes)
	}
	img := decode(t, got)
	for y := range height {
		for x := 20; x < width; x++ {
			p := pictures[1].row(y)[4*x:][:4]
			if p[3] == 0 {
				continue
			}
			if want, got := int(lumaOf((*[3]uint8)(p))), int(img.Y[img.YOffset(x, y)]); max(got-want, want-got) > 16 {
				t.Errorf("pixel %d, %d: got luma %d, want %d", x, y, got, want)
			}
		}
	}
}
