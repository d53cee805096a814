package layer_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tileserver/cache"
	"tileserver/cache/disk"
	"tileserver/display"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"
)

// heights returns an image of 300 by 200 floats, which needs statistics to be shown.
func heights() *rastertest.Synthetic {
	return &rastertest.Synthetic{Name: "heights@1", Has: rastertest.Flat(raster.Float32, 300, 200, 1, 64, 64),
		Sample: func(_, _, x, y int) (float64, bool) { return float64((x*7+y*13)%500) / 3, x+y > 40 }}
}

func openStore(t *testing.T, folder string) *disk.Store {
	t.Helper()
	s, err := disk.Open(disk.Config{Folder: folder, MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// After a restart, the server loads the statistics and renders the same picture.
func TestStatisticsSurviveRestarts(t *testing.T) {
	folder := t.TempDir()
	r := layer.Request{Area: areas.Preview{MaxSize: 100}}
	first := heights()
	c := newCatalog(t, first, func(c *layer.CatalogConfig) { c.State = openStore(t, folder) })
	want := mustPicture(t, c, r)

	second := heights()
	c = newCatalog(t, second, func(c *layer.CatalogConfig) { c.State = openStore(t, folder) })
	if _, err := c.Statistics(t.Context(), layerOf(t, c, "l"), style.Style{}); err != nil {
		t.Fatal(err)
	}
	if second.Calls() != 0 {
		t.Errorf("%d calls for stored statistics", second.Calls())
	}
	if got := mustPicture(t, c, r); !bytes.Equal(got.Bytes, want.Bytes) || got.Key != want.Key {
		t.Error("the picture differs after a restart")
	}
}

// Damaged files in the state folder only cost time.
func TestDamagedStateIsComputedAgain(t *testing.T) {
	folder := t.TempDir()
	r := layer.Request{Area: areas.Preview{MaxSize: 100}}
	want := mustPicture(t, newCatalog(t, heights(), func(c *layer.CatalogConfig) { c.State = openStore(t, folder) }), r)
	files, err := filepath.Glob(filepath.Join(folder, "*.kept"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	if err := os.WriteFile(files[0], []byte("damaged"), 0o644); err != nil {
		t.Fatal(err)
	}
	source := heights()
	c := newCatalog(t, source, func(c *layer.CatalogConfig) { c.State = openStore(t, folder) })
	if got := mustPicture(t, c, r); !bytes.Equal(got.Bytes, want.Bytes) || source.Calls() == 0 {
		t.Error("the picture differs, or nothing was read")
	}
}

// Two independent servers produce the same bytes under the same keys, in any order of requests.
func TestReplicasAgree(t *testing.T) {
	styles := map[string]display.Spec{
		"dra":        {},
		"percentile": {Stretch: display.Stretch{Kind: display.Percentile, Low: 5, High: 90}},
		"colors":     {ColorMap: "viridis"},
		"expression": {Expression: expressionOf(t, "sqrt(b1) / (b1 + 1)")},
	}
	one, other := newCatalog(t, heights(), nil), newCatalog(t, heights(), func(c *layer.CatalogConfig) { c.Cache = nil })
	if _, err := other.Statistics(t.Context(), layerOf(t, other, "l"), style.Style{}); err != nil {
		t.Fatal(err)
	}
	for name, spec := range styles {
		for _, area := range []areas.Area{areas.Preview{MaxSize: 77}, areas.Tile{TileSet: "image"}} {
			r := layer.Request{Area: area, Style: style.Style{Spec: spec}}
			a, b := mustPicture(t, one, r), mustPicture(t, other, r)
			if !bytes.Equal(a.Bytes, b.Bytes) || a.Key != b.Key {
				t.Errorf("%s, %T: the replicas differ", name, area)
			}
		}
	}
}

// If statistics fail, the request fails; the picture is not stretched in another way.
func TestFailedStatisticsAreAnError(t *testing.T) {
	source := heights()
	broken := errors.New("a block is broken")
	source.Before = func(_ context.Context, _ int, ids []raster.BlockID, _ []int) error {
		for _, id := range ids {
			if id.Col == 4 && id.Row == 3 {
				return broken
			}
		}
		return nil
	}
	c := newCatalog(t, source, nil)
	r := layer.Request{Area: areas.Tile{TileSet: "image", Tile: tileID(1, 0, 0)}}
	if _, err := mustPrepare(t, c, r).Picture(t.Context()); codeOf(err) != layer.Unavailable {
		t.Errorf("got the error %v", err)
	}
	r.Style.Rescale = []display.Range{{Low: 0, High: 100}}
	if _, err := mustPrepare(t, c, r).Picture(t.Context()); err != nil {
		t.Errorf("a tile that needs neither statistics nor the block: %v", err)
	}
}

// StatisticsState reports the progress while statistics are computed.
func TestStatisticsStateReportsProgress(t *testing.T) {
	source := heights()
	reached, goOn := make(chan struct{}), make(chan struct{})
	source.Before = func(ctx context.Context, _ int, _ []raster.BlockID, _ []int) error {
		close(reached)
		<-goOn
		return nil
	}
	c := newCatalog(t, source, nil)
	l, err := c.Layer("l")
	if err != nil {
		t.Fatal(err)
	}
	before, _, going := c.StatisticsState(l)
	if going || len(before) != 16 {
		t.Errorf("before the first request: version %q, running: %v", before, going)
	}
	done := make(chan error)
	go func() {
		_, err := c.Statistics(context.Background(), layerOf(t, c, "l"), style.Style{})
		done <- err
	}()
	<-reached
	if version, part, going := c.StatisticsState(l); !going || part != 0 || version != before {
		t.Errorf("halfway: %v of version %q, running: %v", part, version, going)
	}
	close(goOn)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if _, _, going := c.StatisticsState(l); going {
		t.Error("still running when done")
	}
}

// Two different datasets may have the same key, if their files have equal names, sizes and times.
// Stored statistics of one are not used for the other.
func TestStatisticsOfAnotherDatasetAreNotUsed(t *testing.T) {
	folder := t.TempDir()
	open := func(identity string, factor float64) *layer.Catalog {
		source := heights()
		plain := source.Sample
		source.Sample = func(level, band, x, y int) (float64, bool) {
			v, valid := plain(level, band, x, y)
			return factor * v, valid
		}
		c := layer.NewCatalog(layer.CatalogConfig{State: openStore(t, folder)})
		err := c.Add(t.Context(), layer.Config{ID: "l", Open: func(context.Context) (*layer.Dataset, error) {
			return &layer.Dataset{Provider: source, Identity: identity, Close: func() error { return nil }}, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	most := func(c *layer.Catalog) float64 {
		s, err := c.Statistics(t.Context(), layerOf(t, c, "l"), style.Style{})
		if err != nil {
			t.Fatal(err)
		}
		return s.Bands[0].Max
	}
	first := most(open("one", 1))
	if got := most(open("two", 10)); got < 9*first {
		t.Errorf("the maximum of the other dataset is %v", got)
	}
	if got := most(open("", 3)); got < 2*first {
		t.Errorf("the maximum of one without an identity is %v", got)
	}
	if got := most(open("one", 5)); got != first {
		t.Errorf("stored statistics of the first are %v, want %v", got, first)
	}
}

// Statistics for requests do not evict those of the layers' own styles.
func TestStatisticsOfRequestsAreStoredSeparately(t *testing.T) {
	folder := t.TempDir()
	c := newCatalog(t, heights(), func(c *layer.CatalogConfig) { c.State = openStore(t, folder) })
	for i := range 3 {
		value := float64(i)
		for _, s := range []style.Style{{NoData: &value}, {Spec: display.Spec{Expression: expressionOf(t, fmt.Sprintf("b1*%d", i+2))}}, {}} {
			if _, err := c.Statistics(t.Context(), layerOf(t, c, "l"), s); err != nil {
				t.Fatal(err)
			}
		}
	}
	count := func(pattern string) int {
		files, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	if own, asked := count("*.kept"), count("asked/*.kept"); own != 1 || asked != 6 {
		t.Errorf("%d stored for styles and %d for requests, want 1 and 6", own, asked)
	}
}

// When the configuration changes the number of sampled pixels, neither old statistics nor old
// pictures are used.
func TestStatisticsPixelsMayChange(t *testing.T) {
	slope := &rastertest.Synthetic{Name: "slope@1", Has: rastertest.Flat(raster.Float32, 300, 200, 1, 64, 64),
		Sample: func(_, _, x, y int) (float64, bool) { return float64(x + 2*y), true }}
	of := func(pixels int64) layer.Config {
		config := layer.Config{ID: "l", StatisticsPixels: pixels, Open: func(context.Context) (*layer.Dataset, error) {
			return &layer.Dataset{Provider: slope, Close: func() error { return nil }}, nil
		}}
		config.Style.Stretch = display.Stretch{Kind: display.MinMax}
		return config
	}
	observe := func(c *layer.Catalog) (uint64, []byte) {
		shown := mustPicture(t, c, layer.Request{Area: areas.Preview{MaxSize: 300}})
		s, err := c.Statistics(t.Context(), layerOf(t, c, "l"), style.Style{})
		if err != nil {
			t.Fatal(err)
		}
		return s.Bands[0].Total, shown.Bytes
	}
	const few = 64 * 64
	fresh := layer.NewCatalog(layer.CatalogConfig{})
	mustServe(t, fresh, mustOpen(t, fresh, of(few)))
	wantPixels, want := observe(fresh)

	c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20)})
	all := mustOpen(t, c, of(0))
	mustServe(t, c, all)
	if pixels, shown := observe(c); pixels == wantPixels || bytes.Equal(shown, want) {
		t.Fatal("the number of pixels changes nothing here")
	}
	rebuilt, err := c.Rebuild(all, of(few))
	if err != nil {
		t.Fatal(err)
	}
	mustServe(t, c, rebuilt)
	if pixels, shown := observe(c); pixels != wantPixels || !bytes.Equal(shown, want) {
		t.Errorf("statistics of %d pixels, want %d; the picture is unchanged: %v", pixels, wantPixels, !bytes.Equal(shown, want))
	}
}

// A layer may sample more or fewer pixels than the default. The version of its statistics and its
// pictures differ then.
func TestStatisticsPixels(t *testing.T) {
	count := func(pixels int64) (uint64, string, string) {
		c := layer.NewCatalog(layer.CatalogConfig{})
		err := c.Add(t.Context(), layer.Config{ID: "l", StatisticsPixels: pixels, Open: func(context.Context) (*layer.Dataset, error) {
			return &layer.Dataset{Provider: heights(), Close: func() error { return nil }}, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.Statistics(t.Context(), layerOf(t, c, "l"), style.Style{})
		if err != nil {
			t.Fatal(err)
		}
		l, _ := c.Layer("l")
		version, _, _ := c.StatisticsState(l)
		return s.Bands[0].Total, version, mustPrepare(t, c, layer.Request{Area: areas.Preview{MaxSize: 10}}).Key()
	}
	all, version, key := count(0)
	few, fewVersion, fewKey := count(5 * 64 * 64)
	if all != 300*200 || few >= all || few == 0 {
		t.Errorf("%d pixels by default, and %d of a few blocks", all, few)
	}
	if version == fewVersion || key == fewKey {
		t.Error("the version or the key is the same")
	}
}
