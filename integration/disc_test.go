package integration

import (
	"fmt"
	"image"
	"image/color"
	"maps"
	"math"
	"path"
	"strings"
	"testing"

	_ "golang.org/x/image/webp"

	"tileserver/decode/tiff/tifftest"
)

// A white disc lies on nodata, in a grid other than the map's. The nodata samples are black. They
// must never show at the edge of the disc. The file is so wide that two overviews are built if it
// has none. The disc lies across borders of tiles, in few tiles.
const (
	discWidth, discHeight    = 1031, 233
	discX, discY, discRadius = 520, 117, 61
	discPixel                = 1.37 * resolution
	discLevels               = 2 // the number of overviews, if the file has any

	darkest = 250 // the minimum of a channel of the visible disc
)

// discFile returns a file with the disc. said is how it marks nodata: "nodata", "alpha" or "mask".
func discFile(said string, overviews int) tifftest.File {
	var file tifftest.File
	for level := range overviews + 1 {
		img, mask := discImage(said, level)
		file.Images = append(file.Images, img)
		if said == "mask" {
			file.Images = append(file.Images, mask)
		}
	}
	return file
}

// discImage returns a level of the disc as a good writer of overviews computes it: pixels that the
// disc covers in part are white. All others are black.
func discImage(said string, level int) (img, mask tifftest.Image) {
	side := 1 << level
	share := func(x, y int) float64 { return discShare(x, y, side) }
	img = tifftest.Image{
		Width: (discWidth + side - 1) / side, Height: (discHeight + side - 1) / side, Samples: 3,
		Tiled: true, BlockWidth: 64, BlockHeight: 48, Compression: tifftest.Deflate,
		Value: func(x, y, _ int) float64 { return 255 * bit(share(x, y) > 0) },
	}
	if level == 0 {
		img.Tags = tifftest.GeoTIFF(tifftest.Georeference{EPSG: 3857, OriginX: cornerX + 0.3*resolution, OriginY: cornerY - 0.6*resolution, PixelX: discPixel, PixelY: discPixel})
	} else {
		img.Subfile = tifftest.Overview
	}
	mask = img
	mask.Samples, mask.Bits, mask.Subfile, mask.Tags = 1, 1, mask.Subfile|tifftest.Mask, nil
	mask.Value = func(x, y, _ int) float64 { return bit(share(x, y) > 0) }
	switch said {
	case "nodata":
		img.NoData = "0"
	case "alpha":
		img.Samples, img.ExtraSamples = 4, []int{2}
		img.Value = func(x, y, band int) float64 {
			if band == 3 {
				return 255 * share(x, y)
			}
			return 255 * bit(share(x, y) > 0)
		}
	}
	return img, mask
}

// discShare returns the share of an overview's pixel that the disc covers.
func discShare(x, y, side int) float64 {
	inside := 0
	for dy := range side {
		for dx := range side {
			if inCircle(x*side+dx, y*side+dy, discX, discY, discRadius) {
				inside++
			}
		}
	}
	return float64(inside) / float64(side*side)
}

// serveDiscs serves the disc in all kinds of files, and returns the ids of their layers. Building
// the overviews of the "built" layers is slow, so all subtests share one server.
func serveDiscs(t *testing.T) (s *server, layers []string) {
	folder := t.TempDir()
	configuration := "layers:\n"
	for _, said := range []string{"nodata", "alpha", "mask"} {
		plain := writeTIFF(t, folder, said+".tif", discFile(said, 0))
		built := writeTIFF(t, folder, said+"-built.tif", discFile(said, 0))
		stored := writeTIFF(t, folder, said+"-overviews.tif", discFile(said, discLevels))
		for _, layer := range []struct{ id, path, more string }{
			{said, plain, ""}, {said + "-built", built, ", max_making: 64KiB"}, {said + "-overviews", stored, ""},
		} {
			configuration += fmt.Sprintf("  - {id: %s, path: '%s'%s}\n", layer.id, layer.path, layer.more)
			layers = append(layers, layer.id)
		}
	}
	return start(t, "serve", "--config", writeFile(t, folder, "tileserver.yaml", []byte(configuration))), layers
}

// discAddresses returns all tiles of a layer that contain the disc: those on the map, from coarse
// to fine, and those in the pixels of the image.
func discAddresses(layer string) (addresses []string) {
	const west, north = cornerX + worldWidth/2, worldWidth/2 - cornerY // distance of the file from the corner of the world
	tiles := func(set string, z int, left, top, pixel float64) {       // pixel: the size of a file's pixel, in pixels of the tiles
		first := func(corner float64, center int) int { return int((corner + float64(center-discRadius)*pixel) / 256) }
		last := func(corner float64, center int) int { return int((corner + float64(center+discRadius)*pixel) / 256) }
		for x := first(left, discX); x <= last(left, discX); x++ {
			for y := first(top, discY); y <= last(top, discY); y++ {
				addresses = append(addresses, fmt.Sprintf("/tiles/%s/%s%d/%d/%d.", layer, set, z, x, y))
			}
		}
	}
	for z := 8; z <= 13; z++ {
		perMeter := math.Ldexp(1, z-12) / resolution
		tiles("", z, west*perMeter, north*perMeter, discPixel*perMeter)
	}
	for z := range 4 {
		tiles("image/", z, 0, 0, math.Ldexp(1, z-3))
	}
	return addresses
}

// lookAtDisc requests all addresses of a layer and passes the color of each pixel to isRight. It
// fails if the disc is invisible at any zoom of the map or of the image.
func lookAtDisc(t *testing.T, s *server, layer, ending string, isRight func(c color.NRGBA) bool) {
	t.Helper()
	zooms, seen := make(map[string]bool), make(map[string]bool)
	for _, address := range discAddresses(layer) {
		picture := getPicture(t, s.maps+address+ending).(image.RGBA64Image)
		zoom := path.Dir(path.Dir(address))
		zooms[zoom] = true
		var last color.RGBA64 // skips repeated colors, since most pixels equal the one before
		for y := range picture.Bounds().Dy() {
			for x := range picture.Bounds().Dx() {
				stored := picture.RGBA64At(x, y)
				if stored == last && x > 0 {
					continue
				}
				last = stored
				c := straight(stored)
				seen[zoom] = seen[zoom] || c.A > 0
				if !isRight(c) {
					t.Fatalf("%s%s: %v at %d, %d", address, ending, c, x, y)
				}
			}
		}
	}
	if !maps.Equal(seen, zooms) {
		t.Errorf("of the zooms %v, the disc is visible only at %v", zooms, seen)
	}
}

// straight converts a color to eight bits without premultiplied alpha.
func straight(c color.RGBA64) color.NRGBA {
	if c.A == 0 {
		return color.NRGBA{}
	}
	channel := func(v uint16) uint8 { return uint8(uint32(v) * math.MaxUint16 / uint32(c.A) >> 8) }
	return color.NRGBA{channel(c.R), channel(c.G), channel(c.B), uint8(c.A >> 8)}
}

func isWhite(c color.NRGBA) bool { return min(c.R, c.G, c.B) >= darkest }

func TestAWhiteDisc(t *testing.T) {
	t.Parallel() // it computes while others wait
	s, layers := serveDiscs(t)
	t.Run("on nothing has no dark edge", func(t *testing.T) { testDiscOnNothing(t, s, layers) })
	t.Run("on a background has colors between", func(t *testing.T) { testDiscOnBackground(t, s, layers) })
	if got := s.metric(t, "tileserver_overviews_built_total"); got < 3 {
		t.Errorf("the overviews of %d layers were built, want 3", got)
	}
}

func testDiscOnNothing(t *testing.T, s *server, layers []string) {
	for _, layer := range layers {
		for _, ending := range []string{
			"png?resampling=nearest", "png?resampling=bilinear", "png?resampling=cubic", "png?resampling=lanczos", "png?resampling=average",
			"webp?lossless=true&resampling=cubic",
		} {
			t.Run(layer+" "+ending, func(t *testing.T) {
				clear, soft := 0, 0
				lookAtDisc(t, s, layer, ending, func(c color.NRGBA) bool {
					if c.A == 0 {
						clear++
						return true
					}
					soft += int(1 - c.A/255)
					return isWhite(c)
				})
				if isSoft := !strings.HasSuffix(ending, "nearest"); clear == 0 || isSoft && soft == 0 {
					t.Errorf("%d pixels are transparent, %d partly", clear, soft)
				}
			})
		}
	}
}

// JPEG has no transparency, so the edge goes from white to the background. JPEG's ringing around
// edges is small at this quality.
func testDiscOnBackground(t *testing.T, s *server, layers []string) {
	const waves = 12
	for _, layer := range layers {
		const ending = "jpg?quality=100&subsampling=444&resampling=cubic"
		t.Run(layer, func(t *testing.T) {
			lookAtDisc(t, s, layer, ending, isWhite)
			background := 0
			lookAtDisc(t, s, layer, ending+"&background=%23ff4000", func(c color.NRGBA) bool {
				if c.B < waves {
					background++
				}
				green := 0x40 + int(c.B)*(255-0x40)/255 // on the line from the background to white
				return c.R >= 255-waves && max(int(c.G)-green, green-int(c.G)) <= waves
			})
			if background == 0 {
				t.Error("no pixel shows the background")
			}
		})
	}
}
