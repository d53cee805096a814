package layer_test

import (
	"context"
	"testing"

	"tileserver/layer"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// unstored is an image of which nothing is stored.
type unstored struct{ *rastertest.Synthetic }

func (unstored) Empty(context.Context, int, raster.Rect) (bool, error) { return true, nil }

// imageOf opens an image that is so large.
func imageOf(t *testing.T, c *layer.Catalog, id string, side int, isStored bool) *layer.Layer {
	t.Helper()
	synthetic := &rastertest.Synthetic{Name: id, Has: rastertest.Flat(raster.Uint8, side, side, 1, 256, 256)}
	var source raster.Provider = synthetic
	if !isStored {
		source = unstored{synthetic}
	}
	l, err := c.Open(t.Context(), layer.Config{ID: id, Open: func(context.Context) (*layer.Dataset, error) {
		return &layer.Dataset{Provider: source, Close: func() error { return nil }}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestALayerThatShowsNothingIsNotLookedAtFirst(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{})
	if got := c.StartLayerID(); got != "" {
		t.Errorf("without layers the first is %q", got)
	}
	void := imageOf(t, c, "void", 2000, false)
	mustServe(t, c, void)
	if got := c.StartLayerID(); got != "void" {
		t.Errorf("the only layer is %q", got)
	}
	mustServe(t, c, void, imageOf(t, c, "small", 100, true), imageOf(t, c, "large", 500, true), imageOf(t, c, "abyss", 3000, false))
	if got := c.StartLayerID(); got != "large" {
		t.Errorf("the first is %q, not the largest that shows something", got)
	}
}
