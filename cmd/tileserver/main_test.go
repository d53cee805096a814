package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// asProgram is set in the environment of a test binary that runs as the program.
const asProgram = "TILESERVER_TEST_AS_PROGRAM"

// TestMain keeps servers from setting GOGC. The setting outlives a server, so the tests after it would run
// with what its heap needed.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Setenv("GOGC", cmp.Or(os.Getenv("GOGC"), "100"))
	flag.Set("test.parallel", "16") // the parallel tests mostly wait; -parallel still decides
	os.Exit(m.Run())
}

// runProgram runs a command line to its end.
func runProgram(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, problems bytes.Buffer
	p := program{stdout: &out, stderr: &problems}
	code = p.run(t.Context(), args)
	return code, out.String(), problems.String()
}

// mustRun runs a command line that must succeed and print nothing on stderr.
func mustRun(t *testing.T, args ...string) (stdout string) {
	t.Helper()
	code, stdout, stderr := runProgram(t, args...)
	if code != exitOK || stderr != "" {
		t.Fatalf("tileserver %s: exit code %d, %s", strings.Join(args, " "), code, stderr)
	}
	return stdout
}

// writeTIFF writes a TIFF into a new folder.
func writeTIFF(t *testing.T, name string, file tifftest.File) string {
	t.Helper()
	data, err := file.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return writeFile(t, t.TempDir(), name, string(data))
}

func writeFile(t testing.TB, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// ramp returns a sample that encodes its position.
func ramp(x, y, band int) float64 { return float64((x + 7*y + 50*band) % 251) }

func smallTIFF(t *testing.T) string {
	t.Helper()
	return writeTIFF(t, "small.tif", tifftest.File{Images: []tifftest.Image{{Width: 33, Height: 21, Samples: 3, Value: ramp}}})
}

func TestExitCodes(t *testing.T) {
	good := smallTIFF(t)
	folder := t.TempDir()
	noTIFF := writeFile(t, folder, "words.tif", "these are words")
	out := filepath.Join(folder, "out")
	for _, test := range []struct {
		name string
		args []string
		want int
		says string // on the standard error
	}{
		{"help", []string{"help"}, exitOK, ""},
		{"version", []string{"version"}, exitOK, ""},
		{"info", []string{"info", good}, exitOK, ""},
		{"read", []string{"read", good, "-o", out}, exitOK, ""},
		{"render", []string{"render", good, "-o", out + ".png"}, exitOK, ""},

		{"no such command", []string{"sevre", good}, exitUsage, `unknown command "sevre"; did you mean "serve"?`},
		{"help of no such command", []string{"help", "sevre"}, exitUsage, `unknown command "sevre"; did you mean "serve"?`},
		{"no such option", []string{"info", "--xml", good}, exitUsage, "unknown option --xml"},
		{"version of something", []string{"version", good}, exitUsage, "version"},
		{"info of nothing", []string{"info"}, exitUsage, "one file, not 0"},
		{"info of two", []string{"info", good, good}, exitUsage, "one file, not 2"},
		{"serve nothing", []string{"serve"}, exitUsage, "a file or a folder"},
		{"demo of a file", []string{"demo", good}, exitUsage, "tileserver serve"},
		{"no workers", []string{"serve", "--workers", "0", good}, exitUsage, "workers"},
		{"a negative queue", []string{"serve", "--queue", "-1", good}, exitUsage, "queue"},
		{"nothing in flight", []string{"serve", "--in-flight", "1kB", good}, exitUsage, "in-flight"},
		{"no pixels", []string{"serve", "--max-pixels", "1", good}, exitUsage, "max-pixels"},
		{"a size that is none", []string{"serve", "--cache", "much", good}, exitUsage, `"much"`},
		{"read without -o", []string{"read", good}, exitUsage, "-o OUT"},
		{"read over itself", []string{"read", good, "-o", good}, exitUsage, "overwrite"},
		{"render over itself", []string{"render", good, "-o", good}, exitUsage, "overwrite"},
		{"read no such level", []string{"read", good, "--level", "1", "-o", out}, exitUsage, "no level 1; the last is 0"},
		{"read a window of three", []string{"read", good, "--window", "1,2,3", "-o", out}, exitUsage, "x,y,width,height"},
		{"read a window outside", []string{"read", good, "--window", "30,0,4,1", "-o", out}, exitUsage, "33 x 21"},
		{"read a window that overflows", []string{"read", good, "--window", "1,1,9223372036854775807,1", "-o", out}, exitUsage, "33 x 21"},
		{"read an empty window", []string{"read", good, "--window", "0,0,0,5", "-o", out}, exitUsage, "33 x 21"},
		{"read a fourth band of three", []string{"read", good, "--bands", "4", "-o", out}, exitUsage, "there is no band 4; the last is 3"},
		{"read band zero", []string{"read", good, "--bands", "0", "-o", out}, exitUsage, "there is no band 0"},
		{"read a band that is a word", []string{"read", good, "--bands", "nope", "-o", out}, exitUsage, `there is no band "nope"; the bands are "red", "green", "blue"`},
		{"render without -o", []string{"render", good}, exitUsage, "-o OUT"},
		{"render to a format that is none", []string{"render", good, "-o", out + ".bmp"}, exitUsage, "out.bmp: the name must end in .png, .webp, .jpg, .npy or .tif"},
		{"render to a format that the server chooses", []string{"render", good, "-o", out + ".auto"}, exitUsage, "out.auto: the name must end in .png"},
		{"render a tile of two numbers", []string{"render", good, "--tile", "0/0", "-o", out + ".png"}, exitUsage, "z/x/y"},
		{"render a tile and a bbox", []string{"render", good, "--tile", "0/0/0", "--bbox", "0,0,1,1", "-o", out + ".png"}, exitUsage, "not both"},
		{"render a width of no bbox", []string{"render", good, "--width", "5", "-o", out + ".png"}, exitUsage, "--width needs --bbox; to limit a picture of the whole image, use --max_size"},
		{"render a width of a tile", []string{"render", good, "--tile", "0/0/0", "--width", "5", "-o", out + ".png"}, exitUsage, "--width needs --bbox"},
		{"render at most nothing", []string{"render", good, "--max_size", "0", "-o", out + ".png"}, exitUsage, "max_size"},
		{"render a box of too long a side", []string{"render", good, "--bbox", "0,0,9,9", "--crs", "image", "--max_size", "65537", "-o", out + ".png"}, exitUsage, "max_size"},
		{"render a range of one", []string{"render", good, "--rescale", "5", "-o", out + ".png"}, exitUsage, "rescale"},

		{"a file that is not there", []string{"info", filepath.Join(folder, "none.tif")}, exitUsage, "none.tif"},
		{"serve a file that is not there", append([]string{"serve", filepath.Join(folder, "none.tif")}, freePorts...), exitUsage, "none.tif"},
		{"info of an image that is not there", []string{"info", good + "#3"}, exitUsage, good + "#3: no image 3 in the file; it has 1"},
		{"read an image that is not there", []string{"read", good + "#3", "-o", out}, exitUsage, good + "#3: no image 3 in the file; it has 1"},
		{"info of words", []string{"info", noTIFF}, exitFailure, "words.tif"},
		{"read of words", []string{"read", noTIFF, "-o", out}, exitFailure, "words.tif"},
		{"render of words", []string{"render", noTIFF, "-o", out + ".png"}, exitFailure, "words.tif"},
		{"serve words by name", append([]string{"serve", noTIFF}, freePorts...), exitFailure, "words.tif"},
		{"serve a folder of words", append([]string{"serve", "--rescan", "0", folder}, freePorts...), exitFailure, "nothing to serve"},
		{"info of a folder", []string{"info", folder}, exitUsage, ": this is a folder, not a file"},
		{"read into no folder", []string{"read", good, "-o", filepath.Join(folder, "no", "out")}, exitFailure, "tileserver: cannot write " + filepath.Join(folder, "no", "out") + ": "},
		{"render into no folder", []string{"render", good, "-o", filepath.Join(folder, "no", "out.png")}, exitFailure, "tileserver: cannot write " + filepath.Join(folder, "no", "out.png") + ": no such file"},
		{"render a tile where the file is not", []string{"render", good, "--tile", "0/0/0", "-o", out + ".png"}, exitUsage, "no known place on the earth; use --tms image"},
		{"render a box where the file is not", []string{"render", good, "--bbox", "1,2,3,4", "-o", out + ".png"}, exitUsage, "no known place on the earth; use --crs image"},
		{"render in colors that are none", []string{"render", good, "--bidx", "1", "--colormap_name", "mud", "-o", out + ".png"}, exitUsage, `"mud"`},
		{"a configuration that is not there", []string{"serve", "--config", filepath.Join(folder, "none.yaml")}, exitUsage, "--config: no such file or folder: " + filepath.Join(folder, "none.yaml")},
		{"an address that is none", []string{"serve", "--listen", "nowhere", good}, exitUsage, "nowhere"},
	} {
		t.Run(test.name, func(t *testing.T) {
			code, stdout, stderr := runProgram(t, test.args...)
			if code != test.want {
				t.Errorf("exit code %d, want %d: %s", code, test.want, stderr)
			}
			if !strings.Contains(stderr, test.says) {
				t.Errorf("it says %q, want %q", stderr, test.says)
			}
			if code != exitOK && stdout != "" {
				t.Errorf("it fails, but prints %q", stdout)
			}
			if code == exitOK && stderr != "" {
				t.Errorf("it succeeds, but complains: %s", stderr)
			}
		})
	}
}

func TestHelpIsPrintedOnRequest(t *testing.T) {
	for command, option := range map[string]string{
		"serve": "--admin-listen", "info": "--json", "read": "--window", "render": "--colormap_name", "demo": "--listen", "version": "version",
	} {
		for _, args := range [][]string{{"help", command}, {command, "--help"}, {command, "-h"}, {command, "some.tif", "--help"}} {
			stdout := mustRun(t, args...)
			if !strings.HasPrefix(stdout, "tileserver") || !strings.Contains(stdout, option) {
				t.Errorf("tileserver %s prints %q", strings.Join(args, " "), stdout)
			}
		}
	}
}

func TestAnInterruptedCommandStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	p := program{stdout: &stdout, stderr: &stderr}
	out := filepath.Join(t.TempDir(), "out.png")
	if code := p.run(ctx, []string{"render", smallTIFF(t), "-o", out}); code != exitFailure {
		t.Errorf("exit code %d, want %d: %s", code, exitFailure, &stderr)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("it left a picture behind")
	}
}
