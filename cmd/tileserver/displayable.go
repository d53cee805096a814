package main

import (
	"tileserver/pyramid/recolor"
	"tileserver/raster"
)

// undisplayable says why no picture can be made of the samples of an image, if
// none can. They can be read all the same.
func undisplayable(m page) error {
	if info := m.Info(); info.Colors.Space != raster.RGB {
		return recolor.Check(info)
	}
	return m.Undisplayable()
}
