package tiff

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
	"tileserver/source"
)

// after returns rawImage followed by a chain of directories with other entries. A tag of 0 stands
// for a directory that is cut off.
func after(directories ...[]rawEntry) []byte {
	file := rawFile(0, rawImage()...)
	link := len(file) - 4
	for _, entries := range directories {
		binary.LittleEndian.PutUint32(file[link:], uint32(len(file)))
		file = append(file, rawFile(0, entries...)[8:]...)
		link = len(file) - 4
	}
	return file
}

// TestDamagedDirectories opens files of which only the first image is sound, and reads it.
func TestDamagedDirectories(t *testing.T) {
	sound := len(after())
	chain := make([][]rawEntry, 90)
	for _, test := range []struct {
		name   string
		file   []byte
		images int
		notes  int
		want   string // part of the last note
	}{
		{"ring after an image", rawFile(8, rawImage()...), 1, 1, "twice"},
		{"ring of what is below", rawFile(0, rawImage(rawEntry{330, 4, 1, 8})...), 1, 1, "twice"},
		{"long chain of nothing", after(chain...), 1, 9, "82 more directories"},
		{"directory past the end", rawFile(1<<31, rawImage()...), 1, 1, "EOF"},
		{"directory that is cut off", after(rawImage())[:sound+30], 1, 1, "directory 2 at"},
		{"directory of too many entries", append(rawFile(uint32(sound), rawImage()...), 0xff, 0xff), 1, 1, "65535 entries"},
		{"image that contradicts itself", after(rawImage(rawEntry{257, 3, 1, 17}, rawEntry{278, 3, 1, 1}), rawImage()), 2, 1, "1 values for 17 blocks"},
		{"value past the end", after(rawImage(rawEntry{258, 3, 40, 1 << 20}), rawImage()), 1, 1, "BitsPerSample"},
		{"image over the limits", after(rawImage(rawEntry{256, 4, 1, 1 << 31}), rawImage()), 2, 1, "limit"},
		{"nothing below", append(rawFile(0, rawImage(rawEntry{330, 4, 2, uint32(sound + 12)})...), "\xff\xff\xff\x7f\xff\xff\xff\x7e"...), 1, 2, "below directory 1"},
	} {
		f, err := Open(t.Context(), source.NewBytes("test", test.file), Config{Pool: testPool()})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		notes := f.Notes()
		if len(f.Images()) != test.images || len(notes) != test.notes || !strings.Contains(notes[len(notes)-1], test.want) {
			t.Errorf("%s: %d images, notes %q; want %d, and %d of which the last says %q", test.name, len(f.Images()), notes, test.images, test.notes, test.want)
		}
		if _, err := f.Images()[0].Blocks(t.Context(), 0, []raster.BlockID{{}}, nil); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// TestDamagedMasks opens masks that can be read only in part. The image must not show what they
// hide.
func TestDamagedMasks(t *testing.T) {
	mask := func(replaced ...rawEntry) []rawEntry {
		return append([]rawEntry{{254, 4, 1, 4}}, rawImage(replaced...)...)
	}
	for _, test := range []struct {
		name string
		mask []rawEntry
		want string
	}{
		{"a value past the end", mask(rawEntry{273, 4, 9, 1 << 20}), "directory 2 at"},
		{"a palette past the end", mask(rawEntry{258, 3, 1, 1}, rawEntry{262, 3, 1, 3}, rawEntry{320, 3, 6, 1 << 20}), "directory 2 at"},
		{"signed offsets", mask(rawEntry{273, 9, 1, 8}), "type 9"},
		{"no width", mask(rawEntry{256, 3, 1, 0}), "ImageWidth"},
		{"an unknown compression", mask(rawEntry{259, 3, 1, 60000}), "60000"},
		{"16 bits", mask(rawEntry{258, 3, 1, 16}), "1 samples of 16 bits"},
		{"three samples", mask(rawEntry{277, 3, 1, 3}), "3 samples"},
	} {
		m := openBytes(t, after(test.mask)).Images()[0]
		_, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
		if m.Unsupported() == nil || err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "mask") {
			t.Errorf("%s: unsupported %v, reading %v, want %q", test.name, m.Unsupported(), err, test.want)
		}
	}
}

// TestLimitsHoldForAllOfAFile opens files whose later directories exceed the limits. That is an
// error, not damage to skip.
func TestLimitsHoldForAllOfAFile(t *testing.T) {
	file := after(rawImage(), rawImage(), rawImage())
	_, err := Open(t.Context(), source.NewBytes("test", file), Config{Pool: testPool(), Limits: Limits{Directories: 3}})
	if !errors.Is(err, ErrLimit) {
		t.Errorf("got %v, want %v", err, ErrLimit)
	}
}

// TestMaskOfAFinerLevel compares the coverage of an overview without a mask with the mask of the
// image.
func TestMaskOfAFinerLevel(t *testing.T) {
	value := func(x, y, _ int) float64 { return float64((x*y/3 + x) / 5 % 2) }
	for _, side := range [][2]int{{151, 102}, {150, 101}, {76, 51}, {38, 26}} {
		full, mask, small := flat(301, 203, 7), flat(301, 203, 1), overview(flat(side[0], side[1], 8))
		mask.Bits, mask.Subfile, mask.Value, mask.Compression = 1, tifftest.Mask, value, tifftest.Deflate
		mask.Tiled, mask.BlockWidth, mask.BlockHeight = true, 48, 80
		small.Tiled, small.BlockWidth, small.BlockHeight = true, 32, 16
		m := open(t, tifftest.File{Images: []tifftest.Image{full, mask, small}}).Images()[0]
		if err := checkCoverage(t, m, value); err != nil {
			t.Errorf("%dx%d: %v", side[0], side[1], err)
		}
	}
}

// checkCoverage computes the coverage again, pixel by pixel of the mask.
func checkCoverage(t *testing.T, m *Image, value func(x, y, band int) float64) error {
	l := m.Info().Levels[1]
	valid, all := make([]int, l.Width*l.Height), make([]int, l.Width*l.Height)
	for y := range 203 {
		for x := range 301 {
			at := int((float64(y)+0.5)/203*float64(l.Height))*l.Width + int((float64(x)+0.5)/301*float64(l.Width))
			all[at]++
			valid[at] += int(value(x, y, 0))
		}
	}
	ids := l.Covering(l.Bounds())
	tiles, err := m.Blocks(t.Context(), 1, ids, nil)
	if err != nil {
		return err
	}
	for i, tile := range tiles {
		rect := l.Block(ids[i])
		for y := rect.Y0; y < rect.Y1; y++ {
			for x := rect.X0; x < rect.X1; x++ {
				n := y*l.Width + x
				v, coverage := tile.At(0, x-rect.X0, y-rect.Y0)
				if want := valid[n] * 255 / all[n]; v != 8 || int(coverage) != want {
					return fmt.Errorf("at %d,%d: value %v of coverage %d, want %d", x, y, v, coverage, want)
				}
			}
		}
	}
	if bytes.Equal(tiles[0].Validity(0), tiles[len(tiles)-1].Validity(0)) {
		return errors.New("all blocks are alike")
	}
	return nil
}
