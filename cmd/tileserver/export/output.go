package export

import (
	"context"
	"path/filepath"
	"strings"

	"tileserver/archive"
	"tileserver/archive/folder"
	"tileserver/archive/mbtiles"
	"tileserver/archive/pmtiles"
	"tileserver/cmd/tileserver/usage"
	"tileserver/layer"
	"tileserver/layer/tilesets"
)

// The extensions of archives.
const (
	pmtilesExtension = ".pmtiles"
	mbtilesExtension = ".mbtiles"
)

// extensionOf returns the extension of an output, in lower case.
func extensionOf(out string) string { return strings.ToLower(filepath.Ext(out)) }

// checkKind returns an error for an output that cannot be written.
func (o *Options) checkKind(out string) error {
	switch extensionOf(out) {
	case pmtilesExtension, mbtilesExtension:
		if o.tileSet != tilesets.DefaultID {
			return usage.Unusablef("%s: archives have tiles of %s only; write those of --tms %s to a folder", out, tilesets.DefaultID, o.tileSet)
		}
	case ".zip", ".tar", ".tif", ".png", ".jpg", ".webp":
		return usage.Unusablef("%s: export writes to a folder, or to a file whose name ends in %s or %s", out, pmtilesExtension, mbtilesExtension)
	}
	return nil
}

// create returns what begins the output of tiles at a path.
func (r *Run) create(ctx context.Context, t *tiles) func(path string) (archive.Writer, error) {
	about, memory := t.describe(), int64(r.Options.Memory)/joiningPart
	if len(r.Files) > 0 {
		about.Name = filepath.Base(about.Name) // who reads the archive is not told the folders of this machine
	}
	switch extensionOf(r.Out) {
	case pmtilesExtension:
		return func(path string) (archive.Writer, error) {
			return writer(pmtiles.Create(path, pmtiles.Options{Description: about, MemoryBytes: memory}))
		}
	case mbtilesExtension:
		return func(path string) (archive.Writer, error) {
			return writer(mbtiles.Create(ctx, path, mbtiles.Options{Description: about, MemoryBytes: memory}))
		}
	}
	isAnyGrid := r.Options.tileSet != tilesets.DefaultID
	if isAnyGrid && about.Bounds == (archive.Bounds{}) {
		about.Bounds = archive.Bounds{West: -180, South: -archive.MaxLatitude, East: 180, North: archive.MaxLatitude}
	}
	return func(path string) (archive.Writer, error) {
		return writer(folder.Create(path, folder.Options{Description: about, IsAnyGrid: isAnyGrid}))
	}
}

// writer returns the writer of an archive, and none after an error.
func writer[W archive.Writer](w W, err error) (archive.Writer, error) {
	if err != nil {
		return nil, err
	}
	return w, nil
}

// joiningPart divides --memory into what is remembered of the tiles of an archive.
const joiningPart = 8

// describe returns what an archive says of the tiles.
func (t *tiles) describe() archive.Description {
	first := t.layers[0]
	d := archive.Description{
		Name: first.Title(), Summary: first.Abstract(), Attribution: first.Attribution(), IsOverlay: true, Bounds: t.bounds(),
	}
	if results := t.format.Results(); len(results) == 1 {
		d.Format = archive.FormatNamed(results[0].Extension())
		d.IsOverlay = t.format != layer.JPEG
	}
	return d
}

// bounds returns what the layers cover, or nothing if that is not an area between the ends of the map.
func (t *tiles) bounds() (bounds archive.Bounds) {
	union := t.layers[0].Describe().Bounds
	for _, l := range t.layers[1:] {
		union = union.Union(l.Describe().Bounds)
	}
	if t.hasBox {
		union = union.Intersect(t.box)
	}
	bounds = archive.Bounds{West: union.MinX, South: union.MinY, East: union.MaxX, North: union.MaxY}
	if bounds.Check() != nil {
		return archive.Bounds{}
	}
	return bounds
}
