package picture

import (
	"errors"
	"math"
	"slices"
	"testing"
)

func TestCrop(t *testing.T) {
	released := 0
	p := New(func() { released++ })
	p.Reshape(5, 4, Gray)
	for i := range p.Pix {
		p.Pix[i] = uint8(i)
	}
	for _, outside := range [][4]int{{-1, 0, 2, 2}, {0, -1, 2, 2}, {4, 0, 2, 2}, {0, 3, 2, 2}, {0, 0, 0, 1}, {0, 0, 1, -1}, {math.MaxInt, 0, 2, 2}} {
		if err := p.Crop(outside[0], outside[1], outside[2], outside[3]); !errors.Is(err, ErrOutside) {
			t.Errorf("%v: got the error %v, want %v", outside, err, ErrOutside)
		}
	}
	if err := p.Crop(1, 1, 3, 2); err != nil {
		t.Fatal(err)
	}
	if got := append(slices.Clone(p.Row(0)), p.Row(1)...); !slices.Equal(got, []uint8{6, 7, 8, 11, 12, 13}) {
		t.Errorf("got %v", got)
	}
	p.Release()
	memory := &p.Pix[0]
	p.Reshape(5, 4, Gray)
	if released != 1 || p.Width != 5 || len(p.Pix) != 20 || &p.Pix[6] != memory {
		t.Errorf("after a crop and %d releases, a picture is %dx%d in different memory", released, p.Width, p.Height)
	}
}
