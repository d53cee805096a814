//go:build unix

package integration

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// scenes writes files whose pictures need statistics, which servers store in their state folder.
func scenes(t *testing.T, folder string, count int) (ids []string) {
	t.Helper()
	for i := range count {
		img := heights()
		img.Value = func(x, y, _ int) float64 { return float64((i+1)*x) + float64(y)/4 }
		id := fmt.Sprintf("scene-%d", i)
		writeTIFF(t, folder, id+".tif", tifftest.File{Images: []tifftest.Image{img}})
		ids = append(ids, id)
	}
	return ids
}

// pictures asks for the previews of layers at a time, and returns those that came.
func pictures(t *testing.T, s *server, ids []string) map[string][]byte {
	var mu sync.Mutex
	got := make(map[string][]byte)
	var all sync.WaitGroup
	for _, id := range ids {
		all.Go(func() {
			a, err := tryAsk(t, http.MethodGet, s.maps+"/layers/"+id+"/preview.png", nil)
			if err != nil {
				return // the server was killed
			}
			if a.status != http.StatusOK {
				t.Errorf("%s: status %d: %s", id, a.status, a.body)
			}
			mu.Lock()
			defer mu.Unlock()
			got[id] = a.body
		})
	}
	all.Wait()
	return got
}

// storedFiles counts the values in a state folder.
func storedFiles(t *testing.T, folder string) (count int) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".kept" {
			count++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return count
}

func compare(t *testing.T, who string, got, want map[string][]byte) {
	t.Helper()
	for id, picture := range got {
		if !bytes.Equal(picture, want[id]) {
			t.Errorf("%s: %s differs", who, id)
		}
	}
}

// Two servers share a state folder. One is killed while both use it. The other goes on, and the next
// one that starts finds what was stored.
func TestServersShareAStateFolder(t *testing.T) {
	folder, state := t.TempDir(), t.TempDir()
	ids := scenes(t, folder, 40)
	quiet := start(t, "serve", "--state", "", folder)
	want := pictures(t, quiet, ids)
	quiet.stop()
	stays, dies := start(t, "serve", "--state", state, folder), start(t, "serve", "--state", state, folder)
	var all sync.WaitGroup
	all.Go(func() { compare(t, "the one that stays", pictures(t, stays, ids), want) })
	all.Go(func() { compare(t, "the one that dies", pictures(t, dies, ids), want) })
	eventually(t, "something is stored", func() bool { return storedFiles(t, state) > 0 })
	dies.kill()
	all.Wait()
	if got := pictures(t, stays, ids); len(got) != len(ids) {
		t.Errorf("%d of %d pictures came", len(got), len(ids))
	}
	stays.stop()
	next := start(t, "serve", "--state", state, folder)
	got := pictures(t, next, ids)
	compare(t, "the next one", got, want)
	if len(got) != len(ids) {
		t.Errorf("%d of %d pictures came", len(got), len(ids))
	}
}

// A server works without its state folder when that is lost. A file in its place refuses even root.
func TestAStateFolderMayBeLost(t *testing.T) {
	folder, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	ids := scenes(t, folder, 5)
	s := start(t, "serve", "--state", state, folder)
	if err := os.RemoveAll(state); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(state, nil, 0o444); err != nil {
		t.Fatal(err)
	}
	if got := pictures(t, s, ids); len(got) != len(ids) {
		t.Errorf("%d of %d pictures came", len(got), len(ids))
	}
	again := start(t, "serve", "--state", state, folder)
	if got := pictures(t, again, ids); len(got) != len(ids) {
		t.Errorf("after another start, %d of %d pictures came", len(got), len(ids))
	}
}
