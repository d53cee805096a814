package servertest

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"testing"
)

// PlainWidth and PlainHeight are the size of the layers "plain" and "map". Halved repeatedly, they
// are odd on many levels.
const PlainWidth, PlainHeight = 601, 499

// Halved returns the length of a side after it was halved repeatedly, rounded up.
func Halved(pixels, halvings int) int { return (pixels + 1<<halvings - 1) >> halvings }

// Stitch joins tiles of any size. address returns the address of a tile.
func (s *Server) Stitch(t testing.TB, width, height, side int, address func(column, row int) string) *image.NRGBA {
	t.Helper()
	whole := image.NewNRGBA(image.Rect(0, 0, width, height))
	for row := 0; row*side < height; row++ {
		for column := 0; column*side < width; column++ {
			tile, _ := DecodeImage(t, s.Get(t, address(column, row)))
			at := image.Rect(column*side, row*side, min(width, (column+1)*side), min(height, (row+1)*side))
			if tile.Bounds().Size() != at.Size() {
				t.Fatalf("%s is %v, want %v", address(column, row), tile.Bounds(), at.Size())
			}
			draw.Draw(whole, at, tile, tile.Bounds().Min, draw.Src)
		}
	}
	return whole
}

// CheckAgainstView compares an image, halved repeatedly, with a view of the same area. It ignores
// pixels that the layer covers partly.
func (s *Server) CheckAgainstView(t testing.TB, whole image.Image, id string, halvings int) {
	t.Helper()
	width, height := PlainWidth>>halvings, PlainHeight>>halvings
	path := fmt.Sprintf("/layers/%s/view.png?crs=image&bbox=0,0,%d,%d&width=%d&height=%d", id, width<<halvings, height<<halvings, width, height)
	view, _ := DecodeImage(t, s.Get(t, path))
	if at, ok := FirstDifference(whole, view, view.Bounds()); ok {
		t.Fatalf("halved %d times, at %v: %v, the view has %v", halvings, at, whole.At(at.X, at.Y), view.At(at.X, at.Y))
	}
}

// CheckSolid checks that an image has the color of a layer made by Solid.
func CheckSolid(t testing.TB, name string, shown image.Image) {
	t.Helper()
	if at, ok := FirstDifference(shown, image.NewUniform(color.NRGBA{50, 110, 170, 255}), shown.Bounds()); ok {
		t.Errorf("%s: %v at %v", name, shown.At(at.X, at.Y), at)
	}
}

// FirstDifference returns the first pixel in which two images differ.
func FirstDifference(a, b image.Image, within image.Rectangle) (at image.Point, ok bool) {
	for y := within.Min.Y; y < within.Max.Y; y++ {
		for x := within.Min.X; x < within.Max.X; x++ {
			if color.NRGBAModel.Convert(a.At(x, y)) != color.NRGBAModel.Convert(b.At(x, y)) {
				return image.Pt(x, y), true
			}
		}
	}
	return image.Point{}, false
}
