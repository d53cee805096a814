package jp2k

import (
	"context"
	"io/fs"
	"strings"
	"testing"

	"tileserver/decode/jp2k/boxes/boxestest"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/raster"
	"tileserver/source"
)

// The wavelet's coarser resolutions of indices and classes are meaningless, so such images have a
// single level.
func TestLookedUpImagesHaveOneLevel(t *testing.T) {
	header, color := boxestest.ImageHeader(33, 21, 1, 8), boxestest.EnumeratedColor(sRGB)
	palette := boxestest.Palette([]byte{1, 2, 3}, []byte{4, 5, 6}, []byte{7, 8, 9})
	for name, test := range map[string]struct {
		image  jp2ktest.Image
		header [][]byte
		levels int
	}{
		"amounts":   {small(depth(8)), [][]byte{header, boxestest.EnumeratedColor(gray)}, 2},
		"a palette": {small(depth(2)), [][]byte{header, color, palette, boxestest.Mapping([3]int{0, 1, 0}, [3]int{0, 1, 1}, [3]int{0, 1, 2})}, 1},
		"a palette beside a component": {
			small(depth(2), depth(8)), [][]byte{header, color, palette, boxestest.Mapping([3]int{0, 1, 1}, [3]int{0, 1, 0}, [3]int{1, 0, 0})}, 1,
		},
	} {
		o := open(t, inBoxes(test.image.Codestream(), test.header...), nil)
		if got := len(o.Info().Levels); got != test.levels {
			t.Errorf("%s: %d levels, want %d", name, got, test.levels)
		}
	}
	noted := `<PAMDataset><PAMRasterBand band="1"><CategoryNames><Category>water</Category><Category>wood</Category></CategoryNames></PAMRasterBand></PAMDataset>`
	classes := open(t, small(depth(8)).Codestream(), func(c *Config) {
		c.Beside = func(_ context.Context, name string) (source.Source, error) {
			if !strings.HasSuffix(name, ".aux.xml") {
				return nil, fs.ErrNotExist
			}
			return source.NewBytes(name, []byte(noted)), nil
		}
	})
	if got := len(classes.Info().Levels); got != 1 {
		t.Errorf("classes: %d levels, want 1", got)
	}
}

// Two of three components that are coarser than the first are chroma, whatever the container says.
func TestCoarseColorsAreChroma(t *testing.T) {
	m := small(depth(8), depth(8), depth(8))
	for c := 1; c < 3; c++ {
		m.Components[c].DX, m.Components[c].DY = 2, 2
	}
	data := m.Codestream()
	o := open(t, inBoxes(data, boxestest.ImageHeader(33, 21, 3, 8), boxestest.EnumeratedColor(sRGB)), nil)
	if got := o.Info().Colors.Space; got != raster.YCbCr {
		t.Errorf("colors are %v", got)
	}
}
