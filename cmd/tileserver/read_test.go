package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
)

// rawSamples returns the samples of a window of an image in the format that read writes.
func rawSamples(img tifftest.Image, window raster.Rect, bands []int) []byte {
	var out []byte
	for _, band := range bands {
		for y := window.Y0; y < window.Y1; y++ {
			for x := window.X0; x < window.X1; x++ {
				out = appendSample(out, img, img.Value(x, y, band))
			}
		}
	}
	return out
}

func appendSample(out []byte, img tifftest.Image, value float64) []byte {
	switch {
	case img.Format == tifftest.Float && img.Bits == 64:
		return binary.LittleEndian.AppendUint64(out, math.Float64bits(value))
	case img.Format == tifftest.Float:
		return binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(value)))
	case img.Bits == 16:
		return binary.LittleEndian.AppendUint16(out, uint16(int64(math.Round(value))))
	case img.Bits == 32:
		return binary.LittleEndian.AppendUint32(out, uint32(int64(math.Round(value))))
	default:
		return append(out, byte(int64(math.Round(value))))
	}
}

func TestReadWritesExactSamples(t *testing.T) {
	deep := func(x, y, band int) float64 { return float64((x*257 + y*1031 + band*9973) % 65536) }
	below := func(x, y, band int) float64 { return float64(x-3*y) + float64(band)/4 }
	whole := raster.Rect{}
	for _, test := range []struct {
		name   string
		img    tifftest.Image
		big    bool
		args   string
		window raster.Rect // empty: all of the level
		level  int
		bands  []int
	}{
		{"all of 8 bits", tifftest.Image{Samples: 3, Value: ramp}, false, "", whole, 0, []int{0, 1, 2}},
		{"a window of strips", tifftest.Image{Samples: 3, BlockHeight: 5, Value: ramp}, false, "--window 3,4,50,30", raster.Rect{X0: 3, Y0: 4, X1: 53, Y1: 34}, 0, []int{0, 1, 2}},
		{"16 bits, big endian", tifftest.Image{Bits: 16, Value: deep, Compression: tifftest.LZW, Predictor: 2, BlockHeight: 7}, true, "", whole, 0, []int{0}},
		{"16 bits, big endian, a window of tiles", tifftest.Image{Bits: 16, Samples: 2, Value: deep, Tiled: true, BlockWidth: 32, BlockHeight: 16}, true,
			"--window 31,15,2,18 --bands 2", raster.Rect{X0: 31, Y0: 15, X1: 33, Y1: 33}, 0, []int{1}},
		{"bands apart and in another order", tifftest.Image{Bits: 16, Samples: 4, Planar: true, Value: deep, Tiled: true, BlockWidth: 48, BlockHeight: 16, Compression: tifftest.Deflate}, false,
			"--bands 4,1,1", whole, 0, []int{3, 0, 0}},
		{"signed", tifftest.Image{Bits: 16, Format: tifftest.Signed, Value: below, BlockHeight: 9}, false, "", whole, 0, []int{0}},
		{"signed, of 8 bits", tifftest.Image{Format: tifftest.Signed, Value: func(x, y, _ int) float64 { return float64((x-y)%100 - 10) }}, false, "", whole, 0, []int{0}},
		{"32 bits", tifftest.Image{Bits: 32, Value: func(x, y, _ int) float64 { return float64(x) * float64(y) * 300000 }, Compression: tifftest.ZSTD}, true, "", whole, 0, []int{0}},
		{"floats", tifftest.Image{Bits: 32, Format: tifftest.Float, Predictor: 3, Value: below, Compression: tifftest.Deflate, NoData: "0"}, true,
			"--window 0,0,77,1", raster.Rect{X1: 77, Y1: 1}, 0, []int{0}},
		{"doubles", tifftest.Image{Bits: 64, Format: tifftest.Float, Samples: 2, Value: below}, true, "--bands 2", whole, 0, []int{1}},
		{"one bit", tifftest.Image{Bits: 1, Value: func(x, y, _ int) float64 { return float64((x + y) % 2) }, Compression: tifftest.PackBits}, false, "", whole, 0, []int{0}},
		{"an overview", tifftest.Image{Samples: 3, Value: ramp, Tiled: true, BlockWidth: 16, BlockHeight: 16}, false, "--level 1", whole, 1, []int{0, 1, 2}},
		{"a window of the last overview", tifftest.Image{Bits: 16, Value: deep, Tiled: true, BlockWidth: 16, BlockHeight: 16}, true,
			"--level=2 --window 17,0,3,13", raster.Rect{X0: 17, X1: 20, Y1: 13}, 2, []int{0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			img := test.img
			img.Width, img.Height = 77, 51
			images := withOverviews(img, 2)
			path := writeTIFF(t, "a.tif", tifftest.File{BigEndian: test.big, Images: images})
			out := filepath.Join(t.TempDir(), "out.raw")
			mustRun(t, append([]string{"read", path, "-o", out}, strings.Fields(test.args)...)...)
			got, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			level, window := images[test.level], test.window
			if window.Empty() {
				window = raster.Rect{X1: level.Width, Y1: level.Height}
			}
			want := rawSamples(level, window, test.bands)
			if !bytes.Equal(got, want) {
				t.Fatalf("%d bytes, want %d; the first that differs is %d", len(got), len(want), firstDifference(got, want))
			}
			if piped := mustRun(t, append([]string{"read", path, "-o", "-"}, strings.Fields(test.args)...)...); piped != string(want) {
				t.Errorf("to the standard output %d bytes, want %d; the first that differs is %d", len(piped), len(want), firstDifference([]byte(piped), want))
			}
		})
	}
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

func TestReadReplacesAnOlderFile(t *testing.T) {
	out := writeFile(t, t.TempDir(), "out.raw", strings.Repeat("old", 10000))
	mustRun(t, "read", smallTIFF(t), "--bands", "1", "-o", out)
	if info, err := os.Stat(out); err != nil || info.Size() != 33*21 {
		t.Errorf("%d bytes (%v), want %d", info.Size(), err, 33*21)
	}
}

func TestReadDoesNotTouchItsInput(t *testing.T) {
	path := smallTIFF(t)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	code, _, _ := runProgram(t, "read", path, "-o", filepath.Join(filepath.Dir(path), ".", "small.tif"))
	after, err := os.ReadFile(path)
	if code != exitUsage || err != nil || !bytes.Equal(before, after) {
		t.Errorf("exit code %d, %d bytes of %d are left (%v)", code, len(after), len(before), err)
	}
}

func TestReadOfAnUndecodableFileFails(t *testing.T) {
	path := writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{{Width: 64, Height: 64, Compression: tifftest.Deflate, Value: ramp}}})
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	clear(data[12:40]) // in the middle of the only block
	damaged := writeFile(t, t.TempDir(), "damaged.tif", string(data))
	out := filepath.Join(t.TempDir(), "out")
	code, _, stderr := runProgram(t, "read", damaged, "-o", out)
	if code != exitFailure || !strings.Contains(stderr, "none of the requested data could be decoded: 1 block lost; first: block 0,0 of directory 1") || !strings.Contains(stderr, damaged) {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("an incomplete file was left: %v", err)
	}
}

func TestReadTakesBandsByName(t *testing.T) {
	path := writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{placed()}})
	byNumber := mustRun(t, "read", path, "--window", "3,2,5,4", "--bands", "3,1", "-o", "-")
	for _, bands := range []string{"blue,red", "b3,Red", "blue,1"} {
		if got := mustRun(t, "read", path, "--window", "3,2,5,4", "--bands", bands, "-o", "-"); got != byNumber {
			t.Errorf("--bands %s is other than 3,1", bands)
		}
	}
}
