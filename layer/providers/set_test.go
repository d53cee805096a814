package providers_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"tileserver/cache"
	"tileserver/geo"
	"tileserver/layer/providers"
	"tileserver/pyramid"
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

// saved keeps blocks in memory.
type saved struct {
	mu     sync.Mutex
	values map[string][]byte
}

func newSaved() *saved { return &saved{values: make(map[string][]byte)} }

func (s *saved) Contains(key string) bool {
	_, ok := s.Get(context.Background(), key)
	return ok
}

func (s *saved) Get(_ context.Context, key string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	value, ok := s.values[key]
	return value, ok
}

func (s *saved) Put(_ context.Context, key string, value []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[key] = slices.Clone(value)
}

func (s *saved) Remove(_ context.Context, key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.values, key)
}

// A block of an overview is missing, or saved, or in memory. To load one takes less memory than to build
// it, and more than to find it in memory.
func TestMemoryOfOverviews(t *testing.T) {
	kept, id := newSaved(), []raster.BlockID{{}}
	plan := &pyramid.Plan{Level: 1, Bands: []int{0}, Parts: []pyramid.Part{{Blocks: id}}}
	open := func() providers.Set {
		large := &rastertest.Synthetic{
			Name: "large@1", Has: rastertest.Flat(raster.Uint8, 3000, 2000, 1, 64, 32),
			Sample: func(_, _, x, _ int) (float64, bool) { return float64(x % 200), true },
		}
		return chain(t, providers.Config{MaxInlineOverviewBytes: 1}, large, providers.Source{Saved: kept})
	}
	check := func(when string, s *providers.Set, isCached, isSaved bool) {
		t.Helper()
		if got := s.Pyramid.IsCached(plan)[0]; got != isCached {
			t.Errorf("%s, a block is in memory: %v", when, got)
		}
		if got := s.SavedOverviews(plan.Level, id, plan.Bands); len(got) > 0 != isSaved {
			t.Errorf("%s, %v are saved only", when, got)
		}
	}
	before := open()
	check("at first", &before, false, false)
	toBuild := before.OverviewBytes(plan)
	missing, err := before.Overviews.Missing(t.Context(), plan.Level, id, plan.Bands)
	if err != nil || missing == nil {
		t.Fatal(missing, err)
	}
	if err := before.Overviews.Build(t.Context(), missing, func(float64) {}); err != nil {
		t.Fatal(err)
	}
	check("after a build", &before, true, false)
	if bytes := before.OverviewBytes(plan); bytes != 0 {
		t.Errorf("a block in memory takes %d bytes", bytes)
	}
	after := open()
	check("after a restart", &after, false, true)
	block := after.Pyramid.Provider().Info().Levels[1].Block(id[0])
	if bytes, pixels := after.OverviewBytes(plan), int64(block.Width()*block.Height()); bytes < 2*pixels || bytes > 4*pixels || bytes >= toBuild {
		t.Errorf("a saved block of %d pixels takes %d bytes, and %d to be built", pixels, bytes, toBuild)
	}
	if _, err := after.Overviews.Blocks(t.Context(), plan.Level, id, plan.Bands); err != nil {
		t.Fatal(err)
	}
	check("after a picture", &after, true, false)
}

// Saved blocks without a mask are loaded for a nodata value of a request, which takes memory and time
// even if it turns out that the value needs blocks of its own.
func TestMemoryOfOverviewsForANoDataValue(t *testing.T) {
	kept, ids := newSaved(), []raster.BlockID{{}, {Col: 1}}
	plan := &pyramid.Plan{Level: 1, Bands: []int{0}, Parts: []pyramid.Part{{Blocks: ids}}}
	open := func(s providers.Source) providers.Set {
		large := &rastertest.Synthetic{
			Name: "large@1", Has: rastertest.Flat(raster.Uint8, 3000, 2000, 1, 64, 32),
			Sample: func(_, _, x, _ int) (float64, bool) { return float64(x % 200), true },
		}
		s.Saved, s.IsShownUnmasked = kept, true
		return chain(t, providers.Config{MaxInlineOverviewBytes: 1}, large, s)
	}
	value := 7.0
	requested := providers.Source{NoData: &value, IsRequested: true}
	unsaved := open(requested)
	toBuild := unsaved.OverviewBytes(plan)
	before := open(providers.Source{})
	missing, err := before.Overviews.Missing(t.Context(), plan.Level, ids, plan.Bands)
	if err != nil || missing == nil {
		t.Fatal(missing, err)
	}
	if err := before.Overviews.Build(t.Context(), missing, func(float64) {}); err != nil {
		t.Fatal(err)
	}
	after := open(requested)
	toLoad := after.Overviews.LoadBytes(plan.Level, ids, plan.Bands)
	if got := after.OverviewBytes(plan); got != toBuild+toLoad || toLoad == 0 {
		t.Errorf("with saved blocks there are %d bytes, want %d to build and %d to load", got, toBuild, toLoad)
	}
	if got := after.SavedOverviews(plan.Level, ids, plan.Bands); !slices.Equal(got, ids) {
		t.Errorf("%v are loaded, want %v", got, ids)
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
