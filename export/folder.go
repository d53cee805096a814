package export

import (
	"context"
	"os"
	"path/filepath"
	"strconv"

	"tileserver/archive"
)

// folder writes a file for each tile: zoom/column/row.extension.
type folder struct{ path, made string }

// CreateFolder returns a writer of tiles into a new folder.
func CreateFolder(path string) (archive.Writer, error) {
	if err := os.Mkdir(path, 0o755); err != nil {
		return nil, err
	}
	return &folder{path: path}, nil
}

func (f *folder) Put(_ context.Context, tiles []archive.Tile) error {
	for _, t := range tiles {
		if err := t.CheckContent(); err != nil {
			return err
		}
		column := filepath.Join(f.path, strconv.Itoa(int(t.Zoom)), strconv.Itoa(int(t.X)))
		if column != f.made {
			if err := os.MkdirAll(column, 0o755); err != nil {
				return err
			}
			f.made = column
		}
		name := strconv.Itoa(int(t.Y)) + "." + archive.FormatOf(t.Content).Extension()
		if err := os.WriteFile(filepath.Join(column, name), t.Content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (f *folder) Finish(context.Context) error { return nil }

// Discard leaves the files to who starts again, since it takes long to remove many.
func (f *folder) Discard() error { return nil }
