package layer_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/cache/disk"
	"tileserver/layer"
	"tileserver/pyramid/overview"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"
)

// bandedRows are rows with three bands of different samples.
func bandedRows() *rastertest.Synthetic {
	return &rastertest.Synthetic{
		Name: "rows@1", Has: rastertest.Flat(raster.Uint8, 1500, 1200, 3, 1500, 1),
		Sample: func(_, band, x, y int) (float64, bool) { return float64((x/(3+band) + y) % 200), (x+y)%17 != 0 },
	}
}

// A process is one of several that share a state folder, one after the other.
type process struct {
	*layer.Catalog
	source *rastertest.Synthetic
}

// startProcess returns a catalog whose layer "l" saves its overviews in a folder.
func startProcess(t *testing.T, folder, identity string, change func(*layer.Config)) process {
	t.Helper()
	return startProcessOn(t, openGroups(t, folder, 256<<20), identity, change)
}

func openGroups(t *testing.T, folder string, maxBytes int64) *disk.Groups {
	t.Helper()
	saved, err := disk.OpenGroups(disk.GroupsConfig{Folder: folder, MaxBytes: maxBytes, OnFailure: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	return saved
}

func startProcessOn(t *testing.T, saved *disk.Groups, identity string, change func(*layer.Config)) process {
	t.Helper()
	source := bandedRows()
	c := layer.NewCatalog(layer.CatalogConfig{
		Cache: cache.New(64 << 20), SavedOverviews: saved, Pieces: func() int { return 2 }, // on any number of cores
		Gate: admission.New(admission.Config{Cheap: 4, Dear: 4, Queue: 100, Memory: 1 << 30}),
	})
	config := layer.Config{ID: "l", MaxInlineOverviewBytes: 1000, Open: func(context.Context) (*layer.Dataset, error) {
		return &layer.Dataset{Provider: source, Identity: identity, Close: func() error { return nil }}, nil
	}}
	if change != nil {
		change(&config)
	}
	if err := c.Add(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return process{c, source}
}

// withBands returns a request for bands of the whole image.
func withBands(size int, bands ...int) layer.Request {
	r := wholeImage(size)
	r.Style.Bands = bands
	return r
}

// After a restart, no block of the file is read for overviews that were built before, in whichever
// bands, and the pictures are the same.
func TestARestartReadsNothingForOverviews(t *testing.T) {
	folder := t.TempDir()
	before := startProcess(t, folder, "identity", nil)
	var want []string
	requests := []layer.Request{withBands(100, 0, 1, 2), withBands(90, 2, 1, 0), withBands(80, 1), withBands(70, 2, 2, 0)}
	for _, r := range requests {
		want = append(want, string(mustPicture(t, before.Catalog, r).Bytes))
	}
	if s := before.Stats(); s.Overviews.Built != 1 || before.source.BlocksMade() != 1200 || s.SavedOverviews.Bytes == 0 {
		t.Errorf("%d blocks were read by %d builds, and %d bytes saved", before.source.BlocksMade(), s.Overviews.Built, s.SavedOverviews.Bytes)
	}
	after := startProcess(t, folder, "identity", nil)
	for i, r := range requests {
		if got := mustPicture(t, after.Catalog, r); string(got.Bytes) != want[i] {
			t.Errorf("picture %d differs after the restart", i)
		}
	}
	if s := after.Stats(); s.Overviews.Built != 0 || after.source.BlocksMade() != 0 {
		t.Errorf("after the restart, %d blocks were read by %d builds", after.source.BlocksMade(), s.Overviews.Built)
	}
	if _, needed := after.OverviewState(t.Context(), mustFind(t, after.Catalog, "l")); needed {
		t.Error("after the restart, overviews are said to be missing")
	}
}

func mustFind(t *testing.T, c *layer.Catalog, id string) *layer.Layer {
	t.Helper()
	l, err := c.Layer(id)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Overviews belong to one content, and those of content that is not known are not saved.
func TestOverviewsAreSavedByContent(t *testing.T) {
	folder := t.TempDir()
	mustPicture(t, startProcess(t, folder, "identity", nil).Catalog, withBands(100, 0))
	for _, identity := range []string{"other", "", ""} {
		p := startProcess(t, folder, identity, nil)
		mustPicture(t, p.Catalog, withBands(100, 0))
		if p.Stats().Overviews.Built != 1 {
			t.Errorf("the content %q is shown by overviews of another one", identity)
		}
	}
	if folders := foldersIn(t, folder); folders != 2 {
		t.Errorf("%d contents have overviews", folders)
	}
}

func foldersIn(t *testing.T, folder string) int {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func onlyFolderIn(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 {
		t.Fatal(entries, err)
	}
	return filepath.Join(folder, entries[0].Name())
}

// What a program of an older version saved of a file leaves the new overviews of the file their part of
// the folder, and makes room when there is no other.
func TestOverviewsOfAnOlderVersionMakeRoom(t *testing.T) {
	complete := startProcess(t, t.TempDir(), "identity", nil)
	mustPicture(t, complete.Catalog, withBands(100, 0))
	part := complete.Stats().SavedOverviews.Bytes
	folder, older := t.TempDir(), "identity:rows@1" // there was no version in the keys of groups
	before := openGroups(t, folder, 4*part)         // each group may have a quarter
	put := func(key string) { before.Group(key).Put(t.Context(), "block", make([]byte, part-100)) }
	put(older)
	used := time.Now().Add(-time.Hour)
	if err := os.Chtimes(onlyFolderIn(t, folder), used, used); err != nil {
		t.Fatal(err)
	}
	others := []string{"another file", "a third file", "a fourth file"}
	for _, other := range others {
		put(other)
	}
	now := openGroups(t, folder, 4*part)
	mustPicture(t, startProcessOn(t, now, "identity", nil).Catalog, withBands(100, 0))
	if now.Group(older).Contains("block") {
		t.Error("the overviews of the older version are still there")
	}
	for _, other := range others {
		if !now.Group(other).Contains("block") {
			t.Errorf("the overviews of %s made room", other)
		}
	}
	after := startProcess(t, folder, "identity", nil)
	mustPicture(t, after.Catalog, withBands(100, 0))
	if s := after.Stats(); s.Overviews.Built != 0 || after.source.BlocksMade() != 0 {
		t.Errorf("after a restart, %d blocks were read by %d builds", after.source.BlocksMade(), s.Overviews.Built)
	}
	now.Group(overview.SavedVersion + ":identity:rows@1").Clear()
	if s := now.Stats(); s.Groups != 3 {
		t.Errorf("the group has another key than formats-on-disk.md says: there are %+v", s)
	}
}

// A damaged file of the state folder costs one more build of what it held.
func TestDamagedSavedOverviewsAreBuiltAgain(t *testing.T) {
	folder := t.TempDir()
	want := mustPicture(t, startProcess(t, folder, "identity", nil).Catalog, withBands(100, 0, 1, 2))
	paths, err := filepath.Glob(filepath.Join(folder, "*", "*"))
	if err != nil || len(paths) == 0 {
		t.Fatal(len(paths), err)
	}
	for i, path := range paths {
		if err := os.Truncate(path, int64(i)); err != nil {
			t.Fatal(err)
		}
	}
	for i, builds := range []int64{1, 0} {
		p := startProcess(t, folder, "identity", nil)
		if got := mustPicture(t, p.Catalog, withBands(100, 0, 1, 2)); string(got.Bytes) != string(want.Bytes) {
			t.Errorf("process %d: the picture differs", i)
		}
		if built := p.Stats().Overviews.Built; built != builds {
			t.Errorf("process %d: there were %d builds, want %d", i, built, builds)
		}
	}
}

// What is saved of a file goes with it: at once if another version replaces it, and after a while if
// its layer is removed and does not come back.
func TestSavedOverviewsGoWithTheFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder, version := t.TempDir(), 1
		p := startProcess(t, folder, "", func(c *layer.Config) {
			c.Open = func(context.Context) (*layer.Dataset, error) {
				mine, source := version, bandedRows()
				source.Name = fmt.Sprint("rows@", mine)
				return &layer.Dataset{
					Provider: source, Identity: fmt.Sprint("identity", mine), Close: func() error { return nil },
					IsCurrent: func() bool { return mine == version },
				}, nil
			}
		})
		saved := func() int64 { return p.Stats().SavedOverviews.Bytes }
		mustPicture(t, p.Catalog, withBands(100, 0))
		first := saved()
		version = 2
		time.Sleep(2 * time.Second)
		mustPicture(t, p.Catalog, withBands(100, 0))
		if folders := foldersIn(t, folder); folders != 1 || saved() != first {
			t.Errorf("two versions have overviews in %d folders, of %d bytes", folders, saved())
		}
		l := mustFind(t, p.Catalog, "l")
		for _, layers := range [][]*layer.Layer{nil, {l}} { // as if a disk were mounted again
			if err := p.Serve(layers); err != nil {
				t.Fatal(err)
			}
			time.Sleep(30 * time.Minute)
		}
		time.Sleep(time.Hour)
		if saved() != first {
			t.Error("the overviews of a layer that came back are gone")
		}
		for _, layers := range [][]*layer.Layer{nil, {l}, nil} { // it is away for twenty minutes and three hours
			if err := p.Serve(layers); err != nil {
				t.Fatal(err)
			}
			time.Sleep(20 * time.Minute)
		}
		time.Sleep(30 * time.Minute)
		if saved() != first {
			t.Error("the overviews of a layer that was removed twice are gone an hour after the first time")
		}
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if folders := foldersIn(t, folder); folders != 0 || saved() != 0 {
			t.Errorf("after the layer was removed, %d bytes are left in %d folders", saved(), folders)
		}
	})
}

// A layer that comes back after what was saved of it is gone saves its overviews again, also if it was
// opened before.
func TestALayerThatComesBackSavesOverviews(t *testing.T) {
	for _, isOpenedBefore := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			p := startProcess(t, t.TempDir(), "identity", nil)
			mustPicture(t, p.Catalog, withBands(100, 0))
			l := mustFind(t, p.Catalog, "l")
			if err := p.Serve(nil); err != nil {
				t.Fatal(err)
			}
			if isOpenedBefore {
				var err error
				if l, err = p.Rebuild(l, layer.Config{ID: "l", MaxInlineOverviewBytes: 1000}); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(2 * time.Hour)
			synctest.Wait()
			if s := p.Stats().SavedOverviews; s.Bytes != 0 {
				t.Fatalf("after two hours there are %+v", s)
			}
			if err := p.Serve([]*layer.Layer{l}); err != nil {
				t.Fatal(err)
			}
			r := withBands(100, 0)
			r.Style.Resampling = resample.Nearest // overviews that are not in memory
			mustPicture(t, p.Catalog, r)
			if s := p.Stats().SavedOverviews; s.Bytes == 0 || s.Groups != 1 {
				t.Errorf("opened before: %v, the layer has saved %+v", isOpenedBefore, s)
			}
		})
	}
}

// A build that runs when its file is replaced saves nothing more.
func TestTheBuildOfAReplacedFileSavesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder, version := t.TempDir(), 1
		p := startProcess(t, folder, "", func(c *layer.Config) {
			c.Open = func(context.Context) (*layer.Dataset, error) {
				mine, source := version, bandedRows()
				source.Name = fmt.Sprint("rows@", mine)
				if mine == 1 {
					source.Before = func(context.Context, int, []raster.BlockID, []int) error {
						time.Sleep(time.Second)
						return nil
					}
				}
				return &layer.Dataset{
					Provider: source, Identity: fmt.Sprint("identity", mine), Close: func() error { return nil },
					IsCurrent: func() bool { return mine == version },
				}, nil
			}
		})
		var client sync.WaitGroup
		client.Go(func() { _, _ = mustPrepare(t, p.Catalog, withBands(100, 0)).Picture(t.Context()) })
		time.Sleep(2 * time.Second)
		version = 2
		for range 3 { // nobody asks for overviews, so that nobody cancels the build
			p.Refresh()
			time.Sleep(2 * time.Second)
		}
		client.Wait()
		time.Sleep(time.Hour)
		if s := p.Stats(); s.SavedOverviews.Bytes != 0 || s.Overviews.Built == 0 {
			t.Errorf("%d bytes are saved of a replaced file, after %d builds", s.SavedOverviews.Bytes, s.Overviews.Built)
		}
	})
}

// Four clients ask for one nodata value after the other. The layer answers in its own style, and few
// builds read the file. Nothing of them is saved.
func TestRandomNoDataDoesNotStopALayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		p := startProcess(t, folder, "identity", nil)
		p.source.Before = func(_ context.Context, _ int, ids []raster.BlockID, _ []int) error {
			time.Sleep(time.Duration(len(ids)) * 20 * time.Millisecond) // a build takes 12 seconds
			return nil
		}
		var clients sync.WaitGroup
		stop := make(chan struct{})
		for client := range 4 {
			clients.Go(func() {
				for value := client; ; value += 4 {
					select {
					case <-stop:
						return
					default:
					}
					r, noData := withBands(100, 0, 1, 2), float64(value%200)
					r.Style.NoData = &noData
					_, err := mustPrepare(t, p.Catalog, r).Picture(t.Context())
					if err != nil && codeOf(err) != layer.Busy {
						t.Errorf("nodata=%v: %v", noData, err)
					}
					time.Sleep(time.Second)
				}
			})
		}
		time.Sleep(5 * time.Second)
		began := time.Now()
		mustPicture(t, p.Catalog, withBands(100, 0, 1, 2))
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("the own style of the layer took %v", took)
		}
		time.Sleep(4 * time.Minute)
		for size := range 20 {
			began := time.Now()
			mustPicture(t, p.Catalog, withBands(110+size, 2, 1, 0))
			if took := time.Since(began); took != 0 {
				t.Errorf("a later picture took %v", took)
			}
		}
		close(stop)
		clients.Wait()
		if s := p.Stats(); s.Overviews.Built != 5 || s.Overviews.Refused < 100 || p.source.BlocksMade() != 5*1200 {
			t.Errorf("%d blocks were read, and the builder is %+v", p.source.BlocksMade(), s.Overviews)
		}
		noData := 3.
		after := startProcess(t, folder, "identity", nil)
		r := withBands(100, 0, 1, 2)
		mustPicture(t, after.Catalog, r)
		r.Style.NoData = &noData
		mustPicture(t, after.Catalog, r)
		if built := after.Stats().Overviews.Built; built != 1 {
			t.Errorf("after a restart there were %d builds, want that for the request alone", built)
		}
	})
}

// The nodata value of a style of the layer is no client's: its overviews are saved, and beyond the quota.
func TestNoDataOfStylesHasNoQuota(t *testing.T) {
	folder := t.TempDir()
	withStyles := func(c *layer.Config) {
		for value := range 7 {
			noData := float64(value)
			c.Styles = append(c.Styles, style.Named{Name: fmt.Sprint("nodata", value), Style: style.Style{NoData: &noData}})
		}
	}
	for i, builds := range []int64{7, 0} {
		p := startProcess(t, folder, "identity", withStyles)
		for value := range 7 {
			r, noData := withBands(100, 0, 1, 2), float64(value)
			r.Style.NoData = &noData
			mustPicture(t, p.Catalog, r)
		}
		if s := p.Stats().Overviews; s.Built != builds || s.Refused != 0 {
			t.Errorf("process %d: the builder is %+v", i, s)
		}
	}
}
