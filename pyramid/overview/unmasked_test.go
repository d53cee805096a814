package overview

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"tileserver/cache"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
	"tileserver/raster/wrap"
)

// halves is a kind of sample: on the right are larger ones than on the left.
func halves(s *rastertest.Synthetic) {
	middle := s.Has.Levels[0].Width / 2
	s.Sample = func(_, band, x, y int) (float64, bool) {
		value := float64(10 + (7*x+3*y+band)%90)
		if x >= middle {
			value += 100
		}
		return value, (x+5*y)%23 != 0
	}
}

// unmaskedAndMasked returns providers for which everything is too expensive for a request: that of a
// source, and that of the source with a masked value, which takes blocks from the other one.
func unmaskedAndMasked(source raster.Provider, saved Saved, pick bool, value float64) (unmasked, masked *Provider) {
	kept := cache.New(64 << 20)
	levelsOf := func(s raster.Provider, change func(*Config)) *Provider {
		return smallLevels(s, kept, func(c *Config) {
			c.MaxBytes, c.Pick = 1, pick
			c.Coarse, c.CoarseBytes = blockcache.NewCoarse(cache.NewPartition(kept, 16<<20)), 8<<20
			change(c)
		})
	}
	unmasked = levelsOf(source, func(c *Config) { c.Saved, c.TellsSamples = saved, true })
	masked = levelsOf(wrap.Mask(source, value), func(c *Config) { c.Unmasked, c.Masked = unmasked, value })
	return unmasked, masked
}

// build builds all that one level needs, and returns its blocks.
func build(t *testing.T, d *Provider, level int) []raster.Tile {
	t.Helper()
	ids := allBlocks(d.info.Levels[level])
	for {
		work, err := d.Missing(t.Context(), level, ids, nil)
		if err != nil {
			t.Fatal(err)
		}
		if work == nil {
			var tiles []raster.Tile
			if tiles, err = d.Blocks(t.Context(), level, ids, nil); err == nil {
				return tiles
			}
			if !errors.As(err, &work) {
				t.Fatal(err)
			}
		}
		if err := work.Of.Build(t.Context(), work, func(float64) {}); err != nil {
			t.Fatal(err)
		}
	}
}

// Whatever value is masked, the overviews are those that a build of the masked image alone gives.
func TestMaskedOverviewsAreThoseOfABuildOfTheirOwn(t *testing.T) {
	kinds := storedKinds()
	kinds["halves"] = halves
	kinds["fractions"] = func(s *rastertest.Synthetic) {
		s.Has.Type = raster.Float32
		s.Sample = func(_, band, x, y int) (float64, bool) { return float64(x/40) + 0.1, y%7 != band }
	}
	for _, shapeName := range []string{"tiles of an odd size", "strips of seven rows"} {
		for kindName, kind := range kinds {
			for _, value := range []float64{1.1, 47, 150} {
				for _, pick := range []bool{false, true} {
					t.Run(fmt.Sprintf("%s/%s/%v/%v", shapeName, kindName, value, pick), func(t *testing.T) {
						source := storedAs(storedShapes()[shapeName], kind)
						_, shared := unmaskedAndMasked(source, nil, pick, value)
						alone := sweepingPick(wrap.Mask(storedAs(storedShapes()[shapeName], kind), value), pick)
						for level := len(alone.info.Levels) - 1; level >= alone.native; level-- {
							got, want := build(t, shared, level), build(t, alone, level)
							for i := range got {
								if !got[i].SamePixels(want[i]) || got[i].HasOwnValidity() != want[i].HasOwnValidity() {
									t.Fatalf("block %v of level %d differs", allBlocks(alone.info.Levels[level])[i], level)
								}
							}
						}
					})
				}
			}
		}
	}
}

func sweepingPick(s raster.Provider, pick bool) *Provider {
	return smallLevels(s, cache.New(64<<20), func(c *Config) { c.MaxBytes, c.Pick = 1, pick })
}

// A value that no sample has needs nothing that the overviews of all clients do not have, after a restart
// too. One that some samples have needs what is around these.
func TestMaskedOverviewsReadWhatHasTheValue(t *testing.T) {
	shape := raster.Level{Width: 415, Height: 310, BlockWidth: 16, BlockHeight: 8}
	saved, source := newSaved(), newCounted(storedAs(shape, halves))
	unmasked, _ := unmaskedAndMasked(source, saved, false, 0)
	build(t, unmasked, unmasked.native)
	for name, restart := range map[string]bool{"at once": false, "after a restart": true} {
		for value, isRead := range map[float64]func(x int) bool{
			5:   func(int) bool { return false },
			255: func(int) bool { return false },
			50:  func(x int) bool { return x < shape.Width/2+64 },
			150: func(x int) bool { return x > shape.Width/2-64 },
		} {
			source := newCounted(storedAs(shape, halves))
			other, masked := unmaskedAndMasked(source, saved, false, value)
			if !restart {
				masked.config.Unmasked, other = unmasked, unmasked
			}
			all := allBlocks(masked.info.Levels[masked.native])
			_, err := masked.Blocks(t.Context(), masked.native, all, nil)
			var work *TooExpensiveError
			if needsBuild := isRead(0) || isRead(shape.Width); needsBuild != errors.As(err, &work) || needsBuild && work.Of != masked {
				t.Errorf("%s, %v: %v, and the work is %+v", name, value, err, work)
			}
			if missing, err := masked.Missing(t.Context(), masked.native, all, nil); err != nil || (missing == nil) != (work == nil) {
				t.Errorf("%s, %v: %+v is missing, %v", name, value, missing, err)
			}
			build(t, masked, masked.native)
			for id := range source.times {
				if x := id.Col * shape.BlockWidth; !isRead(x) {
					t.Fatalf("%s, %v: the block at %d was read", name, value, x)
				}
			}
			if other.native != masked.native {
				t.Error("the levels differ")
			}
		}
	}
}

// To find out what is missing reads nothing that is saved, however many values are asked for.
func TestNothingIsLoadedToFindWhatIsMissing(t *testing.T) {
	saved := newSaved()
	source := func() raster.Provider { return storedAs(storedShapes()["small tiles"], halves) }
	before, _ := unmaskedAndMasked(source(), saved, false, 0)
	build(t, before, before.native)
	for value := range 200 {
		_, masked := unmaskedAndMasked(source(), saved, false, float64(value))
		all := allBlocks(masked.info.Levels[masked.native])
		if work, err := masked.Missing(t.Context(), masked.native, all, nil); err != nil || work != nil {
			t.Fatalf("%d: %+v is missing, %v", value, work, err)
		}
		if got := masked.SavedOnly(masked.native, all, nil); len(got) != len(all) {
			t.Fatalf("%d: %d of %d blocks are said to be loaded", value, len(got), len(all))
		}
	}
	if saved.gets != 0 {
		t.Errorf("%d blocks were loaded", saved.gets)
	}
}

// What all clients need is built first, and may suffice.
func TestUnmaskedOverviewsAreBuiltFirst(t *testing.T) {
	source := newCounted(storedAs(storedShapes()["small tiles"], halves))
	unmasked, masked := unmaskedAndMasked(source, nil, false, 255)
	top := len(masked.info.Levels) - 1
	work := wantTooExpensive(t, masked, top, raster.BlockID{}, nil)
	if work.Of != unmasked {
		t.Fatal("the masked overviews are to be built")
	}
	if err := unmasked.Build(t.Context(), work, func(float64) {}); err != nil {
		t.Fatal(err)
	}
	reads := maps.Clone(source.times)
	for level := masked.native; level <= top; level++ {
		if _, err := masked.Blocks(t.Context(), level, allBlocks(masked.info.Levels[level]), nil); err != nil {
			t.Error(err)
		}
		if are := masked.IsCached(level, allBlocks(masked.info.Levels[level]), nil); slices.Contains(are, false) {
			t.Errorf("of level %d, %v are cached", level, are)
		}
	}
	if !maps.Equal(reads, source.times) {
		t.Error("the file was read again")
	}
}

// Blocks that do not tell their samples serve nobody else.
func TestBlocksThatTellNoSamplesAreNotShared(t *testing.T) {
	saved := newSaved()
	old := sweeping(storedAs(storedShapes()["small tiles"], halves), saved)
	build(t, old, old.native)
	unmasked, masked := unmaskedAndMasked(storedAs(storedShapes()["small tiles"], halves), saved, false, 255)
	if work := wantTooExpensive(t, masked, masked.native, raster.BlockID{}, nil); work.Of != masked {
		t.Error("the unmasked overviews are to be built, which are there")
	}
	if slices.Contains(unmasked.IsBuilt(unmasked.native, allBlocks(unmasked.info.Levels[unmasked.native]), nil), false) {
		t.Error("the saved blocks are not known")
	}
}
