package lossy

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"math"
	"testing"

	"golang.org/x/image/vp8"
)

// decode decodes a frame with the decoder of golang.org/x/image.
func decode(t testing.TB, frame []byte) *image.YCbCr {
	t.Helper()
	d := vp8.NewDecoder()
	d.Init(bytes.NewReader(frame), len(frame))
	if _, err := d.DecodeFrameHeader(); err != nil {
		t.Fatal(err)
	}
	img, err := d.DecodeFrame()
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// checkReconstruction compares a decoded frame without loop filter with the encoder's
// reconstruction.
func (e *Encoder) checkReconstruction(t testing.TB, img *image.YCbCr, width, height int) {
	t.Helper()
	if got := img.Rect.Size(); got != image.Pt(width, height) {
		t.Fatalf("%v pixels, want %d x %d", got, width, height)
	}
	for i, p := range [...]*plane{&e.reconstructed.y, &e.reconstructed.u, &e.reconstructed.v} {
		samples, stride, w, h := img.Y, img.YStride, width, height
		if i > 0 {
			samples, stride, w, h = [...][]uint8{img.Cb, img.Cr}[i-1], img.CStride, (width+1)/2, (height+1)/2
		}
		for y := range h {
			got, want := samples[y*stride:][:w], p.row(y)[:w]
			if !bytes.Equal(got, want) {
				t.Fatalf("plane %d, row %d: got %v, want %v", i, y, got, want)
			}
		}
	}
}

// withoutFilter returns settings without a loop filter.
func withoutFilter(quality int) settings {
	s := settingsOf(quality)
	s.filterLevel = 0
	return s
}

func TestReconstructionMatchesDecoder(t *testing.T) {
	var e Encoder
	for _, size := range []image.Point{{1, 1}, {17, 5}, {16, 16}, {64, 48}, {255, 257}, {3, 90}} {
		for _, f := range []Format{Gray, RGB, RGBA} {
			for i, scene := range scenes {
				for _, quality := range []int{1, 30, 75, 90, 100} {
					img := paint(f, size.X, size.Y, uint64(i), scene.pixel)
					t.Run(fmt.Sprintf("%s/%v/%d/%d", scene.name, size, f, quality), func(t *testing.T) {
						frame, err := e.encode([]byte("before"), img, withoutFilter(quality))
						if err != nil {
							t.Fatal(err)
						}
						frame, ok := bytes.CutPrefix(frame, []byte("before"))
						if !ok {
							t.Fatal("it does not append")
						}
						e.checkReconstruction(t, decode(t, frame), size.X, size.Y)
					})
				}
			}
		}
	}
}

// TestNumberOfPartitions checks that pictures of one row, and very large ones, have a single
// coefficient partition.
func TestNumberOfPartitions(t *testing.T) {
	for _, size := range []image.Point{{200, 10}, {1500, 1480}} {
		var e Encoder
		frame, err := e.encode(nil, paint(RGB, size.X, size.Y, 1, terrain), withoutFilter(50))
		if err != nil {
			t.Fatal(err)
		}
		if e.hasTwoPartitions() || len(e.tokens.lists[1]) > 0 {
			t.Errorf("%v: in two partitions", size)
		}
		e.checkReconstruction(t, decode(t, frame), size.X, size.Y)
	}
}

// TestTokensAreBounded encodes a picture with too many tokens. Its frame must equal that with all
// tokens stored.
func TestTokensAreBounded(t *testing.T) {
	img := paint(RGB, 1500, 1480, 1, terrain)
	var all, few Encoder
	s := withoutFilter(90)
	want, err := all.encode(nil, img, s)
	if err != nil {
		t.Fatal(err)
	}
	s.maxTokenBytes = len(all.tokens.lists[0]) / 10
	got, err := few.encode(nil, img, s)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %d bytes and the error %v, want %d", len(got), err, len(want))
	}
	if retained := cap(few.tokens.lists[0]); !few.hasOverflowed || retained > 2*s.maxTokenBytes {
		t.Errorf("room for %d bytes of tokens, want less than %d", retained, 2*s.maxTokenBytes)
	}
	few.checkReconstruction(t, decode(t, got), 1500, 1480)
	if again, err := few.encode(nil, paint(RGB, 90, 40, 1, terrain), s); err != nil || few.hasOverflowed || len(again) == 0 {
		t.Errorf("the next picture: %d bytes, overflown %v, %v", len(again), few.hasOverflowed, err)
	}
}

// TestFewerModes lowers the limit of the first partition step by step.
func TestFewerModes(t *testing.T) {
	const side = 200
	img := paint(RGB, side, side, 1, terrain)
	var e Encoder
	s := withoutFilter(90)
	for want := allModes; want <= oneModeOnly; want++ {
		frame, err := e.encode(nil, img, s)
		if err != nil {
			t.Fatal(err)
		}
		if e.settings.restriction != want {
			t.Errorf("with %d bytes: got restraint %d, want %d", s.firstPartitionLimit, e.settings.restriction, want)
		}
		e.checkReconstruction(t, decode(t, frame), side, side)
		s.firstPartitionLimit = firstPartitionSize(frame) - 1
	}
	const bitsOfMacroblock = 4
	macroblocks := e.columns * e.rows
	if maxBytes := macroblocks*bitsOfMacroblock/8 + len(e.tokens.counts); s.firstPartitionLimit > maxBytes {
		t.Errorf("%d bytes of modes for %d macroblocks, want less than %d", s.firstPartitionLimit, macroblocks, maxBytes)
	}
	s.firstPartitionLimit = 20
	if got, err := e.encode([]byte("as before"), img, s); !errors.Is(err, ErrImage) || string(got) != "as before" {
		t.Errorf("got %d bytes and %v, want %v", len(got), err, ErrImage)
	}
}

func firstPartitionSize(frame []byte) int {
	return (int(frame[0]) | int(frame[1])<<8 | int(frame[2])<<16) >> 5
}

// TestEncoderReleasesOutput checks that an idle encoder holds no reference to the caller's buffer.
func TestEncoderReleasesOutput(t *testing.T) {
	var e Encoder
	for _, limit := range []int{firstPartitionLimit, 20} { // the lower limit causes an error
		s := withoutFilter(75)
		s.firstPartitionLimit = limit
		if _, err := e.encode(nil, paint(RGB, 60, 50, 1, terrain), s); (err != nil) != (limit == 20) {
			t.Fatal(err)
		}
		if e.writer.out != nil {
			t.Errorf("limit %d: %d bytes are kept", limit, len(e.writer.out))
		}
	}
}

// TestOneRowNeedsNoStride checks that the stride of a single row is ignored.
func TestOneRowNeedsNoStride(t *testing.T) {
	var e Encoder
	img := paint(RGB, 40, 1, 1, terrain)
	want, err := e.Encode(nil, img, 75)
	if err != nil {
		t.Fatal(err)
	}
	img.Stride = 0
	if got, err := e.Encode(nil, img, 75); err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %d bytes and the error %v, want %d", len(got), err, len(want))
	}
}

// TestEncoderKeepsNoState checks that earlier pictures do not affect later ones.
func TestEncoderKeepsNoState(t *testing.T) {
	var used Encoder
	for i, scene := range scenes {
		for _, size := range []image.Point{{90, 40}, {16, 60}, {130, 131}} {
			img := paint(RGBA, size.X, size.Y, uint64(i), scene.pixel)
			var fresh Encoder
			want, err := fresh.Encode(nil, img, 60)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := used.Encode(nil, img, 60); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s, %v: other bytes, or %v", scene.name, size, err)
			}
		}
	}
}

func TestEncodeAllocatesNothing(t *testing.T) {
	img := paint(RGBA, 200, 150, 1, scenes[len(scenes)-1].pixel)
	var e Encoder
	var frame []byte
	allocations := testing.AllocsPerRun(10, func() {
		var err error
		if frame, err = e.Encode(frame[:0], img, 80); err != nil {
			t.Fatal(err)
		}
	})
	if allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
}

func TestEncodeRejects(t *testing.T) {
	var e Encoder
	pix := make([]byte, 100)
	tests := []struct {
		name    string
		img     Image
		quality int
	}{
		{"no format", Image{Format: 3, Width: 5, Height: 5, Stride: 5, Pix: pix}, 75},
		{"no width", Image{Format: RGB, Height: 5, Stride: 5, Pix: pix}, 75},
		{"negative height", Image{Format: RGB, Width: 5, Height: -1, Stride: 15, Pix: pix}, 75},
		{"too wide", Image{Format: Gray, Width: 1 << 14, Height: 1, Stride: 1 << 14, Pix: make([]byte, 1<<14)}, 75},
		{"rows that overlap", Image{Format: RGBA, Width: 5, Height: 5, Stride: 19, Pix: pix}, 75},
		{"too few bytes", Image{Format: RGBA, Width: 5, Height: 5, Stride: 20, Pix: pix[:99]}, 75},
		{"no bytes", Image{Format: Gray, Width: 1, Height: 1, Stride: 1}, 75},
		{"an overflow", Image{Format: Gray, Width: 1, Height: 5, Stride: math.MaxInt, Pix: pix}, 75},
		{"quality 0", Image{Format: RGBA, Width: 5, Height: 5, Stride: 20, Pix: pix}, 0},
		{"quality 101", Image{Format: RGBA, Width: 5, Height: 5, Stride: 20, Pix: pix}, 101},
	}
	for _, test := range tests {
		got, err := e.Encode([]byte("as before"), &test.img, test.quality)
		if !errors.Is(err, ErrImage) || string(got) != "as before" {
			t.Errorf("%s: got %q and the error %v, want %v", test.name, got, err, ErrImage)
		}
	}
}

// FuzzEncode repeats the given pixels to pictures of any size.
func FuzzEncode(f *testing.F) {
	f.Add([]byte{0, 255, 3, 0, 9}, uint16(17), uint16(5), uint8(75), uint8(2))
	f.Add([]byte("some pixels that are text"), uint16(64), uint16(48), uint8(100), uint8(1))
	f.Add([]byte{7}, uint16(1), uint16(1), uint8(1), uint8(0))
	var e Encoder
	f.Fuzz(func(t *testing.T, pixels []byte, width, height uint16, quality, format uint8) {
		img := Image{Format: Format(format % 3), Width: int(width%200) + 1, Height: int(height%200) + 1}
		img.Stride = img.Width*img.Format.samples() + int(width>>8)
		img.Pix = make([]byte, img.Stride*img.Height)
		for i := range img.Pix {
			if len(pixels) > 0 {
				img.Pix[i] = pixels[i%len(pixels)] ^ uint8(i/len(pixels)*int(height>>8))
			}
		}
		frame, err := e.encode(nil, &img, withoutFilter(int(quality%100)+1))
		if err != nil {
			t.Fatal(err)
		}
		e.checkReconstruction(t, decode(t, frame), img.Width, img.Height)
	})
}
