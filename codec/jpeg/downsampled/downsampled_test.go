package downsampled

import (
	"errors"
	"math"
	"testing"
)

// photo returns samples without a pattern.
func photo(width, height int) []uint8 {
	out := make([]uint8, width*height)
	for i := range out {
		out[i] = uint8(i*i*31 + i*17)
	}
	return out
}

// sample interpolates a sample of the image by definition.
func (s Scaling) sample(picture []uint8, x, y int) float64 {
	at := func(x, y int) float64 {
		return float64(picture[max(0, min(y, s.FromHeight-1))*s.FromWidth+max(0, min(x, s.FromWidth-1))])
	}
	fx := (float64(x)+0.5)*float64(s.FromWidth)/float64(s.Width) - 0.5
	fy := (float64(y)+0.5)*float64(s.FromHeight)/float64(s.Height) - 0.5
	x0, y0 := math.Floor(fx), math.Floor(fy)
	wx, wy := fx-x0, fy-y0
	left, top := int(x0), int(y0)
	return (at(left, top)*(1-wx)+at(left+1, top)*wx)*(1-wy) + (at(left, top+1)*(1-wx)+at(left+1, top+1)*wx)*wy
}

func TestSamplesAreInterpolated(t *testing.T) {
	for _, s := range []Scaling{{19, 11, 37, 21}, {5, 7, 40, 14}, {1, 1, 9, 3}, {3, 4, 3, 4}, {8, 6, 5, 3}, {1, 5, 2, 31}} {
		picture := photo(s.FromWidth, s.FromHeight)
		for _, w := range []Window{{0, 0, s.Width, s.Height}, {s.Width / 3, s.Height / 2, s.Width - s.Width/3, s.Height - s.Height/2}, {1, 1, 1, 1}} {
			got := make([]uint8, w.Width*w.Height)
			if err := s.Enlarge(got, w, picture); err != nil {
				t.Fatal(err)
			}
			for i, v := range got {
				x, y := w.Left+i%w.Width, w.Top+i/w.Width
				if want := s.sample(picture, x, y); math.Abs(float64(v)-want) > 1.5 {
					t.Fatalf("%+v: %d,%d is %d, want %g", s, x, y, v, want)
				}
			}
		}
	}
}

func TestSameSizeChangesNothing(t *testing.T) {
	s := Scaling{13, 9, 13, 9}
	picture, got := photo(13, 9), make([]uint8, 13*9)
	if err := s.Enlarge(got, Window{0, 0, 13, 9}, picture); err != nil || string(got) != string(picture) {
		t.Errorf("the samples differ, %v", err)
	}
}

func TestBadSizes(t *testing.T) {
	sound := Scaling{4, 3, 8, 6}
	for _, test := range []struct {
		Scaling
		Window
		dst, picture int
	}{
		{Scaling{0, 3, 8, 6}, Window{0, 0, 1, 1}, 99, 99},
		{Scaling{4, 3, 8, 0}, Window{0, 0, 1, 1}, 99, 99},
		{Scaling{4, 3, math.MaxInt, 6}, Window{0, 0, 1, 1}, 99, 99},
		{Scaling{math.MaxInt, 3, 8, 6}, Window{0, 0, 1, 1}, 99, 99},
		{sound, Window{-1, 0, 1, 1}, 99, 99},
		{sound, Window{1, 0, 8, 1}, 99, 99},
		{sound, Window{0, 6, 1, 1}, 99, 99},
		{sound, Window{0, 0, 8, 6}, 47, 99},
		{sound, Window{0, 0, 0, 6}, 99, 99},
		{sound, Window{0, 0, 8, 6}, 48, 11},
		{sound, Window{math.MaxInt, 0, 2, 1}, 48, 12},
	} {
		if err := test.Enlarge(make([]uint8, test.dst), test.Window, make([]uint8, test.picture)); !errors.Is(err, ErrSize) {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

func FuzzEnlarge(f *testing.F) {
	f.Add(19, 11, 37, 21, 3, 2, 9, 8)
	f.Fuzz(func(t *testing.T, fromWidth, fromHeight, width, height, left, top, w, h int) {
		const maxSamples = 1 << 12
		dst, picture := make([]uint8, maxSamples), photo(64, 64)
		s := Scaling{fromWidth, fromHeight, width, height}
		err := s.Enlarge(dst, Window{left, top, w, h}, picture)
		if err != nil {
			if !errors.Is(err, ErrSize) {
				t.Fatal(err)
			}
			return
		}
		for _, i := range []int{0, w*h - 1} {
			if want := s.sample(picture, left+i%w, top+i/w); math.Abs(float64(dst[i])-want) > 1.5 {
				t.Fatalf("sample %d is %d, want %g", i, dst[i], want)
			}
		}
	})
}

func BenchmarkEnlarge(b *testing.B) {
	s := Scaling{1024, 1024, 2048, 2048}
	picture, dst := photo(1024, 1024), make([]uint8, 256*256)
	b.SetBytes(int64(len(dst)))
	for b.Loop() {
		if err := s.Enlarge(dst, Window{700, 900, 256, 256}, picture); err != nil {
			b.Fatal(err)
		}
	}
}
