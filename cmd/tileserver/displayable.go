package main

import (
	"tileserver/decode/container"
	"tileserver/raster"
	"tileserver/raster/recolor"
)

// undisplayable returns why the samples of an image cannot be rendered, although they can be read;
// nil if they can.
func undisplayable(m container.Image) error {
	if info := m.Info(); info.Colors.Space != raster.RGB {
		return recolor.Check(info)
	}
	return m.Undisplayable()
}
