package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/cmd/tileserver/damaged"
	"tileserver/decode/tiff/tifftest"
	"tileserver/integration/realfiles"
)

// Files from corruption corpora are reported with the lost parts, or with the reason if all is
// lost.
func TestDamagedFilesAreReported(t *testing.T) {
	folder := filepath.Join(realfiles.Folder(t, "MANIFEST.tsv"), "corrupt", "jp2k")
	for _, test := range []struct {
		file         string
		read, render int
		says         string
	}{
		{"gdal/small_world_truncated.jp2", exitDamaged, exitDamaged, "lost: 1 incomplete tile\n  tile 0: packets: packet 2: "},
		{"jasper/268_poc.jp2", exitFailure, exitFailure, "none of the requested data could be decoded"},
		{"jasper/269.jp2", exitFailure, exitFailure, "none of the requested data could be decoded"},
		{"jasper/poc_265.jp2", exitDamaged, exitDamaged, "lost: 1 incomplete tile\n"},
		{"jpylyzer/oj-ppt-tilepart-header.jp2", exitDamaged, exitDamaged, "lost: 1 missing tile\n  tile 1: nothing of it is stored"},
		{"jpylyzer/oj-tileindex-error-1.jp2", exitDamaged, exitDamaged, "lost: 1 code-block, 1 incomplete tile\n  code-block 4 of band 1, resolution 5, component 2, tile 4: "},
		{"oiio-images/issue_3427.jp2", exitDamaged, exitDamaged, "the file ends within the tile-part at 86"},
		{"openhtj2k/security_threaded_decode_abort.j2k", exitDamaged, exitDamaged, "lost: 1 code-block\n"},
		{"openjpeg-data/451.pdf.SIGSEGV.ce9.3723.jp2", exitFailure, exitFailure, "none of the requested data could be decoded"},
		{"openjpeg-data/broken1.jp2", exitDamaged, exitDamaged, "lost: 1 code-block\n  code-block 1 of band 2, resolution 5, component 2, tile 0: "},
		{"openjpeg-data/issue363-4792.jp2", exitDamaged, exitOK, "lost: 17 incomplete tiles\n"},
		{"openjpeg-data/issue726.j2k", exitDamaged, exitDamaged, "lost: 64 missing tiles and more\n"},
		{"openjpeg-data/issue775.j2k", exitFailure, exitFailure, "component 0 has 97 bands and 19 steps"},
		{"gdal/inconsitant_geojp2_gmljp2.jp2", exitOK, exitOK, ""},
		{"pillow/issue_6194.j2k", exitOK, exitOK, ""},
	} {
		path, out := filepath.Join(folder, test.file), filepath.Join(t.TempDir(), "out")
		wantInfo := exitDamaged
		if test.says == "" {
			wantInfo = exitOK
		}
		if code, stdout, stderr := runProgram(t, "info", path); code != wantInfo || strings.Contains(stdout, "\nlost ") != (wantInfo == exitDamaged) {
			t.Errorf("info %s: exit code %d, want %d: %s%s", test.file, code, wantInfo, stdout, stderr)
		}
		for command, want := range map[string]int{"read": test.read, "render": test.render} {
			to := out + map[string]string{"read": ".raw", "render": ".png"}[command]
			code, _, stderr := runProgram(t, command, path, "-o", to)
			says := test.says
			if want == exitOK {
				says = ""
			}
			if code != want || !strings.Contains(stderr, says) || says == "" && stderr != "" || says != "" && !strings.Contains(stderr, path) {
				t.Errorf("%s %s: exit code %d, want %d: %s", command, test.file, code, want, stderr)
			}
			if _, err := os.Stat(to); os.IsNotExist(err) != (want == exitFailure) {
				t.Errorf("%s %s: exit code %d, and of the output: %v", command, test.file, code, err)
			}
		}
	}
}

func TestCommandsRejectTooSmallBudgets(t *testing.T) {
	path := smallTIFF(t)
	out := filepath.Join(t.TempDir(), "out.png")
	for _, command := range []string{"read", "render"} {
		if code, _, stderr := runProgram(t, command, path, "-o", out, "--in-flight", "12kB"); code != exitUsage || !strings.Contains(stderr, "at least 1MiB") {
			t.Errorf("%s: exit code %d, %s", command, code, stderr)
		}
		if code, _, stderr := runProgram(t, command, path, "-o", out, "--in-flight", "1MiB"); code != exitOK {
			t.Errorf("%s in 1MiB: exit code %d, %s", command, code, stderr)
		}
	}
}

// An error about insufficient memory names the option to raise.
func TestTooLittleMemoryNamesTheOption(t *testing.T) {
	path := writeTIFF(t, "a.tif", oneBlock(1200, 1100))
	for _, args := range [][]string{{"read", path, "-o", filepath.Join(t.TempDir(), "out")}, {"render", path, "-o", filepath.Join(t.TempDir(), "out.png")}} {
		code, _, stderr := runProgram(t, append(args, "--in-flight", "1MiB")...)
		if code != exitFailure || !strings.Contains(stderr, "--in-flight") {
			t.Errorf("%s: exit code %d, %s", args[0], code, stderr)
		}
		if code, _, stderr := runProgram(t, append(args, "--in-flight", "64MiB")...); code != exitOK {
			t.Errorf("%s with more: exit code %d, %s", args[0], code, stderr)
		}
	}
}

// oneBlock returns an image in a single strip, which cannot be read in parts.
func oneBlock(width, height int) tifftest.File {
	return tifftest.File{Images: []tifftest.Image{{
		Width: width, Height: height, BlockHeight: height, Compression: tifftest.Deflate, Value: ramp,
	}}}
}

func TestInfoChecksAllPixels(t *testing.T) {
	img := tifftest.Image{Width: 64, Height: 96, Tiled: true, BlockWidth: 32, BlockHeight: 32, Compression: tifftest.Deflate, Value: ramp}
	sound := writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{img}})
	data, err := os.ReadFile(sound)
	if err != nil {
		t.Fatal(err)
	}
	clear(data[12:40]) // in the first block
	damaged := writeFile(t, t.TempDir(), "damaged.tif", string(data))
	clear(data[12 : len(data)/2]) // in the first four of the six blocks
	worse := writeFile(t, t.TempDir(), "worse.tif", string(data))
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"info", sound, "--check"}, exitOK, "damage        none found in all pixels\n"},
		{[]string{"info", damaged}, exitOK, ""},
		{[]string{"info", damaged, "--check"}, exitDamaged, "damage        1 block, found in all pixels\nlost          "},
		{[]string{"info", damaged, "--check", "--json"}, exitDamaged, `"block": 1`},
		{[]string{"info", worse, "--check", "--json"}, exitDamaged, `"block": 4`},
	} {
		code, stdout, stderr := runProgram(t, test.args...)
		if code != test.code || !strings.Contains(stdout, test.says) || (code == exitDamaged) != strings.Contains(stderr, "is damaged; lost: ") {
			t.Errorf("%v: exit code %d, want %d: %s%s", test.args, code, test.code, stdout, stderr)
		}
	}
}

// For a large file, info checks the headers or a coarse level.
func TestInfoChecksHeadersOfLargeFiles(t *testing.T) {
	path := filepath.Join(realfiles.Folder(t, "MANIFEST.tsv"), "corrupt", "jp2k", "openjpeg-data", "edf_c2_1000671.jp2")
	code, stdout, _ := runProgram(t, "info", path, "--json")
	if code != exitDamaged || !strings.Contains(stdout, `"looked_at": "headers"`) || !strings.Contains(stdout, `"missing tile": 63`) && !strings.Contains(stdout, `"missing tile": 64`) {
		t.Errorf("exit code %d: %s", code, stdout)
	}
}

// If half of a TIFF without overviews is lost, the other half is rendered, also at coarse scales.
func TestHalfOfATIFFIsRendered(t *testing.T) {
	img := tifftest.Image{Width: 640, Height: 500, Samples: 3, Tiled: true, BlockWidth: 64, BlockHeight: 64, Compression: tifftest.Deflate, Value: ramp}
	sound, err := os.ReadFile(writeTIFF(t, "sound.tif", tifftest.File{COG: true, Images: []tifftest.Image{img}}))
	if err != nil {
		t.Fatal(err)
	}
	half := writeFile(t, t.TempDir(), "half.tif", string(sound[:len(sound)/2]))
	raw := filepath.Join(t.TempDir(), "half.raw")
	for _, args := range [][]string{
		{"info", half, "--check"},
		{"render", half, "--max_size", "40", "-o", filepath.Join(t.TempDir(), "half.png")},
		{"read", half, "--bands", "2", "-o", raw},
	} {
		code, _, stderr := runProgram(t, args...)
		if code != exitDamaged || !strings.Contains(stderr, "is damaged; lost: 4") || !strings.Contains(stderr, " blocks\n  block 0,4 of directory 1: ") {
			t.Errorf("%v: exit code %d: %s", args, code, stderr)
		}
	}
	samples, err := os.ReadFile(raw)
	if err != nil || len(samples) != 640*500 {
		t.Fatal(len(samples), err)
	}
	for y, want := range map[int]byte{7: byte(ramp(3, 7, 1)), 250: byte(ramp(3, 250, 1)), 257: 0, 499: 0} {
		if y < 256 && want == 0 || samples[y*640+3] != want && y != 250 {
			t.Errorf("row %d: %d, want %d", y, samples[y*640+3], want)
		}
	}
	code, _, stderr := runProgram(t, "read", half, "--window", "0,400,640,100", "-o", filepath.Join(t.TempDir(), "gone"))
	if code != exitFailure || !strings.Contains(stderr, damaged.ErrNothingDecoded.Error()) {
		t.Errorf("of what is lost: exit code %d: %s", code, stderr)
	}
}

// A truncated TIFF is detected by the offsets of its blocks alone.
func TestInfoOfATruncatedTIFF(t *testing.T) {
	for _, test := range []struct {
		img  tifftest.Image
		keep float64
		says string
	}{
		{tifftest.Image{Width: 5000, Height: 3000, Tiled: true, BlockWidth: 512, BlockHeight: 512, Value: ramp}, 0.5, "damage        31 blocks, found in headers\nlost          block "},
		{tifftest.Image{Width: 133, Height: 71, Tiled: true, BlockWidth: 64, BlockHeight: 32, Value: ramp}, 0.9, "damage        1 block, found in all pixels\nlost          block 2,2 of directory 1: "},
	} {
		data, err := tifftest.File{COG: true, Images: []tifftest.Image{test.img}}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		path := writeFile(t, t.TempDir(), "cut.tif", string(data[:int(test.keep*float64(len(data)))]))
		if code, stdout, stderr := runProgram(t, "info", path); code != exitDamaged || !strings.Contains(stdout, test.says) {
			t.Errorf("exit code %d, want %d and %q: %s%s", code, exitDamaged, test.says, stdout, stderr)
		}
	}
}
