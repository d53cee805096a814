package pmtiles_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"tileserver/archive"
	"tileserver/archive/pmtiles"
	"tileserver/cache"
	"tileserver/source/local"
	"tileserver/source/ranges"
)

// An export gives tiles to any archive.Writer, and a layer asks any archive.Reader for them.
func Example() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path, ctx := filepath.Join(folder, "map.pmtiles"), context.Background()

	w, err := pmtiles.Create(path, pmtiles.Options{Description: archive.Description{Name: "A map", Format: archive.PNG}})
	if err != nil {
		log.Fatal(err)
	}
	defer w.Discard() // does nothing after Finish
	tiles := []archive.Tile{{Position: archive.Position{Zoom: 3, X: 5, Y: 2}, Content: []byte("a picture")}}
	if err := errors.Join(w.Put(ctx, tiles), w.Finish(ctx)); err != nil {
		log.Fatal(err)
	}

	file, err := local.Open(path, ranges.Options{}) // or a file on the web
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	reader, err := pmtiles.Open(ctx, file, pmtiles.NewDirectories(cache.New(1<<20)))
	if err != nil {
		log.Fatal(err)
	}
	contents, err := reader.Tiles(ctx, []archive.Position{{Zoom: 3, X: 5, Y: 2}, {Zoom: 3}})
	fmt.Printf("%s: %s, %t, %v\n", reader.Description().Name, contents[0], contents[1] == nil, err)
	// Output: A map: a picture, true, <nil>
}
