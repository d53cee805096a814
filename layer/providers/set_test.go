package providers_test

import (
	"testing"

	"tileserver/cache"
	"tileserver/geo"
	"tileserver/layer/providers"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// stripes returns an image of 300 by 200 pixels whose samples are those of its columns.
func stripes(change func(*raster.Info)) *rastertest.Synthetic {
	info := rastertest.Flat(raster.Uint16, 300, 200, 1, 64, 32)
	if change != nil {
		change(&info)
	}
	return &rastertest.Synthetic{Name: "stripes@1", Has: info, Sample: func(_, _, x, _ int) (float64, bool) { return float64(x), true }}
}

func chain(t *testing.T, config providers.Config, p raster.Provider, s providers.Source) providers.Set {
	t.Helper()
	config.Caches = providers.NewCaches(cache.New(64 << 20))
	var err error
	if s.Converted, err = config.Convert(p, s.CRS != nil); err != nil {
		t.Fatal(err)
	}
	return config.Chain(s)
}

func TestPyramidsHaveTheLevelsThatFilesLack(t *testing.T) {
	large := &rastertest.Synthetic{Name: "large@1", Has: rastertest.Flat(raster.Uint8, 3000, 2000, 1, 64, 32)}
	set := chain(t, providers.Config{}, large, providers.Source{})
	if stored, all := len(set.StoredLevels.Info().Levels), len(set.Pyramid.Provider().Info().Levels); stored != 1 || all < 2 {
		t.Errorf("%d levels are stored, and the pyramid has %d", stored, all)
	}
	if set.Pyramid.CRS() != nil {
		t.Error("an image without a place has a CRS")
	}
}

func TestVirtualBlocks(t *testing.T) {
	set := chain(t, providers.Config{BlockSize: 128}, stripes(nil), providers.Source{})
	if l := set.StoredLevels.Info().Levels[0]; l.BlockWidth != 128 || l.BlockHeight != 128 {
		t.Errorf("the blocks have %d by %d pixels", l.BlockWidth, l.BlockHeight)
	}
}

// The placement of an image refers to the pixels as stored, so only images without one are turned.
func TestOnlyUnplacedImagesAreTurned(t *testing.T) {
	placement, err := geo.NewAffinePlacement(geo.Affine{A: 1, E: -1})
	if err != nil {
		t.Fatal(err)
	}
	source := stripes(func(i *raster.Info) { i.Orientation = 6 })
	unplaced := chain(t, providers.Config{}, source, providers.Source{})
	placed := chain(t, providers.Config{}, source, providers.Source{CRS: geo.CRS84(), Placement: placement})
	if l := unplaced.StoredLevels.Info().Levels[0]; l.Width != 200 || l.Height != 300 {
		t.Errorf("the image without a place has %d by %d pixels", l.Width, l.Height)
	}
	if l := placed.StoredLevels.Info().Levels[0]; l.Width != 300 || l.Height != 200 || placed.Pyramid.CRS() == nil {
		t.Errorf("the image with a place has %d by %d pixels in %v", l.Width, l.Height, placed.Pyramid.CRS())
	}
}

func TestMaskedValuesHaveAnotherKey(t *testing.T) {
	value := 7.0
	plain, masked := chain(t, providers.Config{}, stripes(nil), providers.Source{}), chain(t, providers.Config{}, stripes(nil), providers.Source{NoData: &value})
	tiles, err := masked.StoredLevels.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range map[int]bool{6: true, 7: false, 8: true} {
		if _, coverage := tiles[0].At(0, x, 0); (coverage != raster.Invalid) != want {
			t.Errorf("column %d has the coverage %d", x, coverage)
		}
	}
	if plain.Pyramid.Provider().Key() == masked.Pyramid.Provider().Key() {
		t.Error("the keys are the same")
	}
}
