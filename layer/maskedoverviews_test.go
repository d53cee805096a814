package layer_test

import (
	"errors"
	"testing"
	"time"

	"tileserver/layer"
)

// withNoData returns a request for all bands of the whole image, with a nodata value.
func withNoData(size int, value float64) layer.Request {
	r := withBands(size, 0, 1, 2)
	r.Style.NoData = &value
	return r
}

// A nodata value that no sample has is answered from the overviews of the layer, which are built and saved
// for it if they are missing. It takes no place of the quota.
func TestNoDataThatNoSampleHasNeedsNoBuildOfItsOwn(t *testing.T) {
	folder := t.TempDir()
	for i, read := range []int{1200, 0} {
		p := startProcess(t, folder, "identity", nil)
		const values = 20
		var got []string
		for value := range values {
			got = append(got, string(mustPicture(t, p.Catalog, withNoData(100, float64(200+value))).Bytes))
		}
		want := string(mustPicture(t, p.Catalog, withBands(100, 0, 1, 2)).Bytes)
		for value := range got {
			if got[value] != want {
				t.Errorf("process %d: with nodata=%d, the picture differs", i, 200+value)
			}
		}
		if s := p.Stats().Overviews; p.source.BlocksMade() != read || s.Refused != 0 || s.Built > 1 {
			t.Errorf("process %d: %d blocks were read for %+v", i, p.source.BlocksMade(), s)
		}
	}
}

// Who waits for the overviews of a nodata value waits for those of the layer, and then for those that the
// value needs of its own.
func TestAllOverviewsOfANoDataValueAreAwaited(t *testing.T) {
	p := startProcess(t, t.TempDir(), "identity", nil)
	r := withNoData(100, 60)
	r.Layer = mustFind(t, p.Catalog, "l")
	picture, err := p.Prepare(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := picture.AwaitOverviews(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	if built := p.Stats().Overviews.Built; built != 2 {
		t.Errorf("after waiting, there were %d builds, want 2", built)
	}
	mustPicture(t, p.Catalog, withNoData(100, 60))
	if built := p.Stats().Overviews.Built; built != 2 {
		t.Errorf("the picture took %d further builds", built-2)
	}
}

// After a restart, only loading what is saved shows that a nodata value needs overviews of its own. Then
// PictureOfBuilt does not wait for them, but AwaitOverviews does.
func TestOverviewsOfANoDataValueAreAwaitedAfterARestart(t *testing.T) {
	folder := t.TempDir()
	mustPicture(t, startProcess(t, folder, "identity", nil).Catalog, withBands(100, 0, 1, 2))
	p := startProcess(t, folder, "identity", nil)
	r := withNoData(100, 60)
	r.Layer = mustFind(t, p.Catalog, "l")
	picture, err := p.Prepare(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := picture.PictureOfBuilt(t.Context()); !errors.Is(err, layer.ErrOverviewsMissing) || codeOf(err) != layer.Busy {
		t.Errorf("before they are built: %v", err)
	}
	if err := picture.AwaitOverviews(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	if _, err := picture.PictureOfBuilt(t.Context()); err != nil || p.Stats().Overviews.Built != 1 {
		t.Errorf("afterwards: %v, with %d builds", err, p.Stats().Overviews.Built)
	}
}

// A nodata value that samples have shows what a layer shows whose style has it.
func TestNoDataThatSamplesHaveIsMasked(t *testing.T) {
	p := startProcess(t, t.TempDir(), "identity", nil)
	mustPicture(t, p.Catalog, withBands(100, 0, 1, 2))
	got := mustPicture(t, p.Catalog, withNoData(100, 60))
	other := startProcess(t, t.TempDir(), "identity", func(c *layer.Config) { c.Style.NoData = withNoData(0, 60).Style.NoData })
	if want := mustPicture(t, other.Catalog, withNoData(100, 60)); string(got.Bytes) != string(want.Bytes) {
		t.Error("the pictures differ")
	}
	if built := p.Stats().Overviews.Built; built != 2 {
		t.Errorf("there were %d builds, want one for the layer and one for the value", built)
	}
}
