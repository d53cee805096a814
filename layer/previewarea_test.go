package layer_test

import (
	"testing"

	"tileserver/geo"
	"tileserver/layer"
)

// A preview with a width or a height equals the picture of a box of all pixels, so that both share
// a cache entry.
func TestPreviewsInOtherShapes(t *testing.T) {
	c := newCatalog(t, gradient(), nil)
	l, err := c.Layer("l")
	if err != nil {
		t.Fatal(err)
	}
	d := l.Describe()
	whole := geo.Bounds{MaxX: float64(d.Width), MaxY: float64(d.Height)}
	key := func(area layer.Area) string {
		return mustPrepare(t, c, layer.Request{Area: area}).Key()
	}
	for _, test := range []struct {
		area          layer.PreviewArea
		width, height int
	}{
		{layer.PreviewArea{MaxSize: 2048, Width: 31, Height: 17}, 31, 17},
		{layer.PreviewArea{MaxSize: 20, Width: 40, Height: 10}, 20, 5},
		{layer.PreviewArea{MaxSize: 1 << 20, Width: d.Width * 2, Height: d.Height}, d.Width, (d.Height + 1) / 2},
		{layer.PreviewArea{MaxSize: 1 << 20, Width: d.Width}, d.Width, d.Height},
		{layer.PreviewArea{MaxSize: 1 << 20, Height: 2 * d.Height}, d.Width, d.Height},
	} {
		if got, want := key(test.area), key(layer.BoxArea{Bounds: whole, Width: test.width, Height: test.height}); got != want {
			t.Errorf("%+v of %d x %d is not %d x %d", test.area, d.Width, d.Height, test.width, test.height)
		}
	}
	for _, area := range []layer.PreviewArea{{MaxSize: 9, Width: -1}, {MaxSize: 9, Width: 9, Height: -9}, {Width: 9}} {
		if _, err := prepare(c, layer.Request{Area: area}); codeOf(err) != layer.Invalid {
			t.Errorf("%+v: the error is %v", area, err)
		}
	}
}
