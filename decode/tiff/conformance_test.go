package tiff

import (
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tileserver/decode/blocks"
	"tileserver/raster"
)

// rejected maps the files of other writers that cannot be read to the reason. It must stay short.
var rejected = map[string]string{
	// The reference reports the same damage. Of the tile with it, only the upper half is sound.
	"tiff/gdal/irregular_tile_size_jpeg_in_tiff.tif": "truncated data",

	// No decoder exists for these.
	"tiff/gdal/byte_jxl_dng_1_7_52546.tif":      "compression 52546 (jpeg xl)",
	"tiff/gdal/jxl-rgbi.tif":                    "compression 50002 (jpeg xl)",
	"tiff/gdal/rgbsmall_JXL.tif":                "compression 50002 (jpeg xl)",
	"tiff/gdal/rgbsmall_JXL_separate.tif":       "compression 50002 (jpeg xl)",
	"tiff/gdal/rgbsmall_JXL_tiled.tif":          "compression 50002 (jpeg xl)",
	"tiff/gdal/rgbsmall_JXL_tiled_separate.tif": "compression 50002 (jpeg xl)",
}

// disputed maps the files for which the reference has other pixels to the reason.
var disputed = map[string]string{
	"tiff/libtiff.net/flower-ycbcr44-contig-08.tif":     "the reference loses the chroma of the last two clumps",
	"tiff/tifflibrary/flower-ycbcr-contig-08_h4v4.tiff": "the reference loses the chroma of the last two clumps",
}

// TestConformance reads all files of other writers, compares their facts and pixels with what other
// software read, and counts the outcomes.
func TestConformance(t *testing.T) {
	folder := testdataFolder(t)
	counts, files := make(tally), 0
	for _, want := range references(t, folder, "tiff/") {
		files++
		f, err := openFile(t, filepath.Join(folder, want.Path))
		if err != nil {
			t.Errorf("%s does not open: %v", want.Path, err)
			continue
		}
		m := f.Images()[0]
		if want.Open == "ok" {
			if err := checkFacts(m, want); err != nil {
				t.Errorf("%s: %v", want.Path, err)
			}
		}
		outcome, err := compare(t, m, want)
		counts.count(m.Description().Compression, outcome)
		checkRefusal(t, want, outcome, err)
	}
	counts.log(t)
	if len(rejected)*50 > files {
		t.Errorf("%d of %d files are rejected, which is more than 2 %%", len(rejected), files)
	}
	for _, path := range slices.Sorted(maps.Keys(rejected)) {
		t.Logf("rejected: %s: %s", path, rejected[path])
	}
}

func checkRefusal(t *testing.T, want reference, outcome string, err error) {
	t.Helper()
	reason, known := rejected[want.Path]
	switch {
	case outcome == "mismatched":
		t.Errorf("%s: %v", want.Path, err)
	case outcome != "disputed" && disputed[want.Path] != "":
		t.Errorf("%s is %s, but is listed as disputed: %s", want.Path, outcome, disputed[want.Path])
	case outcome != "refused" && known:
		t.Errorf("%s can be read, but is listed as rejected with %q", want.Path, reason)
	case outcome == "refused" && (!known || !strings.Contains(err.Error(), reason)):
		t.Errorf("%s: %v", want.Path, err)
	}
}

// tally counts outcomes by compression.
type tally map[string]map[string]int

func (c tally) count(compression, outcome string) {
	if c[compression] == nil {
		c[compression] = make(map[string]int)
	}
	c[compression][outcome]++
}

func (c tally) log(t *testing.T) {
	all := make(map[string]int)
	for _, name := range slices.Sorted(maps.Keys(c)) {
		t.Logf("%-14s %v", name, c[name])
		for outcome, n := range c[name] {
			all[outcome] += n
		}
	}
	t.Logf("%-14s %v", "all", all)
}

// compare reads a file and compares its pixels with the reference.
func compare(t *testing.T, m *Image, want reference) (outcome string, err error) {
	if l := m.Info().Levels[0]; l.Width*l.Height*len(m.Info().Bands) > maxBytes {
		return compareInPieces(t, m, want)
	}
	planes, err := planesOf(t, m, 0)
	if err != nil {
		return "refused", err
	}
	md5 := want.PixelMD5
	if want.Raw.PixelMD5 != "" {
		md5 = want.Raw.PixelMD5 // as stored, and not as RGBA
	} else if m.Info().Colors.Space == raster.YCbCr && m.Info().Type == raster.Uint8 {
		asRGB(planes, m.Info().Colors)
	}
	got := checksum(planes)
	switch {
	case md5 == "":
		return "without reference", nil
	case got == md5:
		return "exact", nil
	case disputed[want.Path] != "":
		return "disputed", nil
	case isLossy(m.Description().Compression):
		err := compareStatistics(m, planes, want)
		return outcomeOf("close", err), err
	}
	return "mismatched", fmt.Errorf("got %s, want %s: %+v", got, md5, m.Description().Directory)
}

// maxBytes is how much of a file the test holds in memory at a time.
const maxBytes = 1 << 28

// compareInPieces is compare for images that are too large for memory.
func compareInPieces(t *testing.T, m *Image, want reference) (outcome string, err error) {
	if want.PixelMD5 == "" {
		_, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
		return outcomeOf("only begun", err), err
	}
	sum, l := md5.New(), m.Info().Levels[0]
	for band := range m.Info().Bands {
		for row := range l.Rows() {
			area := l.Block(raster.BlockID{Row: row})
			area.X1 = l.Width
			planes, err := planesWithin(t, m, 0, area, []int{band})
			if err != nil {
				return "refused", err
			}
			sum.Write(planes[0])
		}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want.PixelMD5 {
		return "mismatched", fmt.Errorf("got %s, want %s: %+v", got, want.PixelMD5, m.Description().Directory)
	}
	return "exact", nil
}

func outcomeOf(good string, err error) string {
	switch {
	case err == nil:
		return good
	case errors.Is(err, errMismatch):
		return "mismatched"
	}
	return "refused"
}

// isLossy reports whether decoders of a compression may differ.
func isLossy(compression string) bool {
	return slices.Contains([]string{string(blocks.JPEG), "webp", "old jpeg"}, compression)
}

var errMismatch = errors.New("the pixels are others")

// compareStatistics compares images of lossy compressions, for which decoders differ by a few
// levels. Inks are compared as the colors that the reference converted them to.
func compareStatistics(m *Image, planes [][]byte, want reference) error {
	if m.Description().Photometric == "cmyk" {
		for i, black := range planes[3] {
			for _, ink := range planes[:3] {
				ink[i] = uint8((255 - int(black)) * (255 - int(ink[i])) / 255)
			}
			planes[3][i] = 255
		}
	}
	if len(planes) != len(want.Stats) || m.Info().Type != raster.Uint8 {
		return fmt.Errorf("%w: %d bands of %v, want %d", errMismatch, len(planes), m.Info().Type, len(want.Stats))
	}
	for b, plane := range planes {
		low, high, sum, squares := 255.0, 0.0, 0.0, 0.0
		for _, v := range plane {
			f := float64(v)
			low, high, sum, squares = min(low, f), max(high, f), sum+f, squares+f*f
		}
		n := float64(len(plane))
		mean := sum / n
		deviation := math.Sqrt(max(squares/n-mean*mean, 0))
		got := []float64{low, high, mean, deviation}
		for i, tolerance := range []float64{8, 8, 0.5, 1} {
			if math.Abs(got[i]-want.Stats[b][i]) > tolerance {
				return fmt.Errorf("%w: min, max, mean and deviation of band %d are %v, want %v", errMismatch, b+1, got, want.Stats[b])
			}
		}
	}
	return nil
}
