package main

import (
	"tileserver/decode/tiff"
	"tileserver/pyramid/recolor"
	"tileserver/raster"
)

// undisplayable says why no picture can be made of the samples of an image, if
// none can. They can be read all the same.
func undisplayable(image *tiff.Image) error {
	if info := image.Info(); info.Colors.Space != raster.RGB {
		return recolor.Check(info)
	}
	return image.Undisplayable()
}
