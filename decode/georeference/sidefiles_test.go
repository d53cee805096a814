package georeference

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"tileserver/geo"
	"tileserver/source"
)

// folder holds files by name and counts those that are open.
type folder struct {
	files  map[string]string
	failed error // of files without content
	open   int
}

// closing tells the folder when a file is closed.
type closing struct {
	source.Source
	in *folder
}

func (c closing) Version() string { return "v" + c.Name() }

func (c closing) Close() error {
	c.in.open--
	return c.Source.Close()
}

func (f *folder) Open(_ context.Context, name string) (source.Source, error) {
	text, ok := f.files[name]
	switch {
	case !ok:
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	case text == "" && f.failed != nil:
		return nil, f.failed
	}
	f.open++
	return closing{source.NewBytes(name, []byte(text)), f}, nil
}

func besideScene(f *folder) *SideFiles {
	return NewSideFiles(source.NewBytes("bucket/in/scene.tif", nil), f.Open)
}

func TestSideFiles(t *testing.T) {
	files := &folder{files: map[string]string{"scene.tif.aux.xml": "<PAMDataset><SRS>EPSG:3857</SRS></PAMDataset>", "scene.TFW": "2 0 0 -4 101 198"}}
	b := besideScene(files)
	if b.Name() != "scene.tif" || b.Stem() != "scene" {
		t.Errorf("it is called %q and %q", b.Name(), b.Stem())
	}
	noted, err := b.ReadPAM(t.Context(), 1, 1<<10)
	if err != nil || noted == nil || noted.CRS != "EPSG:3857" {
		t.Errorf("notes %+v, %v", noted, err)
	}
	world, err := b.WorldFile(t.Context())
	if want := (geo.Affine{A: 2, C: 100, E: -4, F: 200}); err != nil || world == nil || *world != want {
		t.Errorf("world file %+v, %v, want %+v", world, err, want)
	}
	if want := []string{"scene.tif.aux.xml", "scene.TFW"}; !slices.Equal(b.Names(), want) {
		t.Errorf("names %q, want %q", b.Names(), want)
	}
	if want := "+.tif.aux.xml@vscene.tif.aux.xml+.TFW@vscene.TFW"; b.Versions() != want {
		t.Errorf("versions %q, want %q", b.Versions(), want)
	}
	if files.open != 0 {
		t.Errorf("%d files are open still", files.open)
	}
}

func TestNoSideFiles(t *testing.T) {
	for name, b := range map[string]*SideFiles{"an empty folder": besideScene(new(folder)), "no folder": NewSideFiles(source.NewBytes("scene.tif", nil), nil)} {
		noted, err := b.ReadPAM(t.Context(), 1, 1<<10)
		if noted != nil || err != nil {
			t.Errorf("%s: notes %+v, %v", name, noted, err)
		}
		world, err := b.WorldFile(t.Context())
		if world != nil || err != nil {
			t.Errorf("%s: a world file %+v, %v", name, world, err)
		}
		if len(b.Names()) > 0 || b.Versions() != "" {
			t.Errorf("%s: %q is used", name, b.Names())
		}
	}
}

func TestDamagedSideFiles(t *testing.T) {
	broken := errors.New("the disk is broken")
	long := strings.Repeat(" ", 70<<10)
	for _, test := range []struct {
		name  string
		files folder
		want  error
		used  int
	}{
		{"notes that are none", folder{files: map[string]string{"scene.tif.aux.xml": "<html/>"}}, nil, 1},
		{"notes that are too long", folder{files: map[string]string{"scene.tif.aux.xml": long}}, ErrLimit, 0},
		{"notes that cannot be read", folder{files: map[string]string{"scene.tif.aux.xml": ""}, failed: broken}, broken, 0},
		{"a world file of words", folder{files: map[string]string{"scene.tfw": "here and there"}}, ErrCorrupt, 1},
		{"a world file that is too long", folder{files: map[string]string{"scene.wld": long}}, ErrLimit, 0},
		{"a world file that cannot be read", folder{files: map[string]string{"scene.tfw": ""}, failed: broken}, broken, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := besideScene(&test.files)
			_, errNoted := b.ReadPAM(t.Context(), 1, 64<<10)
			_, errWorld := b.WorldFile(t.Context())
			err := errors.Join(errNoted, errWorld)
			if err == nil || test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
			if len(b.Names()) != test.used || test.files.open != 0 {
				t.Errorf("%q is used, %d files are open", b.Names(), test.files.open)
			}
			note, fatal := Note(t.Context(), err)
			if fatal != nil || !strings.HasPrefix(note, "the side file scene.") || !strings.Contains(note, " is skipped: ") {
				t.Errorf("the note is %q, %v", note, fatal)
			}
		})
	}
}

func TestNote(t *testing.T) {
	if note, fatal := Note(t.Context(), nil); note != "" || fatal != nil {
		t.Errorf("of no error: %q, %v", note, fatal)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	cancel(gone)
	if note, fatal := Note(ctx, errors.New("a world file")); note != "" || !errors.Is(fatal, gone) {
		t.Errorf("canceled: %q, %v", note, fatal)
	}
}
