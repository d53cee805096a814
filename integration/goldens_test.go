package integration

import (
	"math"
	"slices"

	"tileserver/decode/tiff/tifftest"
)

const (
	preview    = "/layers/{layer}/preview.png?max_size=160"
	aroundTile = "/tiles/{layer}/" + cornerTile + ".png"
)

// goldens returns one picture for each kind of file. The images are synthetic and the same
// everywhere: asymmetric shapes in front of a slow gradient. To add a picture, add a line to one
// of the tables.
func goldens() []golden {
	return slices.Concat(plainGoldens(), placedGoldens(), styledGoldens(), kindGoldens(), computedGoldens(), coloredGoldens())
}

// plainGoldens render files without style parameters.
func plainGoldens() []golden {
	rgb := tifftest.Image{Width: 131, Height: 97, Samples: 3, Value: scene}
	palette := tifftest.Image{Width: 131, Height: 97, Bits: 4, Palette: sixteenColors(), BlockHeight: 7, Compression: tifftest.PackBits,
		Value: func(x, y, _ int) float64 { return math.Floor(scene(x, y, 1) / 16) }}
	oneBit := tifftest.Image{Width: 131, Height: 97, Bits: 1, Photometric: tifftest.WhiteIsZero,
		Value: func(x, y, _ int) float64 { return bit(inLetter(x-15, y-45) || scene(x, y, 0) > 127) }}
	rgba := tifftest.Image{Width: 131, Height: 97, Samples: 4, ExtraSamples: []int{2}, Compression: tifftest.LZW, Predictor: 2, Tiled: true, BlockWidth: 48, BlockHeight: 32,
		Value: func(x, y, band int) float64 {
			if band == 3 {
				return float64(255 * x / 130)
			}
			return scene(x, y, band)
		}}
	planar := tifftest.Image{Width: 131, Height: 97, Bits: 16, Samples: 3, Planar: true, Compression: tifftest.Deflate, Predictor: 2, BlockHeight: 11,
		Value: func(x, y, band int) float64 { return 300 + 7*scene(x, y, band) }}
	deep := tifftest.Image{Width: 131, Height: 97, Bits: 16, NoData: "0", Compression: tifftest.ZSTD,
		Value: func(x, y, _ int) float64 { return bit(!inCircle(x, y, 30, 60, 20)) * (1000 + 40*scene(x, y, 1)) }}
	return []golden{
		{"rgb", tifftest.File{Images: []tifftest.Image{rgb}}, preview, 0},
		{"palette", tifftest.File{Images: []tifftest.Image{palette}}, preview, 0},
		{"one-bit", tifftest.File{BigEndian: true, Images: []tifftest.Image{oneBit}}, preview, 0},
		{"rgba", tifftest.File{Images: []tifftest.Image{rgba}}, preview, 0},
		{"planar-16-bit", tifftest.File{BigEndian: true, Images: []tifftest.Image{planar}}, preview, 1},
		{"16-bit-nodata", tifftest.File{BigTIFF: true, Images: []tifftest.Image{deep}}, preview, 1},
	}
}

// placedGoldens render files on the map.
func placedGoldens() []golden {
	masked := tifftest.Image{Width: 262, Height: 194, Samples: 3, Tiled: true, BlockWidth: 64, BlockHeight: 48, Compression: tifftest.Deflate,
		Value: func(x, y, band int) float64 { return scene(x/2, y/2, band) }, Tags: onTheMap()}
	mask := masked
	mask.Samples, mask.Bits, mask.Subfile, mask.Tags = 1, 1, tifftest.Mask, nil
	mask.Value = func(x, y, _ int) float64 { return bit(inCircle(x, y, 131, 97, 90)) }
	mercator := tifftest.Image{Width: 131, Height: 97, Samples: 3, Value: scene, Tags: onTheMap()}
	point := mercator
	point.Tags = tifftest.GeoTIFF(tifftest.Georeference{EPSG: 3857, OriginX: cornerX + resolution/2, OriginY: cornerY - resolution/2,
		PixelX: resolution, PixelY: resolution, PixelIsPoint: true})
	degrees := mercator
	degrees.Tags = tifftest.GeoTIFF(tifftest.Georeference{EPSG: 4326, Geographic: true, OriginX: 10, OriginY: 60, PixelX: 0.3, PixelY: 0.3})
	utm := mercator
	utm.Tags = tifftest.GeoTIFF(tifftest.Georeference{EPSG: 32633, OriginX: 500000, OriginY: 6900000, PixelX: 5000, PixelY: 5000})
	return []golden{
		{"mask-overviews", maskedFile(masked, mask), aroundTile, 1},
		{"mask-overviews-half", maskedFile(masked, mask), "/tiles/{layer}/11/1100/670.png", 1},
		{"mercator", tifftest.File{Images: []tifftest.Image{mercator}}, aroundTile, 1},
		{"pixel-is-point", tifftest.File{Images: []tifftest.Image{point}}, aroundTile, 1},
		{"degrees", tifftest.File{Images: []tifftest.Image{degrees}}, "/layers/{layer}/view.png?crs=EPSG:3857&bbox=1000000,3200000,5600000,8600000&width=150", 1},
		{"utm", tifftest.File{Images: []tifftest.Image{utm}}, "/layers/{layer}/view.png?crs=EPSG:4326&bbox=14,57,29,63&width=200&height=160", 1},
		{"rotated", tifftest.File{Images: []tifftest.Image{rotated(mercator)}}, aroundTile, 1},
	}
}

// styledGoldens render files in styles that a request may ask for.
func styledGoldens() []golden {
	dem := tifftest.Image{Width: 131, Height: 97, Bits: 32, Format: tifftest.Float, Predictor: 3, Compression: tifftest.Deflate, NoData: "-9999",
		Value: func(x, y, _ int) float64 {
			if x < 12 {
				return -9999
			}
			return 800 * math.Exp(-(math.Pow(float64(x-80), 2)+math.Pow(float64(y-40), 2))/900)
		}}
	below := tifftest.Image{Width: 131, Height: 97, Bits: 16, Format: tifftest.Signed, Value: func(x, y, _ int) float64 { return scene(x, y, 0) - 100 }}
	rgb := tifftest.Image{Width: 131, Height: 97, Samples: 3, Value: scene}
	return []golden{
		{"dem-colors", tifftest.File{Images: []tifftest.Image{dem}}, preview + "&colormap_name=viridis&rescale=0,800", 1},
		{"dem-stretched", tifftest.File{Images: []tifftest.Image{dem}}, preview, 1},
		{"signed-percentile", tifftest.File{Images: []tifftest.Image{below}}, preview + "&stretch=percentile:10,90", 1},
		{"bands-swapped", tifftest.File{Images: []tifftest.Image{rgb}}, preview + "&bidx=3,1,2&rescale=40,200", 1},
		{"cubic-zoom", tifftest.File{Images: []tifftest.Image{rgb}}, "/layers/{layer}/view.png?crs=image&bbox=10,40,50,70&width=160&resampling=cubic", 1},
		{"small-average", tifftest.File{Images: []tifftest.Image{rgb}}, "/layers/{layer}/preview.png?max_size=50&resampling=average", 1},
	}
}

// maskedFile returns an image with two overviews, each of them with a mask.
func maskedFile(img, mask tifftest.Image) tifftest.File {
	images := []tifftest.Image{img, mask}
	overviews, masks := tifftest.Overviews(img, 2), tifftest.Overviews(mask, 2)
	for i := range overviews {
		images = append(images, overviews[i], masks[i])
	}
	return tifftest.File{COG: true, Images: images}
}

// rotated rotates an image by 30 degrees around its upper left corner.
func rotated(img tifftest.Image) tifftest.Image {
	const modelPixelScale, modelTiepoint, modelTransformation = 33550, 33922, 34264
	sin, cos := math.Sincos(math.Pi / 6)
	img.Tags = append(onTheMap(),
		tifftest.Tag{ID: modelPixelScale}, tifftest.Tag{ID: modelTiepoint},
		tifftest.Tag{ID: modelTransformation, Value: []float64{
			cos * resolution, sin * resolution, 0, cornerX + 60*resolution,
			sin * resolution, -cos * resolution, 0, cornerY - 70*resolution,
			0, 0, 0, 0,
			0, 0, 0, 1,
		}})
	return img
}

// scene computes a sample of an image of 131 x 97 pixels in which no two parts are alike: a
// gradient, a disk at the upper right, a letter F at the lower left, a frame.
func scene(x, y, band int) float64 {
	switch {
	case x == 0 || y == 0 || x == 130 || y == 96:
		return 255
	case inCircle(x, y, 95, 30, 18):
		return [...]float64{230, 60, 40}[band]
	case inLetter(x-15, y-45):
		return [...]float64{20, 20, 60}[band]
	}
	return [...]float64{40 + float64(x), 60 + 1.5*float64(y), 220 - float64(x+y)*0.7}[band]
}

func inCircle(x, y, centerX, centerY, radius int) bool {
	dx, dy := x-centerX, y-centerY
	return dx*dx+dy*dy <= radius*radius
}

func inLetter(x, y int) bool {
	stem := x >= 0 && x < 8 && y >= 0 && y < 40
	arms := x >= 0 && x < 26 && y >= 0 && y < 8 || x >= 0 && x < 20 && y >= 16 && y < 24
	return stem || arms
}

func bit(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

// sixteenColors returns a palette from blue over white to red.
func sixteenColors() [][3]uint16 {
	var colors [][3]uint16
	for i := range 16 {
		up := uint16(min(i, 8) * 0x1FFF)
		down := uint16(min(15-i, 7) * 0x2492)
		colors = append(colors, [3]uint16{up, min(up, down), down})
	}
	return colors
}
