package integration

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// serveWithoutOverviews runs a server with a layer "scene" that builds its overviews in the background.
func serveWithoutOverviews(t *testing.T, path, state string, args ...string) *server {
	t.Helper()
	configuration := "layers:\n  - {id: scene, path: '" + path + "', max_making: 64KiB}\n"
	return start(t, append([]string{"serve", "--config", writeFile(t, t.TempDir(), "tileserver.yaml", []byte(configuration)), "--state", state}, args...)...)
}

func previewOf(t *testing.T, s *server) []byte {
	t.Helper()
	a := ask(t, http.MethodGet, s.maps+"/layers/scene/preview.png?max_size=200", nil)
	if a.status != http.StatusOK {
		t.Fatalf("the preview has the status %d: %s", a.status, a.body)
	}
	return a.body
}

// keptOverviews lists the files of the overviews in a state folder.
func keptOverviews(t *testing.T, state string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(state, "overviews", "*", "*.kept"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// wideScene is an image of 1700 by 1300 pixels without overviews.
func wideScene() tifftest.File {
	img := colors()
	img.Width, img.Height = 1700, 1300
	return tifftest.File{Images: []tifftest.Image{img}}
}

// A server that was killed has its overviews when it starts again: no block of the file is decoded for
// them. Damaged ones are built again, and reported once.
func TestOverviewsOutliveAKilledServer(t *testing.T) {
	folder, state := t.TempDir(), t.TempDir()
	path := writeTIFF(t, folder, "scene.tif", wideScene())
	first := serveWithoutOverviews(t, path, state)
	want := previewOf(t, first)
	if built := first.metric(t, "tileserver_overviews_built_total"); built != 1 {
		t.Errorf("there were %d builds", built)
	}
	first.kill()
	first.stop()
	second := serveWithoutOverviews(t, path, state)
	if got := previewOf(t, second); !bytes.Equal(got, want) {
		t.Error("after a restart, the picture differs")
	}
	built, decoded := second.metric(t, "tileserver_overviews_built_total"), second.metric(t, "tileserver_decoded_blocks_total")
	if built != 0 || decoded != 0 {
		t.Errorf("after a restart, %d builds decoded %d blocks", built, decoded)
	}
	second.stop()
	kept := keptOverviews(t, state)
	for _, path := range kept {
		if err := os.Truncate(path, 50); err != nil {
			t.Fatal(err)
		}
	}
	third := serveWithoutOverviews(t, path, state)
	if got := previewOf(t, third); !bytes.Equal(got, want) {
		t.Error("after damage, the picture differs")
	}
	if built := third.metric(t, "tileserver_overviews_built_total"); built != 1 {
		t.Errorf("after damage there were %d builds", built)
	}
	if reports := strings.Count(third.log.String(), "saved overview cannot be used"); reports != 1 {
		t.Errorf("%d of %d damaged files were reported", reports, len(kept))
	}
}

// The overviews of a file that was replaced are removed. With --saved-overviews 0, or without a folder
// that can be written, a server works without.
func TestOverviewsAreSavedForFilesThatExist(t *testing.T) {
	folder, state := t.TempDir(), t.TempDir()
	path := writeTIFF(t, folder, "scene.tif", wideScene())
	s := serveWithoutOverviews(t, path, state)
	previewOf(t, s)
	before := keptOverviews(t, state)
	img := wideScene()
	img.Images[0].Value = func(x, y, band int) float64 { return float64((x + y + band) % 256) }
	writeTIFF(t, folder, "next.tif", img)
	if err := os.Rename(filepath.Join(folder, "next.tif"), path); err != nil {
		t.Fatal(err)
	}
	eventually(t, "only the next version has overviews", func() bool {
		previewOf(t, s)
		now := keptOverviews(t, state)
		return len(now) == len(before) && filepath.Dir(now[0]) != filepath.Dir(before[0])
	})
	s.stop()

	none := t.TempDir()
	previewOf(t, serveWithoutOverviews(t, path, none, "--saved-overviews", "0"))
	if kept := keptOverviews(t, none); len(kept) != 0 {
		t.Errorf("%d overviews were saved, though none were to be", len(kept))
	}
	if err := os.WriteFile(filepath.Join(none, "overviews"), nil, 0o444); err != nil { // which refuses even root
		t.Fatal(err)
	}
	refused := serveWithoutOverviews(t, path, none)
	previewOf(t, refused)
	if !strings.Contains(refused.log.String(), "overviews will be built again after a restart") {
		t.Error("the log does not say that nothing is saved")
	}
}
