package listing

import (
	"testing"

	"tileserver/raster"
)

// scoreOf returns the score of an image with bands of these colors.
func scoreOf(width, height int, isPlaced bool, bands ...raster.Color) float64 {
	info := &raster.Info{Levels: []raster.Level{{Width: width, Height: height}}}
	for _, color := range bands {
		info.Bands = append(info.Bands, raster.Band{Color: color})
	}
	return startScore(info, isPlaced)
}

func TestBestLayerIsShownFirst(t *testing.T) {
	rgb := []raster.Color{raster.Red, raster.Green, raster.Blue}
	bgrn := []raster.Color{raster.Blue, raster.Green, raster.Red, raster.Undefined}
	candidates := map[string]float64{
		"scan":     scoreOf(9000, 7000, false, rgb...),
		"dem":      scoreOf(5000, 4001, true, raster.Gray),
		"photo":    scoreOf(3001, 2000, true, rgb...),
		"mosaic":   scoreOf(90001, 80000, true, rgb...),
		"giant":    scoreOf(900001, 800000, true, rgb...),
		"scene":    scoreOf(10980, 10980, true, bgrn...),
		"classes":  scoreOf(3001, 2000, true, raster.PaletteIndex),
		"icon":     scoreOf(16, 17, true, rgb...),
		"line":     scoreOf(2_000_000, 1, true, rgb...),
		"smallDEM": scoreOf(30, 30, true, raster.Gray),
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
		var scores []float64
		for _, id := range test.ids {
			scores = append(scores, candidates[id])
		}
		if first := test.ids[rankByScore(scores)[0]]; first != test.want {
			t.Errorf("of %v, the first is %q, want %q", test.ids, first, test.want)
		}
	}
}

// A corrupt file may claim any size.
func TestStartScoreIsNeverNegative(t *testing.T) {
	for _, side := range []int{0, 1, 2, 63, 64, 65, 1 << 40} {
		if score := scoreOf(side, side/2, false); !(score >= 0) {
			t.Errorf("%d pixels: %g", side, score)
		}
	}
}
