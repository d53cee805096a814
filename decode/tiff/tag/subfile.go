package tag

import "tileserver/decode/tiff/ifd"

// The bits of the tag NewSubfileType, which tells overviews and masks from images.
const (
	Reduced = 1
	Mask    = 4
)

// SubfileOf returns the NewSubfileType of a directory, or its equivalent for the older tag
// SubfileType.
func SubfileOf(d *ifd.Directory) uint64 {
	const oldReduced = 2
	if d.Entry(NewSubfileType) == nil && d.Uint(SubfileType, 0) == oldReduced {
		return Reduced
	}
	return d.Uint(NewSubfileType, 0)
}
