package cog

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"tileserver/encode/blocks"
	"tileserver/geo"
	"tileserver/raster"
)

func TestGDALReadsTheSamePixels(t *testing.T) {
	images := shapes()
	delete(images, "inks") // GDAL converts them
	compressions := []blocks.Compression{blocks.None, blocks.LZW, blocks.Deflate, blocks.ZSTD}
	for i, kind := range allTypes {
		for j := range 2 {
			img := imageOf(kind, 71, 45, 3)
			img.Coding.Compression = compressions[(i+j)%len(compressions)]
			images[fmt.Sprintf("%v %s", kind, img.Coding.Compression)] = img
		}
	}
	var names, paths []string
	for name, img := range images {
		names, paths = append(names, name), append(paths, write(t, img, blocksOf(img), 2))
	}
	facts := readByGDAL(t, paths...)
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			img := images[name]
			if facts[i].Levels != len(img.Info.Levels) {
				t.Errorf("%d levels, want %d", facts[i].Levels, len(img.Info.Levels))
			}
			checkByGDAL(t, img, paths[i], 0)
			checkMasks(t, img, &facts[i])
			if img.Info.Palette != nil && (len(facts[i].Palette) != 256 || !slices.Equal(facts[i].Palette[9], []uint8{9, 246, 7, 255})) {
				t.Errorf("palette of %d colors: %v", len(facts[i].Palette), facts[i].Palette)
			}
		})
	}
}

func checkMasks(t *testing.T, img *Image, facts *gdalFacts) {
	t.Helper()
	want := maskAllValid
	_, hasNoData := img.noData()
	switch {
	case img.Info.Masked:
		want = maskOfFile
	case hasNoData:
		want = maskOfNoData
	case img.Info.Alpha() >= 0:
		want = maskOfAlpha | maskOfFile
	}
	if got := facts.Bands[0].Masks; got != want {
		t.Errorf("masks of kind %d, want %d", got, want)
	}
}

func TestGDALReadsPicturesThatLoseLittle(t *testing.T) {
	gray, rgb, masked := imageOf(raster.Uint8, 71, 45, 1), colored(imageOf(raster.Uint8, 200, 110, 3)), colored(imageOf(raster.Uint8, 71, 45, 3))
	gray.Coding = blocks.Coding{Compression: blocks.JPEG, Quality: 95}
	rgb.Coding = blocks.Coding{Compression: blocks.JPEG, Quality: 95}
	masked.Coding, masked.Info.Masked = gray.Coding, true
	webp, alpha := colored(imageOf(raster.Uint8, 71, 45, 3)), colored(imageOf(raster.Uint8, 71, 45, 4))
	webp.Coding = blocks.Coding{Compression: blocks.WebP, Quality: 95}
	alpha.Coding = webp.Coding
	images := []*Image{gray, rgb, masked, webp, alpha}
	var paths []string
	for _, img := range images {
		for l := range img.Info.Levels {
			img.Info.Levels[l].BlockWidth, img.Info.Levels[l].BlockHeight = 48, 32
		}
		paths = append(paths, write(t, img, blocksOf(img), 2))
	}
	facts := readByGDAL(t, paths...)
	for i, img := range images {
		checkByGDAL(t, img, paths[i], 20)
		checkMasks(t, img, &facts[i])
		if len(img.Info.Bands) == 3 && facts[i].Bands[2].Color != "Blue" {
			t.Errorf("the third band is %s", facts[i].Bands[2].Color)
		}
	}
	if got := facts[1].Structure["COMPRESSION"]; got != "YCbCr JPEG" {
		t.Errorf("%q", got)
	}
}

// Older versions of libtiff do not read a band of LERC for each sample, which is what newer ones write of such
// pixels.
func TestGDALReadsNaNInLERC(t *testing.T) {
	img := imageOf(raster.Float32, 32, 32, 3)
	img.Coding = blocks.Coding{Compression: blocks.LERC, Around: blocks.ZSTD}
	b := raster.NewBuffer(raster.Float32, 32, 32, 3)
	for band := range 3 {
		for i := range raster.Writable[float32](b, band) {
			raster.Writable[float32](b, band)[i] = float32(i * band)
			if i%7 == band {
				raster.Writable[float32](b, band)[i] = float32(math.NaN())
			}
		}
	}
	tile := b.Freeze()
	path := filepath.Join(t.TempDir(), "out.tif")
	w, err := Create(path, img)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Put(0, raster.BlockID{}, tile), w.Finish(t.Context())); err != nil {
		t.Fatal(err)
	}
	readByGDAL(t, path)
	for band, got := range gdalSamples(t, img, path)[0] {
		if !bytes.Equal(got.samples, tile.Plane(band)) {
			t.Errorf("other samples in band %d", band+1)
		}
	}
}

func TestGDALReadsTheSameFacts(t *testing.T) {
	described := imageOf(raster.Float32, 40, 40, 2)
	described.Info.Bands[0] = raster.Band{Name: `height <"&'> ümlaut`, Unit: "m", Scale: 0.5, Offset: -3, Color: raster.Gray}
	described.Info.Bands[1] = raster.Band{Name: "heat", Color: raster.Red, NoData: math.NaN(), HasNoData: true}
	described.Metadata = []Item{{Name: "AREA", Value: "a<b"}, {Band: 2, Name: "K", Value: "v"}}
	described.Place = &Place{Transform: &geo.Affine{A: 10, C: 500_000, E: -20, F: 4_500_000}, Keys: RegisteredKeys(32633, false)}
	turned := imageOf(raster.Uint8, 33, 20, 1)
	turned.Place = &Place{Transform: &geo.Affine{A: 1, B: .5, C: 10, D: .25, E: -1, F: 50}, Keys: RegisteredKeys(4326, true)}
	turned.Place.Keys.Directory[11] = 2 /* pixels are points */
	points := imageOf(raster.Uint8, 33, 20, 1)
	points.Place = &Place{Keys: RegisteredKeys(4326, true), Points: []geo.ControlPoint{
		{Pixel: geo.Point{X: 0, Y: 0}, Place: geo.Point{X: 5, Y: 50}}, {Pixel: geo.Point{X: 33, Y: 0}, Place: geo.Point{X: 6, Y: 50}},
		{Pixel: geo.Point{X: 0, Y: 20}, Place: geo.Point{X: 5, Y: 49}}, {Pixel: geo.Point{X: 33, Y: 20}, Place: geo.Point{X: 6.5, Y: 49}},
	}}
	points.RPC = make([]float64, rpcNumbers)
	for i := range points.RPC {
		points.RPC[i] = float64(i) + 0.5
	}
	var paths []string
	for _, img := range []*Image{described, turned, points} {
		paths = append(paths, write(t, img, blocksOf(img), 1))
	}
	facts := readByGDAL(t, paths...)
	checkDescribed(t, &facts[0])
	if f := facts[1]; f.Code != "4326" || !slices.Equal(f.Transform, []float64{10, 1, .5, 50, .25, -1}) {
		t.Errorf("%s, %v", f.Code, f.Transform)
	}
	f := facts[2]
	if f.Code != "4326" || len(f.Points) != 4 || !slices.Equal(f.Points[3], []float64{33, 20, 6.5, 49}) {
		t.Errorf("%s, %v", f.Code, f.Points)
	}
	if f.RPC["LINE_OFF"] != "2.5" || f.RPC["SAMP_OFF"] != "3.5" {
		t.Errorf("%v", f.RPC)
	}
}

func checkDescribed(t *testing.T, f *gdalFacts) {
	t.Helper()
	if f.Code != "32633" || !slices.Equal(f.Transform, []float64{500_000, 10, 0, 4_500_000, 0, -20}) {
		t.Errorf("%s, %v", f.Code, f.Transform)
	}
	if f.Metadata["AREA"] != "a<b" || f.Bands[1].Metadata["K"] != "v" || f.Structure["LAYOUT"] != "COG" {
		t.Errorf("%v, %v, %v", f.Metadata, f.Bands[1].Metadata, f.Structure)
	}
	first, second := f.Bands[0], f.Bands[1]
	if first.Name != `height <"&'> ümlaut` || first.Unit != "m" || *first.Scale != 0.5 || *first.Offset != -3 || first.Color != "Gray" {
		t.Errorf("%+v", first)
	}
	if second.Name != "heat" || second.Color != "Red" || second.NoData != "nan" {
		t.Errorf("%+v", second)
	}
}
