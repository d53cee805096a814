package container

import (
	"tileserver/raster"
	"tileserver/raster/recolor"
)

// CheckDisplayable returns why the samples of an image cannot be rendered, although they can be
// read; nil if they can.
func CheckDisplayable(m Image) error {
	if info := m.Info(); info.Colors.Space != raster.RGB {
		return recolor.Check(info)
	}
	return m.Undisplayable()
}
