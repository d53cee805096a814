package cog_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"tileserver/encode/blocks"
	"tileserver/encode/cog"
	"tileserver/geo"
	"tileserver/raster"
)

// A gray image with its overviews, whose blocks may come in any order and from several goroutines.
func Example() {
	img := &cog.Image{
		Info: raster.Info{
			Type:   raster.Uint8,
			Bands:  []raster.Band{{Color: raster.Gray, NoData: 255, HasNoData: true}},
			Levels: cog.Levels(1000, 700, 512),
		},
		Coding: blocks.Coding{Compression: blocks.ZSTD},
		Place: &cog.Place{
			Transform: &geo.Affine{A: 10, C: 500_000, E: -10, F: 4_500_000},
			Keys:      cog.RegisteredKeys(32633, false),
		},
	}
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	w, err := cog.Create(filepath.Join(folder, "out.tif"), img)
	if err != nil {
		fmt.Println(err)
		return
	}
	for level, l := range img.Info.Levels {
		for _, id := range l.Covering(l.Bounds()) {
			rect := l.Block(id)
			tile := raster.NewBuffer(raster.Uint8, rect.Width(), rect.Height(), 1).Freeze()
			if err := w.Put(level, id, tile); err != nil {
				fmt.Println(errors.Join(err, w.Abort()))
				return
			}
		}
	}
	fmt.Println(len(img.Info.Levels), "levels,", w.Finish(context.Background()))
	// Output: 2 levels, <nil>
}
