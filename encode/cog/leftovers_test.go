package cog

import (
	"os"
	"path/filepath"
	"testing"

	"tileserver/raster"
)

func TestLeftoversAreRemovedUnlessTheyAreWritten(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "out.tif")
	w, err := Create(path, imageOf(raster.Uint8, 71, 45, 3))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"out.tif.unfinished-ABC", "other.tif.unfinished-ABC", "out.tif"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := RemoveLeftovers(path); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadDir(folder)
	if err != nil || len(after) != len(before)-1 {
		t.Errorf("%v, %v are left of %v", err, after, before)
	}
	if _, err := os.Stat(path + ".unfinished-ABC"); !os.IsNotExist(err) {
		t.Errorf("the leftover: %v", err)
	}
	if err := w.Abort(); err != nil {
		t.Error(err)
	}
}
