package tiff

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"runtime"
	"strings"
	"testing"

	"tileserver/cache"
	"tileserver/decode/pool"
	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
	"tileserver/source"
)

// rawEntry is an entry of a classic little-endian directory, with its value or the value's offset.
type rawEntry struct {
	tag, kind    uint16
	count, value uint32
}

// rawFile returns a header and one directory at offset 8, followed by next.
func rawFile(next uint32, entries ...rawEntry) []byte {
	var b bytes.Buffer
	b.WriteString("II*\x00\x08\x00\x00\x00")
	binary.Write(&b, binary.LittleEndian, uint16(len(entries)))
	for _, e := range entries {
		binary.Write(&b, binary.LittleEndian, e)
	}
	binary.Write(&b, binary.LittleEndian, next)
	return b.Bytes()
}

// rawImage returns the entries of an image of one uncompressed strip of 8x4 pixels. Entries in
// replaced override its own.
func rawImage(replaced ...rawEntry) []rawEntry {
	entries := []rawEntry{
		{256, 3, 1, 8}, {257, 3, 1, 4}, {258, 3, 1, 8}, {259, 3, 1, 1}, {262, 3, 1, 1},
		{273, 4, 1, 8}, {277, 3, 1, 1}, {278, 3, 1, 4}, {279, 4, 1, 32},
	}
	for _, r := range replaced {
		found := false
		for i := range entries {
			if entries[i].tag == r.tag {
				entries[i], found = r, true
			}
		}
		if !found {
			entries = append(entries, r)
		}
	}
	return entries
}

func bigFile(count uint64, rest ...byte) []byte {
	b := []byte("II+\x00\x08\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00")
	b = binary.LittleEndian.AppendUint64(b, count)
	return append(b, rest...)
}

// TestHostileFiles opens and reads files made to hang, to exhaust memory or to read outside of
// them. Each must end soon, with an error or with lost blocks.
func TestHostileFiles(t *testing.T) {
	padding := make([]byte, 200)
	for _, test := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "no TIFF fits into 0 bytes"},
		{"not a TIFF", []byte("GIF89a.........."), "begins with"},
		{"half a header", []byte("II*\x00\x08"), "no TIFF fits into 5 bytes"},
		{"another version", []byte("II\x55\x00\x08\x00\x00\x00"), "version"},
		{"no directory", []byte("II*\x00\x00\x00\x00\x00"), "no directory"},
		{"directory past the end", []byte("II*\x00\xff\xff\xff\x7f"), "EOF"},
		{"ring of one", []byte("II*\x00\x08\x00\x00\x00\x00\x00\x08\x00\x00\x00"), "ImageWidth"},
		{"half a directory", rawFile(0, rawImage()...)[:40], "EOF"},
		{"BigTIFF of other offsets", []byte("II+\x00\x04\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00"), "offsets of 4 bytes"},
		{"BigTIFF of many entries", bigFile(1<<60, padding...), "limit"},
		{"BigTIFF of all entries", bigFile(1<<64-1, padding...), "limit"},
		{"BigTIFF directory nowhere", []byte("II+\x00\x08\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff"), "offset"},
		{"huge count", rawFile(0, rawImage(rawEntry{273, 4, 1<<32 - 1, 8})...), "corrupt"},
		{"huge count of text", rawFile(0, rawImage(rawEntry{42112, 2, 1<<32 - 1, 8})...), "corrupt"},
		{"value past the end", rawFile(0, rawImage(rawEntry{258, 3, 40, 100})...), "corrupt"},
		{"no width", rawFile(0, rawImage(rawEntry{256, 3, 1, 0})...), "ImageWidth"},
		{"no height", rawFile(0, rawImage(rawEntry{257, 3, 1, 0})...), "ImageLength"},
		{"width that is text", rawFile(0, rawImage(rawEntry{256, 2, 2, 'A'})...), "ImageWidth"},
		{"side too long", rawFile(0, rawImage(rawEntry{256, 4, 1, 1 << 31})...), "limit"},
		{"no tile width", rawFile(0, rawImage(rawEntry{322, 3, 1, 0}, rawEntry{323, 3, 1, 16})...), "TileWidth"},
		{"no tile length", rawFile(0, rawImage(rawEntry{322, 3, 1, 16})...), "TileLength"},
		{"no rows in a strip", rawFile(0, rawImage(rawEntry{278, 3, 1, 0})...), "RowsPerStrip"},
		{"no samples", rawFile(0, rawImage(rawEntry{277, 3, 1, 0})...), "SamplesPerPixel"},
		{"too many samples", rawFile(0, rawImage(rawEntry{277, 3, 1, 65535})...), "limit"},
		{"no bits", rawFile(0, rawImage(rawEntry{258, 3, 1, 0})...), "BitsPerSample"},
		{"huge tile", rawFile(0, rawImage(rawEntry{322, 4, 1, 1 << 20}, rawEntry{323, 4, 1, 1 << 20})...), "limit"},
		{"fewer offsets than strips", rawFile(0, rawImage(rawEntry{278, 3, 1, 1})...), "end after 1 of 4 blocks"},
		{"far fewer offsets than strips", rawFile(0, rawImage(rawEntry{257, 3, 1, 17}, rawEntry{278, 3, 1, 1})...), "1 values for 17 blocks"},
		{"billions of strips", rawFile(0, rawImage(rawEntry{257, 4, 1, 1 << 30}, rawEntry{278, 3, 1, 1})...), "blocks"},
		{"no offsets", rawFile(0, rawImage()[:5]...), "no offsets"},
		{"signed offsets", rawFile(0, rawImage(rawEntry{273, 9, 1, 8})...), "type 9"},
		{"strip past the end", rawFile(0, rawImage(rawEntry{273, 4, 1, 5000})...), "of a file of"},
		{"size past the end", rawFile(0, rawImage(rawEntry{257, 3, 1, 99}, rawEntry{278, 3, 1, 99}, rawEntry{279, 4, 1, 5000})...), "of a file of"},
		{"strip too short", rawFile(0, rawImage(rawEntry{279, 4, 1, 31})...), "ends after 31 of 32 bytes"},
		{"strip of a billion rows", rawFile(0, rawImage(rawEntry{257, 4, 1, 1 << 30}, rawEntry{278, 4, 1, 1 << 30})...), "1073741824 rows of"},
		{"strip of a billion rows past the end", rawFile(0, rawImage(rawEntry{257, 4, 1, 1 << 30}, rawEntry{278, 4, 1, 1 << 30}, rawEntry{273, 4, 1, 5000})...), "1073741824 rows of"},
		{"bits that differ, apart", append(rawFile(0, rawImage(rawEntry{258, 3, 2, 8 | 16<<16}, rawEntry{277, 3, 1, 2}, rawEntry{284, 3, 1, 2})...), padding...), "BitsPerSample of sample 2"},
		{"unsupported bits", append(rawFile(0, rawImage(rawEntry{258, 3, 2, 8}, rawEntry{277, 3, 1, 2})...), padding...), "unsupported"},
		{"unknown compression", rawFile(0, rawImage(rawEntry{259, 3, 1, 52546})...), "compression 52546 (jpeg xl)"},
		{"complex samples of 16 bits", append(rawFile(0, rawImage(rawEntry{339, 3, 1, 6}, rawEntry{258, 3, 1, 16})...), make([]byte, 400)...), "complex float"},
	} {
		for name, config := range hostileConfigs() {
			var err error
			grown := allocatedBy(func() { err = readBytes(t.Context(), test.file, config) })
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s, %s: got %v, want an error with %q", test.name, name, err, test.want)
			}
			if grown > 8<<20 {
				t.Errorf("%s, %s: %d MiB were allocated", test.name, name, grown>>20)
			}
		}
	}
}

// hostileConfigs returns limits narrower than a file needs, and the default limits.
func hostileConfigs() map[string]Config {
	bounded := pool.Config{Workers: 1, Budget: cache.NewBudget(64 << 20)}
	return map[string]Config{
		"narrow limits":  {Pool: testPool(), Limits: Limits{BlockBytes: 1 << 24, Directories: 100}},
		"default limits": {Pool: pool.New(bounded)},
	}
}

// allocatedBy returns how many bytes are allocated while f runs.
func allocatedBy(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestRawImage reads the image that the hostile files are derived from, unchanged.
func TestRawImage(t *testing.T) {
	config := hostileConfigs()["narrow limits"]
	if err := readBytes(t.Context(), rawFile(0, rawImage()...), config); err != nil {
		t.Error(err)
	}
	withoutCounts := rawFile(0, rawImage()[:8]...)
	if err := readBytes(t.Context(), withoutCounts, config); err != nil {
		t.Errorf("without sizes of strips: %v", err)
	}
	strange := rawFile(0, rawImage(rawEntry{269, 2, 1<<32 - 1, 8}, rawEntry{60000, 99, 5, 8}, rawEntry{42113, 2, 0, 8})...)
	if err := readBytes(t.Context(), strange, config); err != nil {
		t.Errorf("with unused tags and empty ones: %v", err)
	}
}

// readBytes opens a file and reads the first and the last block of each level.
func readBytes(ctx context.Context, data []byte, config Config) error {
	f, err := Open(ctx, source.NewBytes("test", data), config)
	if err != nil {
		return err
	}
	for _, m := range f.Images() {
		m.Georeference()
		for level, l := range m.Info().Levels {
			ids := []raster.BlockID{{}, {Col: l.Columns() - 1, Row: l.Rows() - 1}}
			tiles, err := m.Blocks(ctx, level, ids, nil)
			if err := cmp.Or(err, damageOf(tiles)); err != nil {
				return err
			}
		}
	}
	return nil
}

func TestLongChain(t *testing.T) {
	config := hostileConfigs()["narrow limits"]
	var images []tifftest.Image
	for range 101 {
		images = append(images, flat(2, 2, 1))
	}
	if err := readBytes(t.Context(), encode(t, tifftest.File{Images: images}), config); !errors.Is(err, ErrLimit) {
		t.Errorf("101 directories where 100 are allowed: got %v, want %v", err, ErrLimit)
	}
	if err := readBytes(t.Context(), encode(t, tifftest.File{Images: images[:100]}), config); err != nil {
		t.Errorf("100 directories: %v", err)
	}
}
