package main

import (
	"errors"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

func TestEntries(t *testing.T) {
	folder := t.TempDir()
	red := tifftest.Image{Width: 7, Height: 3, Samples: 3, Value: func(_, _, band int) float64 { return [...]float64{200, 10, 20}[band] }}
	blue := red
	blue.Value = func(_, _, band int) float64 { return [...]float64{10, 20, 200}[band] }
	data, err := tifftest.File{Images: []tifftest.Image{red, blue}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"a/two.tif": data, "b/broken.TIFF": data[:40], "b/notes.txt": data} {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, content, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	studio := newStudio()
	paths, err := rasters(folder, studio.opener.Formats.HasExtension)
	if err != nil || len(paths) != 2 {
		t.Fatalf("found %v, %v", paths, err)
	}
	entries := append(studio.entries(t.Context(), folder, paths[0]), studio.entries(t.Context(), folder, paths[1])...)
	if len(entries) != 3 {
		t.Fatalf("%d entries: %v", len(entries), entries)
	}
	for i, want := range []struct {
		name   string
		inside color.RGBA // in the middle of its frame on the sheet
	}{
		{"a/two.tif", color.RGBA{200, 10, 20, 255}},
		{"a/two.tif#2", color.RGBA{10, 20, 200, 255}},
		{"b/broken.TIFF", color.RGBA(alarm)},
	} {
		middle := image.Pt(i*cellWidth+cellWidth/2, margin+pictureSide/2)
		if got := drawSheet(entries).At(middle.X, middle.Y); entries[i].name != want.name || got != want.inside {
			t.Errorf("%s is %v, want %s to be %v", entries[i].name, got, want.name, want.inside)
		}
	}
	if entries[2].err == nil {
		t.Error("a file cut off gave no error")
	}
}

func TestAFolderWithoutRastersIsAnError(t *testing.T) {
	if paths, err := rasters(t.TempDir(), newStudio().opener.Formats.HasExtension); err == nil {
		t.Errorf("found %v", paths)
	}
}

func TestTextStaysInItsBox(t *testing.T) {
	sheet := image.NewRGBA(image.Rect(0, 0, 200, 60))
	box := image.Rect(10, 5, 10+pictureSide, 5+2*lineHeight)
	write(sheet, box, "a sentence that is far longer than two lines of a box of so few letters can be")
	inked := 0
	for y := range 60 {
		for x := range 200 {
			if sheet.RGBAAt(x, y).A == 0 {
				continue
			}
			inked++
			if !image.Pt(x, y).In(box.Inset(-1)) {
				t.Fatalf("ink at %d, %d, outside of %v", x, y, box)
			}
		}
	}
	if inked == 0 {
		t.Error("nothing was written")
	}
}
