package tiff

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestCorruptFiles reads files that others corrupted. Each must quickly give an image or a clear
// error, and no panic, which the pool would report.
func TestCorruptFiles(t *testing.T) {
	folder := testdataFolder(t)
	images, refused := 0, 0
	for _, file := range references(t, folder, "corrupt/tiff/") {
		before := time.Now()
		err := readAll(t, filepath.Join(folder, file.Path))
		if taken := time.Since(before); taken > 40*time.Second {
			t.Errorf("%s: took %v", file.Path, taken)
		}
		switch {
		case err == nil:
			images++
		case strings.Contains(err.Error(), "panic"):
			t.Errorf("%s: %v", file.Path, err)
		default:
			refused++
			t.Logf("%s: %v", file.Path, err)
		}
	}
	t.Logf("%d images, %d errors", images, refused)
}

// readAll reads all levels of all images of a file, except absurdly large ones.
func readAll(t *testing.T, path string) error {
	f, err := openFile(t, path)
	if err != nil {
		return err
	}
	for _, m := range f.Images() {
		m.Georeference()
		for level, l := range m.Info().Levels {
			if l.Width*l.Height > 1<<26 {
				continue
			}
			if _, err := planesOf(t, m, level); err != nil {
				return err
			}
		}
	}
	return nil
}
