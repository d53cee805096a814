package layer_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"testing"

	"tileserver/display"
	"tileserver/display/picture"
	"tileserver/display/terrain"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"
)

var partOfImage = areas.Box{Bounds: geo.Bounds{MinX: 100, MinY: 50, MaxX: 150, MaxY: 80}, Width: 50, Height: 30}

func mustPNG(t *testing.T, p layer.Picture) image.Image {
	t.Helper()
	shown, err := png.Decode(bytes.NewReader(p.Bytes))
	if err != nil {
		t.Fatal(err)
	}
	return shown
}

func TestFinishAppliesToTheWholePicture(t *testing.T) {
	c := newCatalog(t, gradient(), nil)
	request := layer.Request{Format: layer.PNG, Area: partOfImage}
	plain := mustPNG(t, mustPicture(t, c, request))
	keys := map[string]bool{mustPrepare(t, c, request).Key(): true}
	for quarters := range 4 {
		for _, mirrored := range []bool{false, true} {
			for _, tone := range []picture.Tone{picture.Colored, picture.Grays, picture.BlackAndWhite} {
				t.Run(fmt.Sprintf("%d quarters, mirrored %v, tone %d", quarters, mirrored, tone), func(t *testing.T) {
					request.Finish = layer.Finish{Mirrored: mirrored, Quarters: quarters, Tone: tone}
					p := mustPicture(t, c, request)
					if isPlain := request.Finish == (layer.Finish{}); keys[p.Key] != isPlain {
						t.Error("equal pictures and equal keys do not coincide")
					}
					keys[p.Key] = true
					got := mustPNG(t, p)
					for y := range 30 {
						for x := range 50 {
							gx, gy := finishedPosition(x, y, 50, 30, quarters, mirrored)
							if want := tonedColor(plain.At(x, y), tone); !sameColor(got.At(gx, gy), want) {
								t.Fatalf("%d,%d is %v, want %v", gx, gy, got.At(gx, gy), want)
							}
						}
					}
				})
			}
		}
	}
}

// finishedPosition returns the position of a pixel after mirroring and rotation.
func finishedPosition(x, y, width, height, quarters int, mirrored bool) (int, int) {
	if mirrored {
		x = width - 1 - x
	}
	for range quarters {
		x, y = height-1-y, x
		width, height = height, width
	}
	return x, y
}

func tonedColor(c color.Color, tone picture.Tone) color.Color {
	own := color.NRGBAModel.Convert(c).(color.NRGBA)
	of := tone.Apply(raster.RGBA{R: own.R, G: own.G, B: own.B, A: own.A})
	return color.NRGBA{R: of.R, G: of.G, B: of.B, A: of.A}
}

func sameColor(a, b color.Color) bool {
	return color.NRGBAModel.Convert(a) == color.NRGBAModel.Convert(b)
}

func TestFinishOfABlank(t *testing.T) {
	c := newCatalog(t, gradient(), nil)
	area := areas.Box{Bounds: geo.Bounds{MinX: -500, MinY: 0, MaxX: -450, MaxY: 30}, Width: 50, Height: 30}
	p := mustPicture(t, c, layer.Request{Format: layer.PNG, Area: area, Finish: layer.Finish{Quarters: 3}})
	if size := mustPNG(t, p).Bounds().Size(); p.From != layer.Empty || size != image.Pt(30, 50) {
		t.Errorf("it is %v of %v pixels", p.From, size)
	}
	reddish := style.Style{Background: raster.RGBA{R: 255, A: 255}}
	p = mustPicture(t, c, layer.Request{Format: layer.JPEG, Style: reddish, Area: area, Finish: layer.Finish{Tone: picture.Grays}})
	shown, _, err := image.Decode(bytes.NewReader(p.Bytes))
	if err != nil {
		t.Fatal(err)
	}
	if red, green, blue, _ := shown.At(20, 20).RGBA(); red>>8 != 76 || green != red || blue != red {
		t.Errorf("on a red background it is %v", shown.At(20, 20))
	}
}

func TestInvalidFinishes(t *testing.T) {
	heights := &rastertest.Synthetic{Name: "heights", Has: rastertest.Flat(raster.Float32, 300, 200, 1, 64, 64), Sample: func(_, _, x, y int) (float64, bool) {
		return float64(x * y), true
	}}
	c := newCatalog(t, heights, nil)
	code := terrain.DefaultParameters(terrain.ModeTerrainRGB)
	numbers := style.Style{Spec: display.Spec{Relief: &code}}
	for name, request := range map[string]layer.Request{
		"samples turned":    {Format: layer.NPY, Finish: layer.Finish{Quarters: 1}},
		"gray samples":      {Format: layer.GeoTIFF, Finish: layer.Finish{Tone: picture.Grays}},
		"gray numbers":      {Format: layer.PNG, Style: numbers, Finish: layer.Finish{Tone: picture.Grays}},
		"five quarters":     {Format: layer.PNG, Finish: layer.Finish{Quarters: 5}},
		"less than no turn": {Format: layer.PNG, Finish: layer.Finish{Quarters: -1}},
	} {
		request.Area = partOfImage
		if _, err := prepare(c, request); codeOf(err) != layer.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	turned := layer.Request{Area: partOfImage, Format: layer.PNG, Style: numbers, Finish: layer.Finish{Quarters: 1}}
	if _, err := prepare(c, turned); err != nil {
		t.Errorf("rotated encoded heights: %v", err)
	}
}

func TestStoredPicturesAreNotFinished(t *testing.T) {
	c := newCatalog(t, &pictureProvider{Synthetic: gradient()}, nil)
	request := layer.Request{Format: layer.JPEG, Area: areas.Level{X: 256, Y: 512, Width: 256, Height: 256}}
	if p := mustPicture(t, c, request); p.From != layer.Stored {
		t.Fatalf("a block is %v", p.From)
	}
	for _, finish := range []layer.Finish{{Mirrored: true}, {Quarters: 2}, {Tone: picture.Grays}} {
		request.Finish = finish
		if p := mustPicture(t, c, request); p.From != layer.Miss {
			t.Errorf("a block with %+v is %v", finish, p.From)
		}
	}
}
