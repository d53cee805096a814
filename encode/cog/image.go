// Package cog writes cloud-optimized GeoTIFFs, laid out as GDAL's COG driver does: what describes the
// file first, then all directories from the full image to the smallest overview, the arrays that tell
// where blocks are, and the blocks, those of the smallest overview first. It takes the blocks of all
// levels in any order. Commands that make files call it. It must never know where pixels come from.
//
// Words: a *directory* describes the image or the mask of one level. A *record* is what the file has of
// one block: the encoded image, then its mask, each between its size and its last bytes.
package cog

import (
	"errors"

	"tileserver/encode/blocks"
	"tileserver/geo"
	"tileserver/raster"
)

// ErrImage is wrapped by every error about an Image that cannot be written as described.
var ErrImage = errors.New("the image cannot be a COG")

// An Image describes what to write, and how. It must not change while it is written.
type Image struct {
	// Info has the type, the bands, and the levels, whose blocks are all of one size. Pixels are written
	// as they are, so it has no orientation. Masked adds a mask to each block.
	Info raster.Info

	Coding   blocks.Coding
	Place    *Place // nil if unknown
	Metadata []Item // beside what Info says of bands

	// RPC holds the rational polynomials of the sensor, the 92 numbers of the tag
	// RPCCoefficientTag, or nil.
	RPC []float64

	// Sparse leaves out blocks without any valid pixel, if the file says in another way that they have
	// none: by nodata, a mask or opacity.
	Sparse bool

	// Big makes a BigTIFF of a file that could be a TIFF.
	Big bool
}

// A Place is where an image lies on the earth.
type Place struct {
	Transform *geo.Affine        // nil if the points place the image
	Points    []geo.ControlPoint // if there is no transform
	Keys      GeoKeys
}

// GeoKeys are the values of the tags GeoKeyDirectory, GeoDoubleParams and GeoAsciiParams.
type GeoKeys struct {
	Directory []uint16
	Doubles   []float64
	ASCII     string
}

// An Item is an item of GDAL's metadata.
type Item struct {
	Band        int // from 1; 0 for the image
	Domain      string
	Name, Value string
	role        string
}

// Levels returns the levels of an image: its full size, and halves of it until one fits into a block.
func Levels(width, height, blockSide int) []raster.Level {
	var levels []raster.Level
	for factor := 1; ; factor *= 2 {
		level := raster.Level{
			Width: ceilDiv(width, factor), Height: ceilDiv(height, factor), BlockWidth: blockSide, BlockHeight: blockSide,
			ScaleX: float64(factor), ScaleY: float64(factor),
		}
		levels = append(levels, level)
		if level.Width <= blockSide && level.Height <= blockSide {
			return levels
		}
	}
}

func ceilDiv(a, b int) int { return (a-1)/b + 1 }

// shape returns what the blocks of all levels have in common.
func (img *Image) shape() blocks.Shape {
	first := &img.Info.Levels[0]
	return blocks.Shape{Width: first.BlockWidth, Height: first.BlockHeight, Samples: len(img.Info.Bands), Type: img.Info.Type}
}

// noData returns the nodata that the bands share, or false.
func (img *Image) noData() (value float64, ok bool) {
	for i := range img.Info.Bands {
		if b := &img.Info.Bands[i]; b.HasNoData {
			return b.NoData, true
		}
	}
	return 0, false
}

// saysWhatIsValid reports whether blocks that are left out are read as pixels that are not valid.
func (img *Image) saysWhatIsValid() bool {
	_, hasNoData := img.noData()
	return hasNoData || img.Info.Masked || img.Info.Alpha() >= 0
}
