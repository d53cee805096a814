package layer_test

import (
	"math"
	"testing"

	"tileserver/display"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// flat returns an image with one band of type t, with samples that a rescale of 0 to 1000 shows.
func flat(t raster.DataType, change func(*raster.Info)) *rastertest.Synthetic {
	info := rastertest.Flat(t, 300, 200, 1, 64, 64)
	if change != nil {
		change(&info)
	}
	return &rastertest.Synthetic{Name: "flat@1", Has: info, Sample: func(_, _, x, y int) (float64, bool) { return float64((x + y) % 200), true }}
}

func TestRequestsForOnePictureHaveOneKey(t *testing.T) {
	hasNoData := func(noData float64) func(*raster.Info) {
		return func(i *raster.Info) { i.Bands[0].NoData, i.Bands[0].HasNoData = noData, true }
	}
	isPalette := func(i *raster.Info) {
		i.Bands[0].Color, i.Palette = raster.PaletteIndex, make([]raster.RGBA, 256)
	}
	noData := func(v float64) func(*layer.Request) {
		return func(r *layer.Request) { r.Style.NoData = &v }
	}
	quality := func(f layer.Format, q int) func(*layer.Request) {
		return func(r *layer.Request) { r.Format, r.Encoding.Quality = f, q }
	}
	resampling := func(how resample.Method) func(*layer.Request) {
		return func(r *layer.Request) { r.Style.Resampling = how }
	}
	asIs := func(*layer.Request) {}
	minusZero := math.Copysign(0, -1)
	tests := map[string]struct {
		dataType raster.DataType
		info     func(*raster.Info)
		a, b     func(*layer.Request)
		equal    bool
	}{
		"quality of PNG":             {raster.Uint8, nil, quality(layer.PNG, 30), asIs, true},
		"default quality of JPEG":    {raster.Uint8, nil, quality(layer.JPEG, 75), quality(layer.JPEG, 0), true},
		"default quality of WebP":    {raster.Uint8, nil, quality(layer.WebP, 75), quality(layer.WebP, 0), true},
		"other quality of WebP":      {raster.Uint8, nil, quality(layer.WebP, 74), quality(layer.WebP, 0), false},
		"nodata below the type":      {raster.Uint8, nil, noData(-9999), asIs, true},
		"nodata above the type":      {raster.Uint8, nil, noData(256), asIs, true},
		"nodata between samples":     {raster.Int16, nil, noData(1.5), asIs, true},
		"nodata of NaN":              {raster.Float32, nil, noData(math.NaN()), asIs, true},
		"nodata of the type":         {raster.Uint8, nil, noData(255), asIs, false},
		"infinite nodata of floats":  {raster.Float64, nil, noData(math.Inf(1)), asIs, false},
		"infinite nodata of bytes":   {raster.Uint8, nil, noData(math.Inf(1)), asIs, true},
		"nodata of the file":         {raster.Int16, hasNoData(-5), noData(-5), asIs, true},
		"nodata of the file, float":  {raster.Float32, hasNoData(float64(float32(0.1))), noData(0.1), asIs, true},
		"other nodata than the file": {raster.Int16, hasNoData(-5), noData(-6), asIs, false},
		"nodata of -0":               {raster.Float32, nil, noData(minusZero), noData(0), true},
		"nodata of -0 in the file":   {raster.Float32, hasNoData(0), noData(minusZero), asIs, true},
		"nodata in decimals":         {raster.Float32, nil, noData(0.1), noData(float64(float32(0.1))), true},
		"resampling of a palette":    {raster.Uint8, isPalette, resampling(resample.Cubic), resampling(resample.Bilinear), true},
		"resampling of gray":         {raster.Uint8, nil, resampling(resample.Cubic), resampling(resample.Bilinear), false},
	}
	for name, test := range tests {
		c := newCatalog(t, flat(test.dataType, test.info), nil)
		var pictures [2]layer.Picture
		for i, change := range []func(*layer.Request){test.a, test.b} {
			r := layer.Request{Area: areas.Preview{MaxSize: 150}}
			if test.info == nil || !test.equal {
				r.Style.Rescale = []display.Range{{High: 250}}
			}
			change(&r)
			pictures[i] = mustPicture(t, c, r)
		}
		if equal := pictures[0].Key == pictures[1].Key; equal != test.equal {
			t.Errorf("%s: equal keys: %v, want %v", name, equal, test.equal)
		}
		if test.equal && pictures[1].From != layer.Hit {
			t.Errorf("%s: the second is a %s", name, pictures[1].From)
		}
	}
}

// If one of two bands has the nodata value already, the other one must still be masked.
func TestNodataOfOneBandIsNotThatOfAll(t *testing.T) {
	source := flat(raster.Uint8, func(i *raster.Info) {
		i.Bands = []raster.Band{{NoData: 7, HasNoData: true}, {}}
	})
	c := newCatalog(t, source, nil)
	r := layer.Request{Area: areas.Preview{MaxSize: 150}}
	r.Style.Bands = []int{1}
	plain := mustPrepare(t, c, r).Key()
	seven := 7.0
	r.Style.NoData = &seven
	if mustPrepare(t, c, r).Key() == plain {
		t.Error("nodata of the first band was applied to both")
	}
}
