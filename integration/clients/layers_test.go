package clients

import (
	"image/color"
	"math"
	"os"
	"path/filepath"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// knownLayers returns the test layers. Their pixels are functions of their position.
func knownLayers() map[string]tifftest.Image {
	return map[string]tifftest.Image{
		mercator.id: mercator.image(tifftest.GeoTIFF(tifftest.Georeference{
			EPSG: 3857, PixelX: mercatorResolution, PixelY: mercatorResolution,
			OriginX: (mercatorLeft - mercatorSide/2) * mercatorResolution,
			OriginY: (mercatorSide/2 - mercatorTop) * mercatorResolution,
		})),
		utm.id: utm.image(tifftest.GeoTIFF(tifftest.Georeference{
			EPSG: 32633, PixelX: utmResolution, PixelY: utmResolution, OriginX: utmWest, OriginY: utmNorth,
		})),
		nowhere.id: nowhere.image(nil),
		heights.id: heights.image(tifftest.GeoTIFF(tifftest.Georeference{
			EPSG: 3857, PixelX: mercatorResolution, PixelY: mercatorResolution,
			OriginX: (heightsLeft - mercatorSide/2) * mercatorResolution,
			OriginY: (mercatorSide/2 - heightsTop) * mercatorResolution,
		})),
	}
}

// The layer "mercator" has the pixel size of a level of WebMercatorQuad. Its corner is on the pixel
// grid of that level, but not on a corner of a tile.
const (
	mercatorZoom       = 12
	mercatorSide       = 256 << mercatorZoom // width of the world in pixels
	worldWidth         = 40075016.68557849   // meters of EPSG:3857
	mercatorResolution = worldWidth / mercatorSide
	mercatorLeft       = 2200*256 + 37 // column on that level
	mercatorTop        = 1340*256 + 91 // row on that level
)

// The layer "heights" has another corner on the same level.
const (
	heightsLeft = 2204*256 + 10
	heightsTop  = 1338*256 + 20
)

// The layer "utm" lies around the central meridian of zone 33, in the northern hemisphere.
const (
	utmResolution = 20.0
	utmWest       = 494000.0
	utmNorth      = 6004000.0
)

// knownLayer describes an image whose samples are a function of their position.
type knownLayer struct {
	id            string
	width, height int
	samples, bits int
	format        tifftest.Format
	value         func(x, y, band int) float64
}

var (
	// Each pixel has a unique color.
	mercator = knownLayer{id: "mercator", width: 701, height: 499, samples: 3, bits: 8, value: func(x, y, band int) float64 {
		return [...]float64{float64(x % 256), float64(y % 256), float64(x/256*80 + y/256*40)}[band]
	}}
	// The colors vary slowly, so that interpolated colors are known, too.
	utm = knownLayer{id: "utm", width: 601, height: 421, samples: 3, bits: 8, value: waves}
	// This layer has no place on the earth.
	nowhere = knownLayer{id: "nowhere", width: 1031, height: 517, samples: 3, bits: 8, value: waves}
	// Heights in meters rise to the southeast.
	heights = knownLayer{id: "heights", width: 777, height: 555, samples: 1, bits: 32, format: tifftest.Float, value: func(x, y, _ int) float64 {
		return float64(x) + float64(y)/2
	}}
)

// waves computes samples that rise and fall linearly to the right and downwards, a little per
// pixel.
func waves(x, y, band int) float64 {
	return math.Floor([...]float64{wave(float64(x)), wave(float64(y)), 60}[band])
}

// wave falls linearly from 240 to 0 and rises back within 128 pixels.
func wave(place float64) float64 { return 240 * math.Abs(math.Mod(place, 128)/64-1) }

func (k knownLayer) image(tags []tifftest.Tag) tifftest.Image {
	return tifftest.Image{
		Width: k.width, Height: k.height, Samples: k.samples, Bits: k.bits, Format: k.format, Value: k.value, Tags: tags,
		Tiled: true, BlockWidth: 128, BlockHeight: 64, Compression: tifftest.Deflate,
	}
}

// behind is the background color of the test pages. It shows through transparent pictures.
var behind = color.NRGBA{255, 0, 255, 255}

// at returns the color of a pixel, or the background outside of the layer.
func (k knownLayer) at(x, y int) color.NRGBA {
	if x < 0 || y < 0 || x >= k.width || y >= k.height {
		return behind
	}
	return color.NRGBA{uint8(k.value(x, y, 0)), uint8(k.value(x, y, 1)), uint8(k.value(x, y, 2)), 255}
}

func writeTIFF(t testing.TB, folder, name string, image tifftest.Image) {
	t.Helper()
	file := tifftest.File{Images: append([]tifftest.Image{image}, tifftest.Overviews(image, 2)...)}
	data, err := file.Encode()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	writeFile(t, filepath.Join(folder, name), data)
}

func writeFile(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
