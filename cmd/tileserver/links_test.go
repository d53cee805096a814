package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// linkedFolder returns a folder with a file and with links of all kinds, and a file outside.
func linkedFolder(t *testing.T) (folder, outside string) {
	t.Helper()
	outside = smallTIFF(t)
	data, err := os.ReadFile(outside)
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	writeFile(t, folder, "file.tif", string(data))
	writeFile(t, folder, "below/deep.tif", string(data))
	for name, to := range map[string]string{
		"inside.tif": "below/deep.tif", "outside.tif": outside, "loop.tif": "loop.tif", "folder.tif": "below", "all": ".", "up": "..",
	} {
		if err := os.Symlink(to, filepath.Join(folder, name)); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skipf("links cannot be made here: %v", err)
		}
	}
	return folder, outside
}

func TestSymbolicLinksFollowTheSwitch(t *testing.T) {
	folder, _ := linkedFolder(t)
	for rule, want := range map[string]string{
		"follow": "below-deep file inside outside", "inside": "below-deep file inside", "none": "below-deep file",
	} {
		s := start(t, append([]string{"serve", folder, "--symlinks", rule}, freePorts...)...)
		if got := strings.Join(slices.Sorted(maps.Keys(layerTitles(t, s))), " "); got != want {
			t.Errorf("%s: layers %s, want %s", rule, got, want)
		}
		s.stop()
	}
	byDefault := start(t, append([]string{"serve", folder}, freePorts...)...)
	if titles := layerTitles(t, byDefault); len(titles) != 4 {
		t.Errorf("by default: layers %v", titles)
	}
}

// What the operator names is served, whatever links lead there. A reload bounds further folders.
func TestTheSwitchOfLinksSparesWhatIsNamed(t *testing.T) {
	t.Parallel() // a scan waits until files are still
	folder, _ := linkedFolder(t)
	other, _ := linkedFolder(t)
	toFolder := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(folder, toFolder); err != nil {
		t.Fatal(err)
	}
	named := "symlinks: none\nlayers: [{id: named, path: " + filepath.Join(folder, "outside.tif") + "}]\n"
	path := writeFile(t, t.TempDir(), "c.yaml", named+"paths: ["+toFolder+"]")
	s, hangUp := hangingUp(t, append([]string{"serve", "--config", path}, freePorts...)...)
	if got := strings.Join(slices.Sorted(maps.Keys(layerTitles(t, s))), " "); got != "below-deep file named" {
		t.Errorf("layers %s", got)
	}
	replaceFile(t, path, named+"paths: ["+toFolder+", "+other+"]")
	hangUp()
	eventually(t, "the files of the other folder are served", func() bool { return len(layerTitles(t, s)) >= 5 })
	for id := range layerTitles(t, s) {
		if strings.Contains(id, "side") {
			t.Errorf("the link of layer %s is followed", id)
		}
	}
}
