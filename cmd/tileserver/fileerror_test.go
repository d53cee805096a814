package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// A message names the program, the file and the cause, once each.
func TestMessagesHaveOnePrefix(t *testing.T) {
	path := writeTIFF(t, "a.tif", tifftest.File{Images: []tifftest.Image{placed()}})
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	half := writeFile(t, filepath.Dir(path), "half.tif", string(data[:len(data)/2]))
	large := writeTIFF(t, "large.tif", tifftest.File{Images: []tifftest.Image{
		{Width: 2000, Height: 1000, Tiled: true, BlockWidth: 2000, BlockHeight: 1008, Compression: tifftest.Deflate, Value: ramp},
	}})
	out := filepath.Join(t.TempDir(), "out.png")
	tooLarge := "a block of 2000x1008 pixels takes 3.85 MiB of memory (0.02 MiB stored, 1.93 MiB decompressed, 1.91 MiB as pixels), over the limit of "
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"render", path, "--bidx", "9"}, exitUsage, path + ": there is no band 9; the bands are 1 to 3"},
		{[]string{"render", path, "--expression", "b1+rad"}, exitUsage, path + `: invalid expression at character 4: there is no band "rad"`},
		{[]string{"render", path, "--bidx", "1", "--colormap", "{b"}, exitUsage, "colormap: invalid character 'b'"},
		{[]string{"render", path, "--color_formula", "gam"}, exitUsage, `color_formula: operation 1: "gam" is not gamma, sigmoidal or saturation`},
		{[]string{"render", path, "--tms", "none", "--tile", "0/0/0"}, exitUsage, path + `: there is no tile matrix set "none"`},
		{[]string{"render", half}, exitFailure, half + ": directory 1 at "},
		{[]string{"read", half}, exitFailure, half + ": directory 1 at "},
		{[]string{"render", large, "--in-flight", "1MiB"}, exitFailure, large + ": " + tooLarge + "0.5 MiB; a block may take half of --in-flight, which is 1MiB: give more\n"},
		{[]string{"read", large, "--in-flight", "1MiB"}, exitFailure, large + ": image 1, level 0: " + tooLarge + "1 MiB; give more with --in-flight, which is 1MiB\n"},
		{append([]string{"serve", large, "--in-flight", "1MiB"}, freePorts...), exitFailure, large + ": " + tooLarge + "1 MiB; give more with --in-flight, which is 1MiB\n"},
	} {
		args := test.args
		if args[0] != "serve" {
			args = append(args, "-o", out)
		}
		code, _, stderr := runProgram(t, args...)
		if want := "tileserver: " + test.want; code != test.code || len(stderr) < len(want) || stderr[:len(want)] != want {
			t.Errorf("%v: exit code %d, %q, want %q", test.args, code, stderr, want)
		}
	}
}

func TestABlockThatIsTooLargeNamesTheOption(t *testing.T) {
	folder := t.TempDir()
	mustRun(t, "demo", "--save", folder)
	code, _, stderr := runProgram(t, append([]string{"serve", "--in-flight", "1MiB", filepath.Join(folder, "demo.tif")}, freePorts...)...)
	if code != exitFailure || !strings.HasSuffix(stderr, "; give more with --in-flight, which is 1MiB\n") {
		t.Errorf("exit code %d, it says %s", code, stderr)
	}
}
