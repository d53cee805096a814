package layer_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"
)

func TestStatisticsAreComputedOncePerBand(t *testing.T) {
	source := gradient()
	c := newCatalog(t, source, func(c *layer.CatalogConfig) { c.Cache = nil })
	for _, test := range []struct {
		asked, want []int
		calls       bool
	}{
		{[]int{2, 0}, []int{2, 0}, true},
		{[]int{0, 2}, []int{0, 2}, false},
		{[]int{0, 0, 2, 0}, []int{0, 2}, false},
		{nil, []int{0, 1, 2}, true},
		{[]int{2, 1, 0}, []int{2, 1, 0}, false},
	} {
		calls, planes := source.Calls(), source.PlanesMade()
		s, err := c.Statistics(t.Context(), layerOf(t, c, "l"), bandsOf(test.asked...))
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, b := range s.Bands {
			got = append(got, b.Band)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%v: got the bands %v, want %v", test.asked, got, test.want)
		}
		if read := source.Calls() > calls; read != test.calls {
			t.Errorf("%v: pixels were read: %v, want %v", test.asked, read, test.calls)
		}
		if all := 12 * 8 * 3; source.PlanesMade()-planes >= all {
			t.Errorf("%v: %d planes were read, though one band at least is cached", test.asked, source.PlanesMade()-planes)
		}
	}
}

// open adds a layer "l" without a place on the earth. The function open returns the source of each
// version.
func open(t *testing.T, config layer.Config, open func() *rastertest.Synthetic) *layer.Catalog {
	t.Helper()
	c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20), Gate: admission.New(admission.Config{Cheap: 4, Dear: 4, Queue: 100})})
	config.ID = "l"
	config.Open = func(context.Context) (*layer.Dataset, error) {
		return &layer.Dataset{Provider: open(), Close: func() error { return nil }}, nil
	}
	if err := c.Add(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestNodataOfALayerAppliesEverywhere(t *testing.T) {
	zero := math.Copysign(0, -1)
	c := open(t, layer.Config{Style: style.Style{NoData: &zero}}, gradient)
	p, err := c.Point(t.Context(), layerOf(t, c, "l"), style.Style{NoData: &zero}, nil, geo.Point{X: 12, Y: 0})
	if err != nil || !p.Bands[0].Valid || p.Bands[0].Value != 1 {
		t.Errorf("next to nodata: got %+v, %v", p, err)
	}
	if p, err = c.Point(t.Context(), layerOf(t, c, "l"), style.Style{NoData: &zero}, nil, geo.Point{X: 5, Y: 0}); err != nil || slices.ContainsFunc(p.Bands, func(b layer.BandValue) bool { return b.Valid }) {
		t.Errorf("at nodata: got %+v, %v", p, err)
	}
	s, err := c.Statistics(t.Context(), layerOf(t, c, "l"), style.Style{Spec: bandsOf(0).Spec, NoData: &zero})
	if err != nil || s.Bands[0].Min != 1 || s.Bands[0].Count >= s.Bands[0].Total {
		t.Errorf("got the statistics %+v, %v", s.Bands[0], err)
	}
}

// Statistics of all bands have the bands of the version that they are computed from.
func TestStatisticsAfterAChangeHaveTheNewBands(t *testing.T) {
	version := 0
	c := open(t, layer.Config{}, func() *rastertest.Synthetic {
		version++
		source := gradient()
		source.Name = fmt.Sprint("gradient@", version)
		if version == 1 {
			source.Before = func(context.Context, int, []raster.BlockID, []int) error { return raster.ErrChanged }
			return source
		}
		source.Has.Bands = source.Has.Bands[:2]
		return source
	})
	s, err := c.Statistics(t.Context(), layerOf(t, c, "l"), style.Style{})
	if err != nil || len(s.Bands) != 2 {
		t.Errorf("got %v and the error %v, want two bands", s, err)
	}
}

func TestDescriptionIsCached(t *testing.T) {
	l, err := newCatalog(t, gradient(), nil).Layer("l")
	if err != nil {
		t.Fatal(err)
	}
	first := l.Describe()
	if again := l.Describe(); &first.TileSets[0] != &again.TileSets[0] {
		t.Error("one version has two descriptions")
	}
	if allocations := testing.AllocsPerRun(10, func() { l.Describe() }); allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
}
