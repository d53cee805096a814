package http_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"testing"

	"tileserver/layer"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// plainWidth and plainHeight are the size of the layer "plain".
const plainWidth, plainHeight = 601, 499

// halved returns the length of a side after it was halved repeatedly, rounded up.
func halved(pixels, halvings int) int { return (pixels + 1<<halvings - 1) >> halvings }

// stitched joins tiles of any size. name returns the address of a tile.
func (w *world) stitched(t *testing.T, width, height, side int, name func(column, row int) string) *image.NRGBA {
	t.Helper()
	whole := image.NewNRGBA(image.Rect(0, 0, width, height))
	for row := 0; row*side < height; row++ {
		for column := 0; column*side < width; column++ {
			tile, _ := decodeImage(t, w.get(t, name(column, row)))
			at := image.Rect(column*side, row*side, min(width, (column+1)*side), min(height, (row+1)*side))
			if tile.Bounds().Size() != at.Size() {
				t.Fatalf("%s is %v, want %v", name(column, row), tile.Bounds(), at.Size())
			}
			draw.Draw(whole, at, tile, tile.Bounds().Min, draw.Src)
		}
	}
	return whole
}

// checkAgainstView compares an image, halved repeatedly, with a view of the same area. It ignores
// pixels that the layer covers partly.
func (w *world) checkAgainstView(t *testing.T, whole image.Image, id string, halvings int) {
	t.Helper()
	width, height := plainWidth>>halvings, plainHeight>>halvings
	path := fmt.Sprintf("/layers/%s/view.png?crs=image&bbox=0,0,%d,%d&width=%d&height=%d", id, width<<halvings, height<<halvings, width, height)
	view, _ := decodeImage(t, w.get(t, path))
	if at, ok := firstDifference(whole, view, view.Bounds()); ok {
		t.Fatalf("halved %d times, at %v: %v, the view has %v", halvings, at, whole.At(at.X, at.Y), view.At(at.X, at.Y))
	}
}

func firstDifference(a, b image.Image, within image.Rectangle) (at image.Point, ok bool) {
	for y := within.Min.Y; y < within.Max.Y; y++ {
		for x := within.Min.X; x < within.Max.X; x++ {
			if color.NRGBAModel.Convert(a.At(x, y)) != color.NRGBAModel.Convert(b.At(x, y)) {
				return image.Pt(x, y), true
			}
		}
	}
	return image.Point{}, false
}

var solidColor = color.NRGBA{50, 110, 170, 255}

// solid is a layer of one color whose sides are odd on many levels.
func solid(id string, width, height int) scene {
	info := rastertest.Flat(raster.Uint8, width, height, 3, 128, 64)
	for i, color := range []raster.Color{raster.Red, raster.Green, raster.Blue} {
		info.Bands[i].Color = color
	}
	source := &rastertest.Synthetic{Name: id + "@1", Has: info, Sample: func(_, band, _, _ int) (float64, bool) { return float64(50 + 60*band), true }}
	return scene{config: layer.Config{ID: id}, provider: source}
}

func checkSolid(t *testing.T, name string, shown image.Image) {
	t.Helper()
	if at, ok := firstDifference(shown, image.NewUniform(solidColor), shown.Bounds()); ok {
		t.Errorf("%s: %v at %v", name, shown.At(at.X, at.Y), at)
	}
}
