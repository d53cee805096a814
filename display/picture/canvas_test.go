package picture

import (
	"errors"
	"math"
	"testing"

	"tileserver/raster"
)

// blendExactly returns one pixel over another in real numbers.
func blendExactly(under, top [4]uint8) [4]float64 {
	topOpacity, underOpacity := float64(top[3])/255, float64(under[3])/255
	opacity := topOpacity + underOpacity*(1-topOpacity)
	if opacity == 0 {
		return [4]float64{}
	}
	var out [4]float64
	for i := range 3 {
		out[i] = (float64(top[i])*topOpacity + float64(under[i])*underOpacity*(1-topOpacity)) / opacity
	}
	out[3] = 255 * opacity
	return out
}

func TestOverlayPixelIsExact(t *testing.T) {
	values := []uint8{0, 1, 17, 127, 128, 254, 255}
	for _, topOpacity := range values {
		for _, underOpacity := range values {
			for _, topColor := range values {
				for _, underColor := range values {
					under := [4]uint8{underColor, 255 - underColor, 40, underOpacity}
					if underOpacity == 0 {
						under = [4]uint8{}
					}
					top := [4]uint8{topColor, topColor, 255 - topColor, topOpacity}
					want, got := blendExactly(under, top), under
					overlayRow(got[:], top[:])
					for i := range got {
						if math.Abs(float64(got[i])-want[i]) > 0.5+1e-9 {
							t.Fatalf("%v over %v: got %v, want %v", top, under, got, want)
						}
					}
				}
			}
		}
	}
}

func TestTransparentCanvasHasNoColor(t *testing.T) {
	var canvas Picture
	canvas.ResetCanvas(5, 3, raster.RGBA{R: 10, G: 20, B: 30})
	for i, sample := range canvas.Pix {
		if sample != 0 {
			t.Fatalf("sample %d is %d", i, sample)
		}
	}
}

func TestTransparentPixelsChangeNothing(t *testing.T) {
	var canvas, top Picture
	canvas.ResetCanvas(3, 2, raster.RGBA{R: 10, G: 20, B: 30, A: 40})
	top.Reshape(3, 2, RGBA)
	for i := range top.Pix {
		top.Pix[i] = 99
	}
	for x := 3; x < len(top.Pix); x += 4 {
		top.Pix[x] = 0
	}
	if err := canvas.Overlay(&top); err != nil {
		t.Fatal(err)
	}
	for x := 0; x < len(canvas.Pix); x += 4 {
		if got, want := [4]uint8(canvas.Pix[x:]), ([4]uint8{10, 20, 30, 40}); got != want {
			t.Fatalf("pixel %d: got %v, want %v", x/4, got, want)
		}
	}
}

func TestOverlayFormats(t *testing.T) {
	for format := Gray; format <= Paletted; format++ {
		top := gradientPicture(format, 21, 5)
		if err := top.Crop(2, 1, 17, 3); err != nil {
			t.Fatal(err)
		}
		var canvas Picture
		canvas.ResetCanvas(17, 3, raster.RGBA{R: 255, A: 255})
		if err := canvas.Overlay(top); err != nil {
			t.Fatal(err)
		}
		if !canvas.IsOpaque() {
			t.Errorf("format %d: an opaque canvas became transparent", format)
		}
		for y := range 3 {
			for x := range 17 {
				want := pixelAt(top, x, y)
				if want[3] == 0 {
					want = [4]uint8{255, 0, 0, 255}
				}
				if got := pixelAt(&canvas, x, y); got != want {
					t.Fatalf("format %d at %d,%d: got %v, want %v", format, x, y, got, want)
				}
			}
		}
	}
}

func TestOverlayRejects(t *testing.T) {
	var canvas, gray Picture
	canvas.ResetCanvas(4, 3, raster.RGBA{})
	gray.Reshape(4, 3, Gray)
	tests := []struct {
		name       string
		under, top *Picture
	}{
		{"another width", &canvas, gradientPicture(RGB, 5, 3)},
		{"another height", &canvas, gradientPicture(RGB, 4, 2)},
		{"16 bits", &canvas, gradientPicture(Gray16, 4, 3)},
		{"not a canvas", &gray, gradientPicture(RGB, 4, 3)},
		{"no pixels", &canvas, &Picture{Width: 4, Height: 3, Stride: 4}},
	}
	for _, test := range tests {
		if err := test.under.Overlay(test.top); !errors.Is(err, ErrPicture) {
			t.Errorf("%s: got the error %v, want %v", test.name, err, ErrPicture)
		}
	}
}

func BenchmarkOverlay(b *testing.B) {
	var canvas Picture
	canvas.ResetCanvas(256, 256, raster.RGBA{R: 200, G: 100, B: 50, A: 128})
	top := gradientPicture(RGBA, 256, 256)
	for i := 3; i < len(top.Pix); i += 4 {
		top.Pix[i] = 100
	}
	b.SetBytes(int64(len(top.Pix)))
	b.ReportAllocs()
	for b.Loop() {
		if err := canvas.Overlay(top); err != nil {
			b.Fatal(err)
		}
	}
}
