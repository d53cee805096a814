package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"tileserver/cmd/tileserver/usage"
	"tileserver/decode/tiff/tifftest"
)

var update = flag.Bool("update", false, "write the files that the tests compare with: testdata/help and docs/configuration.md")

// checkGolden compares a text with a golden file; with -update it writes the file.
func checkGolden(t *testing.T, path, text string) {
	t.Helper()
	if *update {
		writeFile(t, filepath.Dir(path), filepath.Base(path), text)
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s is not up to date: look at the change, then run \"go test ./cmd/tileserver -update\"", path)
	}
}

func TestHelpPages(t *testing.T) {
	t.Setenv("STATE_DIRECTORY", "/var/lib/tileserver")
	for _, c := range commands() {
		page := mustRun(t, "help", c.name)
		checkGolden(t, filepath.Join("testdata", "help", c.name+".txt"), page)
		for line := range strings.Lines(page) {
			if width := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); width > usage.Width {
				t.Errorf("help of %s: %d columns: %s", c.name, width, line)
			}
		}
	}
}

func TestOverviewNamesEveryCommand(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"--help"}, {"-h"}, {"help", "help"}} {
		page := mustRun(t, args...)
		for _, c := range commands() {
			if !strings.Contains(page, "\n  "+c.name+" ") {
				t.Errorf("tileserver %v does not name %q", args, c.name)
			}
		}
	}
}

// The help of a command lists all its options, with two dashes before words.
func TestHelpNamesEveryOption(t *testing.T) {
	for option, command := range map[string]string{
		"  --listen HOST:PORT ": "serve", "  --config FILE ": "demo", "  --bidx LIST ": "render", "  -o FILE ": "read", "  --json ": "info",
		"  --access-log off|problems|all\n": "serve", "(default 512MiB; within": "serve", "(default 1m)": "serve", "\nMemory and limits:\n": "serve",
	} {
		if page := mustRun(t, command, "--help"); !strings.Contains(page, option) {
			t.Errorf("help of %s does not have %q: %s", command, option, page)
		}
	}
}

func TestCommandLineMistakesAreExplained(t *testing.T) {
	good := smallTIFF(t)
	folder := filepath.Dir(good)
	t.Chdir(folder)
	out := filepath.Join(folder, "out.png")
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"serv", good}, `unknown command "serv"; did you mean "serve"?`},
		{[]string{"dmeo"}, `unknown command "dmeo"; did you mean "demo"?`},
		{[]string{"help", "redner"}, `unknown command "redner"; did you mean "render"?`},
		{[]string{"help", "x"}, `unknown command "x"`},
		{[]string{"wombat"}, "no such file or command: wombat"},
		{[]string{"gone/small.tif"}, "no such file or command: gone/small.tif"},
		{[]string{"--listen", "127.0.0.1:0", "serve", good}, "the command comes first: tileserver serve"},
		{[]string{"serve", "--lisen", ":1", good}, "serve: unknown option --lisen; did you mean --listen?"},
		{[]string{"serve", "--lisen=:1", good}, "serve: unknown option --lisen; did you mean --listen?"},
		{[]string{"--lisen", ":1"}, "unknown option --lisen; did you mean --listen?"},
		{[]string{"serve", "--port", "9000", good}, "serve: unknown option --port; did you mean --listen HOST:PORT, such as --listen 127.0.0.1:8080?"},
		{[]string{"demo", "-p=9000"}, "demo: unknown option -p; did you mean --listen HOST:PORT"},
		{[]string{"--host", "0.0.0.0"}, "serve: unknown option --host; did you mean --listen HOST:PORT"},
		{[]string{"render", good, "-o", out, "--colormap_name", "virids"}, `colormap_name: unknown color map "virids"; did you mean "viridis"?`},
		{[]string{"render", good, "-o", out, "--algorithm", "hilshade"}, `terrarium, none; did you mean "hillshade"?`},
		{[]string{"info", "--jsn", good}, "info: unknown option --jsn; did you mean --json?"},
		{[]string{"info", "--wombat", good}, "info: unknown option --wombat"},
		{[]string{"render", good, "-o", out, "--colormap_nam", "x"}, "did you mean --colormap_name?"},
		{[]string{"render", good, "-o", out, "--colourmap-name", "x"}, "unknown option --colourmap-name; did you mean --colormap-name?"},
		{[]string{"render", good, "-o", out, "--background", "reddish"}, `background must be a color such as "#102030" or navy, not "reddish"`},
		{[]string{"serve", good, "--cache"}, "--cache needs a value"},
		{[]string{"serve", good, "--cache", "12 horses"}, `--cache: "12 horses" is not a size such as 512MiB`},
		{[]string{"serve", good, "--workers", "many"}, `--workers: "many" is not a whole number`},
		{[]string{"serve", good, "--rescan", "often"}, `--rescan: "often" is not a duration such as 10s`},
		{[]string{"serve", good, "--log-level", "loud"}, `--log-level: must be debug or info or warn or error, not "loud"`},
		{[]string{"serve", good, "--workers", "0", "--queue", "-1"}, "--workers: must be at least 1, not 0\ntileserver: --queue: must not be negative"},
		{[]string{"read", good, "-o", out, "--level", "top"}, `--level: "top" is not a whole number`},
		{[]string{"info", "--json=perhaps", good}, `--json: "perhaps" is not true or false`},
		{[]string{"ftp://user:pass@example.org/a.tif?sig=secret"}, "ftp://example.org/a.tif: not supported: "},
		{append([]string{"serve", "ftp://host/a.tif"}, freePorts...), "ftp://host/a.tif: not supported: "},
		{[]string{"info", "ftp://host/a.tif"}, "ftp://host/a.tif: not supported: "},
		{[]string{"read", "ftp://host/a.tif", "-o", out}, "ftp://host/a.tif: not supported: "},
		{[]string{"render", "/vsicurl/https://example.org/a.tif", "-o", out}, "/vsicurl/https://example.org/a.tif: not supported: "},
		{[]string{"serve", "--grids", "gone", good}, "--grids: no such file or folder: gone"},
		{[]string{"info", "--grids", "gone", good}, "--grids: no such file or folder: gone"},
		{[]string{"info", "--grids", good, good}, "--grids: " + good + " is not a folder"},
		{[]string{"render", "--grids", "s3://bucket/grids", good, "-o", out}, "--grids: s3://bucket/grids: not supported: must be a path on disk"},
		{[]string{"serve", "--state", "s3://bucket/state", good}, "--state: s3://bucket/state: not supported: must be a path on disk"},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			code, stdout, stderr := runProgram(t, test.args...)
			if code != exitUsage || stdout != "" || !strings.Contains(stderr, test.says) {
				t.Errorf("exit code %d, it prints %q and says %q, want %q", code, stdout, stderr, test.says)
			}
			if strings.Contains(stderr, "secret") {
				t.Errorf("it shows a secret: %s", stderr)
			}
		})
	}
}

// File names and answers of servers may contain control characters.
func TestMessagesContainNoControlCharacters(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, `{"error":{"message":"\u001b]0;title\u0007"}}`, http.StatusServiceUnavailable)
	}))
	defer server.Close()
	truncated := tifftest.File{Images: []tifftest.Image{{Width: 33, Height: 21, Value: ramp}}}
	for _, args := range [][]string{
		{"a\x1b[31m\u009b31m.tif"},
		{"info", "a\x1b[31m.tif"},
		{"demo", "--cache\x1b[31m", "1"},
		{"info", writeTIFF(t, "a\x1b[31m.tif", truncated) + "#2"},
		{"health", "--url", server.URL},
	} {
		_, _, stderr := runProgram(t, args...)
		if stderr == "" || strings.ContainsFunc(stderr, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }) {
			t.Errorf("%q: %q", args, stderr)
		}
	}
}

// A path on a Windows drive is not a remote address, however it is written.
func TestWindowsDrivesAreLocal(t *testing.T) {
	for _, path := range []string{`C:\maps\ortho.tif`, "C:/maps/ortho.tif", "C://maps/ortho.tif"} {
		if _, _, stderr := runProgram(t, path); !strings.Contains(stderr, "no such file or command: "+path) {
			t.Errorf("%s: %s", path, stderr)
		}
	}
}

func TestMessagesAboutFilesThatCannotBeOpened(t *testing.T) {
	folder := t.TempDir()
	missing, out := filepath.Join(folder, "missing.tif"), filepath.Join(folder, "out.png")
	for _, command := range [][]string{{"info"}, {"read", "-o", out}, {"render", "-o", out}} {
		for path, want := range map[string]string{missing: "no such file or folder: " + missing, folder: folder + ": this is a folder, not a file"} {
			code, _, stderr := runProgram(t, append(command, path)...)
			if code != exitUsage || stderr != "tileserver: "+want+"\n" {
				t.Errorf("%s of %s: exit code %d, %q; want %q", command[0], path, code, stderr, want)
			}
		}
	}
}

// The word "serve" may be omitted if there is something to serve.
func TestFilesAreServedWithoutACommand(t *testing.T) {
	good := smallTIFF(t)
	config := writeFile(t, t.TempDir(), "c.yaml", "paths: ["+good+"]")
	for _, args := range [][]string{
		append([]string{good}, freePorts...),
		append(freePorts[:len(freePorts):len(freePorts)], good),
		append([]string{filepath.Dir(good)}, freePorts...),
		append([]string{"--config", config}, freePorts...),
	} {
		s := start(t, args...)
		if titles := layerTitles(t, s); titles["small"] == "" || titles["demo"] != "" {
			t.Errorf("%q: layers %v", args, titles)
		}
		s.stop()
	}
}

func TestDashesAndUnderscoresInOptionsAreTheSame(t *testing.T) {
	good := smallTIFF(t)
	out := filepath.Join(t.TempDir(), "out.png")
	mustRun(t, "render", good, "--max-size", "8", "--color-formula", "gamma R 1.1", "-o", out)
	if code, _, stderr := runProgram(t, "serve", "--max_pixels", "1", good); code != exitUsage || !strings.Contains(stderr, "--max-pixels: must be") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestAPortInUseSuggestsAnother(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	at := taken.Addr().String()
	for option, ports := range map[string][]string{
		"--listen":       {"--listen", at, "--admin-listen", ""},
		"--admin-listen": {"--listen", "127.0.0.1:0", "--admin-listen", at},
	} {
		code, _, stderr := runProgram(t, append([]string{smallTIFF(t)}, ports...)...)
		want := "tileserver: address " + at + " is already in use; choose another one, such as " + option + " 127.0.0.1:"
		if code != exitFailure || !strings.HasPrefix(stderr, want) {
			t.Errorf("exit code %d, %q, want %q", code, stderr, want)
		}
	}
	code, _, stderr := runProgram(t, "--listen", "192.0.2.1:8080")
	if want := "is not an address of this machine"; code != exitFailure || !strings.Contains(stderr, want) {
		t.Errorf("exit code %d, %q, want %q", code, stderr, want)
	}
	for _, option := range []string{"--listen", "--admin-listen"} {
		for _, address := range []string{"nowhere", "9880", "127.0.0.1:http-and-more", "127.0.0.1:99999", "::1:80"} {
			code, _, stderr := runProgram(t, option, address)
			want := fmt.Sprintf("tileserver: %s: must be HOST:PORT, such as 127.0.0.1:8080, not %q\n", option, address)
			if code != exitUsage || stderr != want {
				t.Errorf("%s %s: exit code %d, %q, want %q", option, address, code, stderr, want)
			}
		}
	}
}

// Only errors in the command line refer to help, and to that of their command.
func TestUsageErrorsReferToHelp(t *testing.T) {
	good := smallTIFF(t)
	out := filepath.Join(t.TempDir(), "o.png")
	for _, test := range []struct {
		args []string
		says string // "" if help would not help
	}{
		{[]string{"render", good}, "tileserver help render"},
		{[]string{"read", good, "--windo", "1"}, "tileserver help read"},
		{[]string{"--lisen", ":1"}, "tileserver help serve"},
		{[]string{good, "--lisen", ":1"}, "tileserver help serve"},
		{[]string{"serv", good}, "tileserver help"},
		{[]string{"help", "redner"}, "tileserver help"},
		{[]string{"version", good}, "tileserver help"},
		{[]string{"info", good + "#3"}, ""},
		{[]string{"info", "ftp://example.org/a.tif"}, ""},
		{[]string{"render", good, "-o", out, "--colormap_name", "mud"}, ""},
		{[]string{"render", good, "-o", out, "--bbox", "1"}, "tileserver help render"},
		{[]string{"read", good, "-o", out, "--level", "9"}, ""},
	} {
		code, _, stderr := runProgram(t, test.args...)
		want := "Run \"" + test.says + "\" for usage.\n"
		if hasHint := strings.HasSuffix(stderr, want); code != exitUsage || hasHint != (test.says != "") || test.says == "" && strings.Contains(stderr, "Run ") {
			t.Errorf("%q: exit code %d, it says %s", test.args, code, stderr)
		}
	}
}
