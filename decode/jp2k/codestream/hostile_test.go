package codestream_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/integration/realfiles"
)

// readAll reads all headers of a codestream, and of its first tiles if there are many. It returns
// the first error.
func readAll(r codestream.Reader, limits codestream.Limits) (*codestream.Header, error) {
	h, err := codestream.ReadHeader(r, limits)
	if err != nil {
		return nil, err
	}
	parts, err := h.FindParts(r)
	if err != nil {
		return h, err
	}
	first := parts.Damage()
	for i := range min(h.Tiles(), 64) {
		tile, err := h.ReadTile(r, parts, i)
		if err == nil {
			err = tile.Damage
		}
		if first == nil {
			first = err
		}
	}
	return h, first
}

// isNamed reports whether an error is one that callers can distinguish.
func isNamed(err error) bool {
	for _, one := range []error{
		codestream.ErrCorrupt, codestream.ErrUnsupported, codestream.ErrLimit, codestream.ErrMisplaced,
	} {
		if errors.Is(err, one) {
			return true
		}
	}
	return false
}

func TestBrokenFilesFailSoonWithNamedErrors(t *testing.T) {
	folder := realfiles.Folder(t, "EXPECTED.jsonl")
	files := 0
	err := filepath.WalkDir(filepath.Join(folder, "corrupt", "jp2k"), func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		t.Run(strings.TrimPrefix(path, folder), func(t *testing.T) {
			began := time.Now()
			_, err := readAll(codestreamtest.NewReader(codestreamIn(data)), codestream.Limits{})
			t.Log(err)
			if err != nil && !isNamed(err) {
				t.Errorf("got %v, want a named error", err)
			}
			if took := time.Since(began); took > 40*time.Second {
				t.Errorf("took %v", took)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 80 {
		t.Errorf("%d files, not 80 or more", files)
	}
}
