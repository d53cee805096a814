// Contactsheet renders every raster below a folder in the server's default style, for people to
// look through. It writes sheets of small pictures with their names. An image that cannot be
// shown gets a red box with the error. The command must not know how a picture is rendered.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	into := flag.String("o", "contact-sheet", "folder of the sheets")
	usual := cmp.Or(os.Getenv("TILESERVER_TESTDATA"), filepath.Join("..", "shared", "testdata"))
	from := flag.String("from", usual, "folder of the rasters")
	flag.Parse()
	studio := newStudio()
	paths, err := rasters(*from, studio.opener.Formats.HasExtension)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(*into, 0o755); err != nil {
		return err
	}
	var entries []entry
	for ; len(paths) > 0 && ctx.Err() == nil; paths = paths[1:] {
		entries = append(entries, studio.entries(ctx, *from, paths[0])...)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return writeSheets(*into, entries)
}

func writeSheets(folder string, entries []entry) error {
	sheets := 0
	for part := range slices.Chunk(entries, picturesPerSheet) {
		sheets++
		path := filepath.Join(folder, fmt.Sprintf("sheet-%02d.png", sheets))
		if err := writePicture(path, drawSheet(part)); err != nil {
			return err
		}
		fmt.Printf("%s: from %s to %s\n", path, part[0].name, part[len(part)-1].name)
	}
	return nil
}

// rasters returns the paths of all rasters below a folder, by their names.
func rasters(folder string, isRaster func(name string) bool) (paths []string, err error) {
	err = filepath.WalkDir(folder, func(path string, item fs.DirEntry, err error) error {
		if err == nil && !item.IsDir() && isRaster(item.Name()) {
			paths = append(paths, path)
		}
		return err
	})
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("no raster below %s", folder)
	}
	return paths, err
}

func writePicture(path string, picture image.Image) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(file, picture), file.Close())
}
