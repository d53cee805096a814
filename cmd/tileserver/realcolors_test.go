package main

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/config"
	"tileserver/dataset"
	"tileserver/integration/realfiles"
	"tileserver/raster"
	"tileserver/raster/recolor"
)

// otherColors lists the files whose colors differ from those of the reference, with the reason.
var otherColors = map[string]string{
	// It shows inks that are multiplied by their opacity as if they were not.
	"tiff/libtiff.net/unknown-tags.tif": "opacity",

	// It reads the strip as shorter than it is, and lacks the last pixels.
	"tiff/libtiff.net/flower-ycbcr44-contig-08.tif":     "length",
	"tiff/tifflibrary/flower-ycbcr-contig-08_h4v4.tiff": "length",

	// It takes white on paper for yellow on the screen: it does not adapt to D50.
	"tiff/libtiff.net/lab8-lzw.tif":                 "white",
	"tiff/twelvemonkeys/ColorCheckerCalculator.tif": "white",
	"tiff/pillow/lab-green.tif":                     "white",
	"tiff/pillow/lab-red.tif":                       "white",
	"tiff/gdal/cielab.tif":                          "white",
}

// Inks and chroma of eight bits give the same levels as in libtiff.
func TestColorsAgreeWithTheReference(t *testing.T) {
	folder := realfiles.Folder(t, "MANIFEST.tsv")
	matched, different := 0, 0
	for _, want := range manifest(t, folder) {
		p := recoloredFile(t, filepath.Join(folder, filepath.FromSlash(want["path"])))
		if p == nil || want["compression"] == "OJPEG" || !strings.HasPrefix(want["colour"], "Red,Green,Blue") {
			continue
		}
		same := sumOfColors(t, p, want["bands"] == "4") == want["pixel_md5"]
		_, known := otherColors[want["path"]]
		switch {
		case same && !known:
			matched++
		case !same && known:
			different++
		default:
			t.Errorf("%s: the same colors: %v, known to be others: %v", want["path"], same, known)
		}
	}
	if least := 22; matched < least || different != len(otherColors) {
		t.Errorf("%d files have the colors of the reference, want at least %d; %d have others, want %d", matched, least, different, len(otherColors))
	}
	t.Logf("%d files have the colors of the reference, %d are known to have others", matched, different)
}

// recoloredFile returns the first image of a file if it can be read and its colors need conversion.
func recoloredFile(t *testing.T, path string) *recolor.Provider {
	t.Helper()
	f, _, err := new(program).fileOpener(config.Default().InFlight).Open(context.Background(), path, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	image := f.Images()[0]
	if image.Info().Colors.Space == raster.RGB || image.Unsupported() != nil {
		return nil
	}
	p, err := recolor.New(image)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return p
}

// sumOfColors returns the checksum of red, green and blue, and of an opaque alpha plane if the
// reference adds one.
func sumOfColors(t *testing.T, p *recolor.Provider, withOpacity bool) string {
	t.Helper()
	l := p.Info().Levels[0]
	ids := l.Covering(l.Bounds())
	tiles, err := p.Blocks(context.Background(), 0, ids, []int{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	pixels := l.Width * l.Height
	planes := make([]byte, 4*pixels)
	for i, tile := range tiles {
		at := l.Block(ids[i])
		for band := range 3 {
			for y := range tile.Height() {
				copy(planes[band*pixels+(at.Y0+y)*l.Width+at.X0:], tile.Plane(band)[y*tile.Width():(y+1)*tile.Width()])
			}
		}
	}
	for i := range pixels {
		planes[3*pixels+i] = 255
	}
	if !withOpacity {
		planes = planes[:3*pixels]
	}
	sum := md5.Sum(planes)
	return hex.EncodeToString(sum[:])
}
