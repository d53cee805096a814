package layer

import (
	"testing"

	"tileserver/geo"
	"tileserver/raster"
)

// describe returns the description of an image with bands of these colors.
func describe(width, height int, isPlaced bool, bands ...raster.Color) Description {
	info := &raster.Info{}
	for _, color := range bands {
		info.Bands = append(info.Bands, raster.Band{Color: color})
	}
	d := Description{Width: width, Height: height, Info: info}
	if isPlaced {
		d.CRS, d.HasBounds, d.Bounds = geo.CRS84(), true, geo.Bounds{MinX: 1, MinY: 2, MaxX: 3, MaxY: 4}
	}
	return d
}

func TestBestLayerIsShownFirst(t *testing.T) {
	rgb := []raster.Color{raster.Red, raster.Green, raster.Blue}
	bgrn := []raster.Color{raster.Blue, raster.Green, raster.Red, raster.Undefined}
	candidates := map[string]Description{
		"scan":     describe(9000, 7000, false, rgb...),
		"dem":      describe(5000, 4001, true, raster.Gray),
		"photo":    describe(3001, 2000, true, rgb...),
		"mosaic":   describe(90001, 80000, true, rgb...),
		"giant":    describe(900001, 800000, true, rgb...),
		"scene":    describe(10980, 10980, true, bgrn...),
		"classes":  describe(3001, 2000, true, raster.PaletteIndex),
		"icon":     describe(16, 17, true, rgb...),
		"line":     describe(2_000_000, 1, true, rgb...),
		"smallDEM": describe(30, 30, true, raster.Gray),
	}
	for _, test := range []struct {
		ids  []string
		want string
	}{
		{[]string{"scan"}, "scan"},
		{[]string{"scan", "icon"}, "icon"},
		{[]string{"icon", "dem", "scan"}, "dem"},
		{[]string{"line", "dem"}, "dem"},
		{[]string{"smallDEM", "dem"}, "dem"},
		{[]string{"dem", "classes", "photo", "scan"}, "photo"},
		{[]string{"dem", "classes", "scan"}, "classes"},
		{[]string{"photo", "mosaic"}, "mosaic"},
		{[]string{"mosaic", "giant"}, "mosaic"},
		{[]string{"giant", "mosaic"}, "giant"},
		{[]string{"dem", "scene"}, "scene"},
	} {
		var appeals []float64
		for _, id := range test.ids {
			d := candidates[id]
			appeals = append(appeals, startScore(&d))
		}
		if first := test.ids[rankByScore(appeals)[0]]; first != test.want {
			t.Errorf("of %v, the first is %q, want %q", test.ids, first, test.want)
		}
	}
}

// A corrupt file may claim any size.
func TestStartScoreIsNeverNegative(t *testing.T) {
	for _, side := range []int{0, 1, 2, 63, 64, 65, 1 << 40} {
		d := describe(side, side/2, false)
		if appeal := startScore(&d); !(appeal >= 0) {
			t.Errorf("%d pixels: %g", side, appeal)
		}
	}
}
