package tiff

import (
	"bufio"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tileserver/decode"
	"tileserver/raster"
	"tileserver/source"
)

// reference is what other software found in a file.
type reference struct {
	Path      string
	Width     int
	Height    int
	Bands     int
	Block     []int
	Overviews [][]int
	EPSG      int
	PixelMD5  string `json:"pixel_md5"`
	Raw       struct {
		PixelMD5 string `json:"pixel_md5"`
	}
	RawBytes  int64 `json:"raw_bytes"`
	Open      string
	ReadError bool `json:"read_error"`
	Stats     [][]float64

	OverviewMD5  []string `json:"ovr_md5"`
	MaskMD5      string   `json:"mask_md5"`
	GeoTransform []float64
	SubDatasets  []struct {
		Width, Height int
		PixelMD5      string `json:"pixel_md5"`
	}
}

// testdataFolder is where the shared files are. Where they are not, tests that
// need them are skipped, but not where everything has to be tested.
func testdataFolder(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("TILESERVER_TESTDATA")
	if folder == "" {
		_, here, _, _ := runtime.Caller(0)
		folder = filepath.Join(filepath.Dir(here), "..", "..", "..", "shared", "testdata")
	}
	if _, err := os.Stat(filepath.Join(folder, "EXPECTED.jsonl")); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("no test data: %v", err)
		}
		t.Skipf("SKIPPED, NO FILE OF ANYBODY ELSE'S WAS READ: %v", err)
	}
	return folder
}

func references(t *testing.T, folder, prefix string) []reference {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, "EXPECTED.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []reference
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r reference
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(r.Path, prefix) {
			all = append(all, r)
		}
	}
	return all
}

func testPool() *decode.Pool {
	return decode.NewPool(decode.PoolConfig{Codecs: decode.Default(), Workers: 2})
}

func openFile(t testing.TB, path string) (*File, error) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return Open(t.Context(), source.NewBytes(path, data), Config{Pool: testPool()})
}

// planesOf reads a whole level, each band row by row.
func planesOf(t testing.TB, m *Image, level int) ([][]byte, error) {
	t.Helper()
	l, size := m.Info().Levels[level], m.Info().Type.Size()
	planes := make([][]byte, len(m.Info().Bands))
	for b := range planes {
		planes[b] = make([]byte, l.Width*l.Height*size)
	}
	for row := range l.Rows() {
		ids := make([]raster.BlockID, l.Columns())
		for col := range ids {
			ids[col] = raster.BlockID{Col: col, Row: row}
		}
		tiles, err := m.Blocks(t.Context(), level, ids, nil)
		if err != nil {
			return nil, err
		}
		for i, tile := range tiles {
			rect := l.Block(ids[i])
			for b := range planes {
				for y := range tile.Height() {
					n := tile.Width() * size
					copy(planes[b][((rect.Y0+y)*l.Width+rect.X0)*size:], tile.Plane(b)[y*n:][:n])
				}
			}
		}
	}
	return planes, nil
}

func checksum(planes [][]byte) string {
	sum := md5.New()
	for _, p := range planes {
		sum.Write(p)
	}
	return hex.EncodeToString(sum.Sum(nil))
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
	names := make([]string, 0, len(c))
	for name := range c {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t.Logf("%-14s %v", name, c[name])
	}
}

// What is matched and what is not, in the files of others. A change that matches
// more of them raises the numbers.
var conformance = map[string]int{"deflate": 82, "jpeg": 52, "lzw": 87, "none": 367, "packbits": 16, "zstd": 18}

func TestConformance(t *testing.T) {
	folder := testdataFolder(t)
	counts := make(tally)
	for _, want := range references(t, folder, "tiff/") {
		f, err := openFile(t, filepath.Join(folder, want.Path))
		if err != nil {
			counts.count("?", "refused")
			t.Errorf("%s: %v", want.Path, err)
			continue
		}
		m := f.Images()[0]
		if err := compareFacts(m, want); err != nil {
			t.Errorf("%s: %v", want.Path, err)
		}
		outcome, err := compare(t, m, want)
		counts.count(m.Description().Compression, outcome)
		switch outcome {
		case "failed", "mismatched":
			t.Errorf("%s: %s: %v", want.Path, outcome, err)
		case "unsupported", "damaged":
			t.Logf("%s: %s: %v", want.Path, outcome, err)
		}
	}
	counts.log(t)
	for name, least := range conformance {
		if got := counts[name]["matched"]; got < least {
			t.Errorf("%s: %d files matched, want at least %d", name, got, least)
		}
	}
}

// compare reads a file and holds its pixels against those that others read.
func compare(t *testing.T, m *Image, want reference) (outcome string, err error) {
	planes, err := planesOf(t, m, 0)
	md5 := want.PixelMD5
	if want.Raw.PixelMD5 != "" {
		md5 = want.Raw.PixelMD5 // as stored, and not as RGBA
	}
	switch {
	case errors.Is(err, decode.ErrUnsupported):
		return "unsupported", err
	case err != nil && (want.ReadError || want.Open != "ok"):
		return "damaged", err
	case err != nil:
		return "failed", err
	case md5 == "":
		return "unreferenced", nil
	case m.Description().Compression == "jpeg":
		return compareStatistics(m, planes, want)
	}
	if got := checksum(planes); got != md5 {
		return "mismatched", fmt.Errorf("got %s, want %s: %+v", got, md5, m.Description().Directory)
	}
	return "matched", nil
}

// otherCRS are the files of which the reference reports another CRS than they
// name: the successor of a deprecated one, and one with heights added.
var otherCRS = map[string]bool{"tiff/geotools/bogot.tiff": true, "tiff/gdal/epsg4979_geotiff1_1.tif": true}

// compareFacts holds what the file says of itself against what others read.
func compareFacts(m *Image, want reference) error {
	if want.Open != "ok" {
		return nil
	}
	info, d := m.Info(), m.Description()
	if d.Width != want.Width || d.Height != want.Height {
		return fmt.Errorf("size %dx%d, want %dx%d", d.Width, d.Height, want.Width, want.Height)
	}
	if want.Raw.PixelMD5 == "" && len(info.Bands) != want.Bands {
		return fmt.Errorf("%d bands, want %d", len(info.Bands), want.Bands)
	}
	chopped := want.Raw.PixelMD5 != "" || !d.Tiled && d.BlockHeight == d.Height // by the reference, to its liking
	if got := []int{d.BlockWidth, d.BlockHeight}; !chopped && !slices.Equal(got, want.Block) {
		return fmt.Errorf("blocks of %v, want %v", got, want.Block)
	}
	var overviews [][]int
	for _, l := range info.Levels[1:] {
		overviews = append(overviews, []int{l.Width, l.Height})
	}
	slices.SortFunc(want.Overviews, func(a, b []int) int { return b[0] - a[0] })
	if fmt.Sprint(overviews) != fmt.Sprint(want.Overviews) {
		return fmt.Errorf("overviews %v, want %v; %v", overviews, want.Overviews, d.Notes)
	}
	if g := m.Georeference(); want.EPSG != 0 && !otherCRS[want.Path] && (g.CRS == nil || g.CRS.Code() != fmt.Sprintf("EPSG:%d", want.EPSG)) {
		return fmt.Errorf("CRS %v (%v), want EPSG:%d", g.CRS, g.CRSError, want.EPSG)
	}
	return nil
}

// compareStatistics is for lossy compressions, of which decoders differ by a few
// levels. Inks are compared as the colours that the reference made of them.
func compareStatistics(m *Image, planes [][]byte, want reference) (outcome string, err error) {
	if m.Description().Photometric == "cmyk" {
		for i, black := range planes[3] {
			for _, ink := range planes[:3] {
				ink[i] = uint8((255 - int(black)) * (255 - int(ink[i])) / 255)
			}
			planes[3][i] = 255
		}
	}
	if len(planes) != len(want.Stats) {
		return "mismatched", fmt.Errorf("%d bands, want %d", len(planes), len(want.Stats))
	}
	for b, plane := range planes {
		low, high, sum, squares := 255.0, 0.0, 0.0, 0.0
		for _, v := range plane {
			f := float64(v)
			low, high, sum, squares = min(low, f), max(high, f), sum+f, squares+f*f
		}
		n := float64(len(plane))
		mean := sum / n
		deviation := math.Sqrt(squares/n - mean*mean)
		got := []float64{low, high, mean, deviation}
		for i, tolerance := range []float64{8, 8, 0.5, 1} {
			if math.Abs(got[i]-want.Stats[b][i]) > tolerance {
				return "mismatched", fmt.Errorf("band %d: got min, max, mean and deviation %v, want %v", b+1, got, want.Stats[b])
			}
		}
	}
	return "matched", nil
}

// TestCorruptFiles reads what others broke. Whatever comes of it comes soon, is an
// image or an error that can be read, and no panic, which the pool reports.
func TestCorruptFiles(t *testing.T) {
	folder := testdataFolder(t)
	images, refused := 0, 0
	for _, file := range references(t, folder, "corrupt/tiff/") {
		before := time.Now()
		err := readAll(t, filepath.Join(folder, file.Path))
		if taken := time.Since(before); taken > 10*time.Second {
			t.Errorf("%s: took %v", file.Path, taken)
		}
		switch {
		case err == nil:
			images++
		case strings.Contains(err.Error(), "panic"):
			t.Errorf("%s: %v", file.Path, err)
		default:
			refused++
			t.Logf("%s: %v", file.Path, err)
		}
	}
	t.Logf("%d images, %d errors", images, refused)
}

// readAll reads all levels of all images of a file that are not absurdly large.
func readAll(t *testing.T, path string) error {
	f, err := openFile(t, path)
	if err != nil {
		return err
	}
	for _, m := range f.Images() {
		m.Georeference()
		for level, l := range m.Info().Levels {
			if l.Width*l.Height > 1<<26 {
				continue
			}
			if _, err := planesOf(t, m, level); err != nil {
				return err
			}
		}
	}
	return nil
}
