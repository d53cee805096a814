package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// pyramidOf writes the pyramid of a file, and returns its path.
func pyramidOf(t *testing.T, path string, options ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.tif")
	code, stdout, stderr := runProgram(t, append([]string{"pyramid", path, out}, options...)...)
	if code != exitOK || !strings.Contains(stdout, "level") {
		t.Fatalf("pyramid %s %v: exit code %d: %s", path, options, code, stderr)
	}
	wantAlone(t, out)
	return out
}

// wantAlone fails if something else is in the folder of a file.
func wantAlone(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.Name() != filepath.Base(path) {
			t.Errorf("%s is left", entry.Name())
		}
	}
}

// samplesOf returns all samples of a file.
func samplesOf(t *testing.T, path string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.raw")
	if code, _, stderr := runProgram(t, "read", path, "-o", out); code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	return readAll(t, out)
}

func readAll(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// blockedFile returns a file of many blocks.
func blockedFile(t *testing.T) string {
	return writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{{
		Width: 901, Height: 503, Samples: 3, Tiled: true, BlockWidth: 64, BlockHeight: 64, Compression: tifftest.Deflate, Value: ramp,
	}}})
}

func TestAPyramidHasThePixelsOfItsSource(t *testing.T) {
	path := blockedFile(t)
	want := samplesOf(t, path)
	for _, compression := range []string{"zstd", "deflate", "lzw", "lerc", "webp", "none"} {
		out := pyramidOf(t, path, "--compression", compression, "--block-size", "128")
		if !bytes.Equal(samplesOf(t, out), want) {
			t.Errorf("%s: the samples differ", compression)
		}
		if _, stdout, _ := runProgram(t, "info", out); !strings.Contains(stdout, "451 x 252") || !strings.Contains(stdout, compression) && compression != "none" {
			t.Errorf("%s: %s", compression, stdout)
		}
	}
}

func TestAPyramidHasTheSameBytesForAnyNumberOfWorkers(t *testing.T) {
	path := blockedFile(t)
	want := readAll(t, pyramidOf(t, path, "--workers", "1", "--block-size", "64"))
	for _, workers := range []string{"2", "8"} {
		if !bytes.Equal(readAll(t, pyramidOf(t, path, "--workers", workers, "--block-size", "64", "--memory", "16MiB")), want) {
			t.Errorf("%s workers write another file", workers)
		}
	}
}

func TestMistakesOfPyramidsAreExplained(t *testing.T) {
	good := smallTIFF(t)
	out := filepath.Join(t.TempDir(), "out.tif")
	there := writeFile(t, t.TempDir(), "there.tif", "old")
	for _, test := range []struct{ args, says string }{
		{"", "pyramid needs a file and an output"},
		{good, "pyramid needs a file and an output"},
		{good + " " + out + ".png", "pyramid writes GeoTIFF, whose names end in .tif or .tiff"},
		{good + " " + there, "exists already; --overwrite replaces it"},
		{good + " " + good + " --overwrite", "pyramid would overwrite"},
		{good + " " + filepath.Dir(good) + " --overwrite", "writes GeoTIFF"},
		{good + " https://a.example/out.tif", "out.tif"},
		{good + " " + out + " --compression zip", `not "zip"`},
		{good + " " + out + " --quality 80", "zstd loses nothing"},
		{good + " " + out + " --compression jpeg --quality 101", "--quality must be 1 to 100"},
		{good + " " + out + " --block-size 100", "--block-size must be a multiple of 16"},
		{good + " " + out + " --resampling cubic", "--resampling must be average or nearest"},
		{good + " " + out + " --on-error perhaps", "--on-error must be stop or skip"},
		{good + " " + out + " --workers 0", "--workers must be from 1"},
		{good + " " + out + " --memory 1MiB", "--memory must be at least 16MiB"},
		{good + "#7 " + out, "7"},
		{good + ".gone " + out, "no such file or folder"},
	} {
		code, _, stderr := runProgram(t, append([]string{"pyramid"}, strings.Fields(test.args)...)...)
		if code != exitUsage || !strings.Contains(stderr, test.says) {
			t.Errorf("%s: exit code %d, %s", test.args, code, stderr)
		}
	}
	if string(readAll(t, there)) != "old" {
		t.Error("the file that was there has changed")
	}
	if code, _, stderr := runProgram(t, "pyramid", good, there, "--overwrite"); code != exitOK || string(readAll(t, there)) == "old" {
		t.Errorf("--overwrite: exit code %d: %s", code, stderr)
	}
}

func TestAnOutputThatCannotBeWrittenIsNamed(t *testing.T) {
	out := filepath.Join(t.TempDir(), "gone", "out.tif")
	code, _, stderr := runProgram(t, "pyramid", smallTIFF(t), out)
	if code != exitFailure || !strings.Contains(stderr, "cannot write "+out+": ") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestDamagedBlocksEndAPyramidOrAreNodata(t *testing.T) {
	path := blockedFile(t)
	sound := samplesOf(t, path)
	data := readAll(t, path)
	for i := len(data) / 3; i < len(data)/3+200; i++ {
		data[i] = 0xff
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out.tif")
	code, _, stderr := runProgram(t, "pyramid", path, out)
	if _, err := os.Stat(out); code != exitFailure || !os.IsNotExist(err) || !strings.Contains(stderr, path) || !strings.Contains(stderr, "block ") {
		t.Errorf("exit code %d, %v: %s", code, err, stderr)
	}
	code, stdout, stderr := runProgram(t, "pyramid", path, out, "--on-error", "skip")
	if code != exitDamaged || !strings.Contains(stdout, "levels") || !strings.Contains(stderr, " damaged block") {
		t.Fatalf("exit code %d: %s%s", code, stdout, stderr)
	}
	wantAlone(t, out)
	lost := 0
	for i, sample := range samplesOf(t, out) {
		if sample != sound[i] {
			lost++
		}
	}
	if lost == 0 || lost > 3*3*64*64 {
		t.Errorf("%d samples are lost", lost)
	}
	if _, stdout, _ := runProgram(t, "info", out); !strings.Contains(stdout, "mask") {
		t.Errorf("no mask tells what is lost: %s", stdout)
	}
}

func TestPalettesKeepTheirColorsInOverviews(t *testing.T) {
	img := tifftest.Image{
		Width: 201, Height: 103, Tiled: true, BlockWidth: 64, BlockHeight: 64, Compression: tifftest.Deflate,
		Palette: make([][3]uint16, 256), Value: func(x, y, _ int) float64 { return float64(9 * ((x + y) % 2)) },
	}
	path := writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{img}})
	out := pyramidOf(t, path, "--block-size", "64")
	raw := filepath.Join(t.TempDir(), "out.raw")
	if code, _, stderr := runProgram(t, "read", out, "--level", "1", "-o", raw); code != exitOK {
		t.Fatal(stderr)
	}
	for _, sample := range readAll(t, raw) {
		if sample != 0 && sample != 9 {
			t.Fatalf("an overview has the color %d, which the image has not", sample)
		}
	}
	if code, _, stderr := runProgram(t, "pyramid", path, filepath.Join(t.TempDir(), "b.tif"), "--resampling", "average"); code != exitUsage || !strings.Contains(stderr, "use nearest") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
