package mbtiles

import (
	"testing"

	"tileserver/archive"
	"tileserver/archive/archivetest"
)

func openFile(t *testing.T, path string) *Archive {
	t.Helper()
	a, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return a
}

func TestSuite(t *testing.T) {
	archivetest.Run(t, archivetest.Kind{
		Create: func(path string, d archive.Description) (archive.Writer, error) {
			w, err := Create(t.Context(), path, Options{Description: d})
			if err != nil {
				return nil, err
			}
			return w, nil
		},
		Open: func(t *testing.T, path string) archive.Reader { return openFile(t, path) },
	})
}
