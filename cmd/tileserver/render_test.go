package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// placed returns an image with the pixel grid of level 12 of WebMercatorQuad. Its upper left corner
// is that of tile 12/2200/1340. Its colors encode the position of a pixel.
func placed() tifftest.Image {
	const world = 40075016.68557849
	const resolution = world / 256 / 4096
	return tifftest.Image{
		Width: 600, Height: 400, Samples: 3, Tiled: true, BlockWidth: 128, BlockHeight: 64, Compression: tifftest.LZW,
		Value: func(x, y, band int) float64 {
			return [...]float64{float64(x % 256), float64(y % 256), float64(x/256*16 + y/256)}[band]
		},
		Tags: tifftest.GeoTIFF(tifftest.Georeference{
			EPSG: 3857, OriginX: -world/2 + 2200*256*resolution, OriginY: world/2 - 1340*256*resolution, PixelX: resolution, PixelY: resolution,
		}),
	}
}

func renderImage(t *testing.T, path string, args ...string) image.Image {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.png")
	mustRun(t, append([]string{"render", path, "-o", out}, args...)...)
	return decodePicture(t, out)
}

func decodePicture(t *testing.T, path string) image.Image {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func TestRenderShowsTheRightPixels(t *testing.T) {
	img := placed()
	path := writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{img}})
	for _, test := range []struct {
		name          string
		args          string
		width, height int
		fromX, fromY  int // the pixel of the file at the upper left
		step          int // pixels of the file from one of the picture to the next
	}{
		{"a tile", "--tile 12/2200/1340", 256, 256, 0, 0, 1},
		{"its neighbor", "--tile 12/2201/1340", 256, 256, 256, 0, 1},
		{"a tile at the edge", "--tile 12/2202/1341", 256, 256, 512, 256, 1},
		{"a tile of the image's own", "--tms image --tile 2/1/1", 256, 256, 256, 256, 1},
		{"every second pixel", "--tms image --tile 1/0/0 --resampling nearest", 256, 256, 0, 0, 2},
		{"a box of pixels", "--crs image --bbox 10,20,110,70 --width 100 --height 50", 100, 50, 10, 20, 1},
		{"a box whose height follows", "--crs image --bbox 10,20,110,70 --width 100", 100, 50, 10, 20, 1},
		{"all of it", "", 600, 400, 0, 0, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			picture := renderImage(t, path, strings.Fields(test.args)...)
			if got := picture.Bounds().Size(); got != image.Pt(test.width, test.height) {
				t.Fatalf("a picture of %v, want %d x %d", got, test.width, test.height)
			}
			for y := range test.height {
				for x := range test.width {
					if err := checkPixel(img, picture.At(x, y), test.fromX+x*test.step, test.fromY+y*test.step, test.step); err != nil {
						t.Fatalf("pixel %d,%d: %v", x, y, err)
					}
				}
			}
		})
	}
}

// checkPixel compares a color with the pixels of img from x, y to one step further. Outside the
// image it must be transparent.
func checkPixel(img tifftest.Image, got color.Color, x, y, step int) error {
	c := color.NRGBAModel.Convert(got).(color.NRGBA)
	if x >= img.Width || y >= img.Height {
		if c.A != 0 {
			return fmt.Errorf("%v outside of the image", c)
		}
		return nil
	}
	for dy := range step {
		for dx := range step {
			value := func(band int) uint8 { return uint8(img.Value(x+dx, y+dy, band)) }
			if c == (color.NRGBA{value(0), value(1), value(2), 255}) {
				return nil
			}
		}
	}
	return fmt.Errorf("%v is none of the pixels at %d,%d", c, x, y)
}

func TestRenderTakesTheOptionsOfARequest(t *testing.T) {
	path := writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{placed()}})
	for _, test := range []struct {
		name string
		args string
		want color.NRGBA // of pixel 120, 50
	}{
		{"bands", "--bidx 3,2,1", color.NRGBA{0, 50, 120, 255}},
		{"bands by number and name", "--bands 3,green,b1", color.NRGBA{0, 50, 120, 255}},
		{"a single band", "--bidx 2", color.NRGBA{50, 50, 50, 255}},
		{"a range", "--rescale 0,200", color.NRGBA{153, 64, 0, 255}},
		{"a range a band", "--rescale 0,200 --rescale 50,100 --rescale 0,1", color.NRGBA{153, 0, 0, 255}},
		{"no data", "--bidx 1 --nodata 120", color.NRGBA{}},
		{"colors", "--bidx 1 --colormap_name gray --rescale 0,120", color.NRGBA{255, 255, 255, 255}},
	} {
		picture := renderImage(t, path, strings.Fields(test.args)...)
		if got := color.NRGBAModel.Convert(picture.At(120, 50)).(color.NRGBA); got != test.want && (got.A != 0 || test.want.A != 0) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

func TestRenderWritesTheFormatOfTheName(t *testing.T) {
	path := smallTIFF(t)
	for extension, signature := range map[string]string{"png": "\x89PNG", "jpg": "\xff\xd8", "jpeg": "\xff\xd8", "webp": "RIFF"} {
		out := filepath.Join(t.TempDir(), "out."+extension)
		mustRun(t, "render", path, "-o", out, "--quality", "80")
		data, err := os.ReadFile(out)
		if err != nil || !strings.HasPrefix(string(data), signature) {
			t.Errorf("%s: begins with %.8q (%v)", extension, data, err)
		}
	}
}

func TestRenderFitsThePictureIntoMaxSize(t *testing.T) {
	path := writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{placed()}})
	for args, want := range map[string]image.Point{
		"--max_size 60": image.Pt(60, 40),
		"--crs image --bbox 3,5,103,55 --max_size 64":             image.Pt(64, 32),
		"--crs image --bbox 3,5,53,105 --max_size 64":             image.Pt(32, 64),
		"--crs image --bbox 3,5,103,55":                           image.Pt(512, 256),
		"--crs image --bbox 3,5,103,55 --max_size 600":            image.Pt(600, 300),
		"--crs image --bbox 3,5,103,55 --max_size 64 --height 10": image.Pt(20, 10),
	} {
		if got := renderImage(t, path, strings.Fields(args)...).Bounds().Size(); got != want {
			t.Errorf("%s: a picture of %v, want %v", args, got, want)
		}
	}
}

// A blank picture would look like nodata.
func TestRenderRejectsAnAreaOutsideTheImage(t *testing.T) {
	path := writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{placed()}})
	out := filepath.Join(t.TempDir(), "out.png")
	for args, says := range map[string]string{
		"--tile 12/2203/1341":                    "--tile shows nothing of the image, whose bounds are 13.359375,",
		"--tms image --tile 0/0/0 --bidx 1":      "",
		"--tile 12/2202/1341":                    "",
		"--bbox 14,50,15,51 --width 9":           "--bbox shows nothing of the image, whose bounds are 13.359375,",
		"--crs image --bbox 600,0,700,10":        "0,0,600,400 in pixels (--crs image)",
		"--crs image --bbox 599,399,700,500":     "",
		"--tile 12/2000/1341 -o " + out + ".npy": "--tile shows nothing",
	} {
		code, _, stderr := runProgram(t, append([]string{"render", path, "-o", out}, strings.Fields(args)...)...)
		wantCode := exitOK
		if says != "" {
			wantCode = exitUsage
		}
		if code != wantCode || !strings.Contains(stderr, says) {
			t.Errorf("%s: exit code %d, %q", args, code, stderr)
		}
		if _, err := os.Stat(out); (err == nil) != (says == "") {
			t.Errorf("%s: the picture is there: %v", args, err == nil)
		}
		os.Remove(out)
	}
}
