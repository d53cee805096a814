package nitf

import (
	"bytes"
	"context"
	"encoding/binary"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"tileserver/decode/container"
	"tileserver/decode/nitf/nitftest"
	"tileserver/decode/nitf/rpf"
	"tileserver/decode/pool"
	"tileserver/raster"
	"tileserver/source"
)

// maxBytes bounds the memory that a broken file may cost.
const maxBytes = 256 << 20

// readAll opens a file and reads all that is cheap of it. It returns the first error.
func readAll(ctx context.Context, data []byte) error {
	f, err := Open(ctx, source.NewBytes("scene.ntf", data), Config{
		Pool: pool.New(pool.Config{Workers: 2}), Key: "key", BlockBytes: maxBytes / 4, BatchBytes: maxBytes / 4,
	})
	if err != nil {
		return err
	}
	defer f.Close()
	for n, m := range f.Images() {
		if _, err := container.Describe(ctx, f, n+1, nil); err != nil {
			return err
		}
		if _, _, err := m.Missing(ctx); err != nil {
			return err
		}
		if err := readCorners(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// readCorners reads the first and the last block of an image.
func readCorners(ctx context.Context, m container.Image) error {
	if err := m.Unsupported(); err != nil {
		return err
	}
	bands := m.Info().AllBands()
	bands = bands[:min(len(bands), 8)]
	for level, l := range m.Info().Levels {
		ids := []raster.BlockID{{}, {Col: l.Columns() - 1, Row: l.Rows() - 1}}
		for _, id := range ids {
			if _, err := m.Blocks(ctx, level, []raster.BlockID{id}, bands); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkCheap checks that reading a file ends soon and takes little memory.
func checkCheap(t *testing.T, name string, data []byte) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := readAll(ctx, data)
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 2*maxBytes {
		t.Errorf("%s: %d bytes were allocated", name, taken)
	}
	if ctx.Err() != nil {
		t.Errorf("%s: it takes too long: %v", name, err)
	}
	return err
}

// Broken files give an error, or what is sound of them, soon and with little memory.
func TestBrokenFiles(t *testing.T) {
	folder := filepath.Join(testdataFolder(t), "corrupt", "nitf")
	count := 0
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		count++
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		t.Logf("%s: %v", filepath.Base(path), checkCheap(t, path, data))
		return nil
	})
	if err != nil || count == 0 {
		t.Fatalf("%d files, %v", count, err)
	}
}

// An image whose subheader is damaged is unsupported, and the others keep their numbers.
func TestDamagedSubheader(t *testing.T) {
	const width = 9
	sound := nitftest.Image{Width: width, Value: noise}
	for damaged := range 3 {
		images := []nitftest.Image{sound, sound, sound}
		images[damaged].Fields = nitftest.Fields{"NBPP": "XX"}
		f := open(t, nitftest.File{Images: images}.Bytes())
		if len(f.Images()) != len(images) {
			t.Fatalf("%d images, want %d", len(f.Images()), len(images))
		}
		for i, m := range f.Images() {
			if i == damaged {
				if err := m.Unsupported(); err == nil || !strings.HasPrefix(err.Error(), `NBPP is "XX"`) {
					t.Errorf("image %d: %v", i+1, err)
				}
				continue
			}
			tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if v, _ := tiles[0].At(0, 5, 3); v != noise(5, 3, 0) {
				t.Errorf("image %d: a sample of %v, want %v", i+1, v, noise(5, 3, 0))
			}
		}
	}
	_, err := openBytes(t, nitftest.File{Images: []nitftest.Image{{Fields: nitftest.Fields{"NBPP": "XX"}}}}.Bytes())
	if err == nil || !strings.Contains(err.Error(), `image segment 1 of 1: NBPP is "XX"`) {
		t.Errorf("one image that is damaged: %v", err)
	}
}

// recorder records the longest range that is read.
type recorder struct {
	source.Source
	longest int64
}

func (r *recorder) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	for _, one := range ranges {
		r.longest = max(r.longest, one.Length)
	}
	return r.Source.ReadRanges(ctx, ranges)
}

// Of the coverage of a frame, only the corners are read, however long the file says that it is.
func TestLongCoverage(t *testing.T) {
	const side, claimed, most = 1000, 900_000, 64 << 10
	locations := make([]byte, 14, 24)
	binary.BigEndian.PutUint32(locations[2:], 14) // where the table is, its length, and that of a location
	binary.BigEndian.PutUint16(locations[6:], 1)
	binary.BigEndian.PutUint16(locations[8:], 10)
	locations = binary.BigEndian.AppendUint16(locations, uint16(rpf.Coverage))
	locations = binary.BigEndian.AppendUint32(locations, claimed)
	locations = binary.BigEndian.AppendUint32(locations, 100)
	data := nitftest.File{Images: []nitftest.Image{{Width: side, Height: side, TREs: []nitftest.TRE{{Tag: "RPFIMG", Data: locations}}}}}.Bytes()
	r := &recorder{Source: source.NewBytes("scene.ntf", data)}
	if _, err := Open(t.Context(), r, Config{Pool: pool.New(pool.Config{Workers: 1}), Key: "key"}); err != nil {
		t.Fatal(err)
	}
	if r.longest > most {
		t.Errorf("%d bytes are read at once", r.longest)
	}
}

// Real files that are cut off anywhere, or have wrong bytes, are survived. What is sound of them has the
// pixels of the whole file.
func TestRealFilesCutAndBroken(t *testing.T) {
	folder := testdataFolder(t)
	random := rand.New(rand.NewPCG(1, 2))
	compared := make(map[string]int)
	for _, want := range references(t, folder, "nitf/") {
		data, err := os.ReadFile(filepath.Join(folder, want.Path))
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			cut := data[:random.IntN(len(data))]
			_ = checkCheap(t, want.Path+" cut", cut)
			compared["cut"] += compareSound(t, want.Path+" cut", data, cut)
			broken := append([]byte(nil), data...)
			for range 1 + random.IntN(20) {
				broken[random.IntN(min(len(broken), 4096))] = byte(random.IntN(256))
			}
			_ = checkCheap(t, want.Path+" broken", broken)
			compared["broken"] += compareSound(t, want.Path+" broken", data, broken)
		}
	}
	if t.Logf("tiles compared: %v", compared); compared["cut"] < 100 || compared["broken"] < 20 {
		t.Error("hardly any tile was compared")
	}
}

// compareSound compares what is sound of the images of a damaged file with the same of the whole one,
// and returns how many tiles it has compared.
func compareSound(t *testing.T, name string, whole, damaged []byte) (compared int) {
	t.Helper()
	f, err := openBytes(t, damaged)
	if err != nil {
		return 0
	}
	sound, err := openBytes(t, whole)
	if err != nil {
		return 0
	}
	for n := range min(len(f.structure.Images), len(sound.structure.Images)) {
		if !hasSameHeaders(f, sound, n) || !hasSameData(f, whole, damaged, n) {
			continue
		}
		m, like := segmentOf(t, f, n), segmentOf(t, sound, n)
		if m.Unsupported() != nil || like.Unsupported() != nil {
			continue
		}
		isRaw := strings.HasPrefix(f.structure.Images[n].Compression, "N")
		for level, l := range m.Info().Levels {
			for _, id := range []raster.BlockID{{}, {Col: l.Columns() - 1, Row: l.Rows() - 1}} {
				if !isSound(t, m, like, level, id, isRaw) {
					t.Errorf("%s: block %v of level %d of image %d has other pixels", name, id, level, n+1)
				}
				compared++
			}
		}
	}
	return compared
}

// hasSameHeaders reports whether all headers that the pixels of an image depend on are the same, but
// for the length of the image.
func hasSameHeaders(f, other *File, n int) bool {
	a, b := f.structure.Images[n], other.structure.Images[n]
	a.Content.Length = b.Content.Length
	return reflect.DeepEqual(a, b) && reflect.DeepEqual(f.structure.TREs, other.structure.TREs) && reflect.DeepEqual(f.structure.Data, other.structure.Data)
}

// hasSameData reports whether the damaged file has the data of an image as far as it goes on.
func hasSameData(f *File, whole, damaged []byte, n int) bool {
	c := f.structure.Images[n].Content
	begin, end := min(c.Offset, int64(len(damaged))), min(c.End(), int64(len(damaged)))
	return bytes.HasPrefix(whole[begin:], damaged[begin:end])
}

// isSound reports whether a block without damage is that of another image, and one with damage has none
// but pixels of that, if those can be told.
func isSound(t *testing.T, m, like raster.Provider, level int, id raster.BlockID, isRaw bool) bool {
	t.Helper()
	var tiles [2]raster.Tile
	for i, p := range []raster.Provider{m, like} {
		read, err := p.Blocks(t.Context(), level, []raster.BlockID{id}, nil)
		if err != nil {
			t.Fatal(err)
		}
		tiles[i] = read[0]
	}
	got, want := tiles[0], tiles[1]
	if got.Damage().IsZero() {
		return got.SamePixels(want)
	}
	if !isRaw {
		return true
	}
	for band := range got.Bands() {
		for y := range got.Height() {
			for x := range got.Width() {
				v, coverage := got.At(band, x, y)
				wanted, valid := want.At(band, x, y)
				if coverage == raster.Valid && (v != wanted || valid != raster.Valid) {
					return false
				}
			}
		}
	}
	return true
}

// Small files that claim to be large are refused, or cost little.
func TestFilesThatClaimTooMuch(t *testing.T) {
	for name, fields := range map[string]nitftest.Fields{
		"huge sides":        {"NROWS": "99999999", "NCOLS": "99999999"},
		"huge blocks":       {"NROWS": "99999999", "NCOLS": "99999999", "NPPBH": "0000", "NPPBV": "0000"},
		"many blocks":       {"NROWS": "09999999", "NCOLS": "09999999", "NBPR": "9999", "NBPC": "9999", "NPPBH": "9999", "NPPBV": "9999"},
		"too few blocks":    {"NBPR": "0001", "NBPC": "0001", "NPPBH": "0002", "NPPBV": "0002"},
		"no rows":           {"NROWS": "00000000"},
		"no blocks":         {"NBPR": "0000"},
		"letters":           {"NCOLS": "ABCDEFGH"},
		"no bits":           {"NBPP": "00"},
		"99 bits":           {"NBPP": "99"},
		"an unknown mode":   {"IMODE": "X"},
		"an unknown type":   {"PVTYPE": "XYZ"},
		"an unknown coding": {"IC": "C9"},
		"encrypted":         {"ENCRYP": "1"},
	} {
		for _, compression := range []string{"NC", "NM", "C3", "C4"} {
			m := nitftest.Image{Width: 16, Height: 16, Compression: compression, Fields: fields}
			if err := checkCheap(t, name, nitftest.File{Images: []nitftest.Image{m}}.Bytes()); err == nil {
				t.Errorf("%s of %s is no error", name, compression)
			}
		}
	}
}

// Of a block that the file ends within, the whole rows before that are given.
func TestRowsOfACutBlock(t *testing.T) {
	const side, bands = 20, 3
	const cut = 7*side + 1
	byBand := func(y, band int) int { return (band*side + y + 1) * side }
	for _, test := range []struct {
		mode string
		end  func(y, band int) int // where a row ends in the block
	}{
		{"B", byBand}, {"S", byBand},
		{"P", func(y, _ int) int { return (y + 1) * side * bands }},
		{"R", func(y, band int) int { return (y*bands + band + 1) * side }},
	} {
		data := nitftest.File{Images: []nitftest.Image{{
			Width: side, Height: side, Mode: test.mode, Bands: make([]nitftest.Band, bands), Representation: "MULTI", Value: noise,
		}}}.Bytes()
		m := open(t, data[:len(data)-cut]).Images()[0]
		tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		tile := tiles[0]
		for band := range bands {
			for y := range side {
				isSound := test.end(y, band) <= side*side*bands-cut
				v, coverage := tile.At(band, 3, y)
				if isSound != (coverage == raster.Valid) || isSound && v != noise(3, y, band) {
					t.Errorf("IMODE %s: row %d of band %d is %v with coverage %d", test.mode, y, band, v, coverage)
				}
			}
		}
		missing, known, err := m.Missing(t.Context())
		if d := tile.Damage(); err != nil || !known || d.IsZero() || d.IsTotal() || missing.IsTotal() {
			t.Errorf("IMODE %s: the damage is %v, and Missing says %v, %v, %v", test.mode, d, missing, known, err)
		}
	}
}

// Of a block of JPEG that the file ends within, the whole rows before that are given.
func TestRowsOfACutJPEG(t *testing.T) {
	const width, height = 90, 130
	three := make([]nitftest.Band, 3)
	for name, image := range map[string]nitftest.Image{
		"8 bits":        {Compression: "C3"},
		"12 bits":       {Compression: "C3", Bits: 16, ActualBits: 12},
		"lossless":      {Compression: "C5"},
		"bands in one":  {Compression: "C5", Bands: three, Representation: "MULTI", Mode: "P"},
		"half chroma":   {Compression: "C3", Bands: three, Representation: "YCbCr601", Mode: "P", HalfChroma: true},
		"several bands": {Compression: "C3", Bands: three, Representation: "MULTI", Mode: "S"},
	} {
		image.Width, image.Height, image.Value = width, height, noise
		data := nitftest.File{Images: []nitftest.Image{image}}.Bytes()
		content := open(t, data).Images()[0].(*blockImage).header.Content
		read := func(data []byte) raster.Tile {
			tiles, err := open(t, data).Images()[0].Blocks(t.Context(), 0, []raster.BlockID{{}}, []int{0})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return tiles[0]
		}
		share := int64(3)
		if image.Mode == "S" {
			share = 9 // the first of three bands is cut
		}
		whole, cut := read(data), read(data[:content.Offset+content.Length*2/share])
		sound := 0
		for ; sound < height; sound++ {
			if _, coverage := cut.At(0, 0, sound); coverage == raster.Invalid {
				break
			}
		}
		for y := range height {
			for x := range width {
				v, coverage := cut.At(0, x, y)
				if want, _ := whole.At(0, x, y); (coverage == raster.Valid) != (y < sound) || y < sound && v != want || y >= sound && v != 0 {
					t.Fatalf("%s: %d,%d is %v with coverage %d, want %v; %d rows are sound", name, x, y, v, coverage, want, sound)
				}
			}
		}
		d := cut.Damage()
		if sound < height/3 || sound == height || d.IsZero() || d.IsTotal() || !strings.Contains(d.Losses()[0].Text, "on: jpeg: corrupt stream: truncated data") {
			t.Errorf("%s: %d rows are sound; lost: %v, total: %t", name, sound, d.Losses(), d.IsTotal())
		}
	}
}

// Lengths in the file header that are wrong do not matter where the segments are found nevertheless.
func TestWrongLengths(t *testing.T) {
	image := nitftest.Image{Width: 16, Height: 16, Value: noise}
	for name, fields := range map[string]nitftest.Fields{
		"FL":                {"FL": "000000000001"},
		"FL not known":      {"FL": "999999999999"},
		"HL":                {"HL": "000001"},
		"LISH too long":     {"LISH001": "000999"},
		"LISH too short":    {"LISH001": "000100"},
		"LI too long":       {"LI001": "0000999999"},
		"LI not known":      {"LI001": "9999999999"},
		"LI zero":           {"LI001": "0000000000"},
		"no CLEVEL":         {"CLEVEL": "  "},
		"an unknown CLEVEL": {"CLEVEL": "XY"},
	} {
		f, err := openBytes(t, nitftest.File{Images: []nitftest.Image{image}, Fields: fields}.Bytes())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		m := f.Images()[0]
		tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if v, coverage := tiles[0].At(0, 9, 11); v != noise(9, 11, 0) || coverage != raster.Valid {
			t.Errorf("%s: pixel 9,11 is %v with coverage %d, want %v (%q)", name, v, coverage, noise(9, 11, 0), f.Notes())
		}
		if name[0] != 'n' && name[0] != 'a' && len(f.Notes()) == 0 {
			t.Errorf("%s: nothing is noted", name)
		}
	}
}
