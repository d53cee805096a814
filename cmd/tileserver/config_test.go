package main

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tileserver/config"
	"tileserver/http/request"
)

func TestALayerWithoutAPathIsRejected(t *testing.T) {
	path := writeFile(t, t.TempDir(), "c.yaml", "layers: [{id: a}]")
	if code, _, stderr := runProgram(t, "serve", "--config", path); code != exitUsage || !strings.Contains(stderr, `c.yaml:1: layers[0]: has no "path"`) {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

// The configuration takes the answers to empty tiles that requests take.
func TestEmptyAnswersOfTheConfigurationAreThoseOfRequests(t *testing.T) {
	for _, word := range []string{"", "blank", "204", "404", "200", "loud"} {
		c := config.Default()
		c.Empty = word
		_, want := request.ParseEmptyAnswer(word)
		if err := c.Validate(); (err == nil) != (want == nil) || err != nil && !strings.Contains(err.Error(), want.Error()) {
			t.Errorf("%q: the configuration says %v, and requests %v", word, err, want)
		}
	}
}

func TestOptionsOverrideTheFile(t *testing.T) {
	path := writeFile(t, t.TempDir(), "c.yaml", "listen: a:1\nadmin_listen: b:2\nqueue: 5\nworkers: 6\npaths: [x.tif]")
	p := new(program)
	for _, args := range [][]string{
		{"--config", path, "--listen", "c:3", "--queue=7", "y.tif"},
		{"y.tif", "--queue=7", "--listen", "c:3", "--config", path},
	} {
		c, err := p.serverConfig("serve", args)
		if err != nil {
			t.Fatal(err)
		}
		if c.Listen != "c:3" || c.AdminListen != "b:2" || c.Queue != 7 || c.Workers != 6 || c.Cache != config.Default().Cache {
			t.Errorf("%q: got %+v", args, c)
		}
		if want := []config.Path{{Path: filepath.Join(filepath.Dir(path), "x.tif")}, {Path: "y.tif"}}; !reflect.DeepEqual(c.Paths, want) {
			t.Errorf("%q: paths %v, want %v", args, c.Paths, want)
		}
	}
}

// A mistake is reported with its line and key, at whatever stage it is found.
func TestConfigMistakesHaveALine(t *testing.T) {
	folder := filepath.Dir(smallTIFF(t))
	for _, test := range []struct{ text, says string }{
		{"listen: a:1\n\nlisten: b:1", `c.yaml:3: key "listen" is given twice; first on line 1`},
		{"layers:\n  - path: small.tif\n    pth: b", `c.yaml:3: unknown key "pth" in layers[0]; did you mean "path"?`},
		{"cache: 12 horses\nworkers: many\nlisen: x", "c.yaml:1: cache: \"12 horses\" is not a size such as 512MiB (units: KiB, MiB, GiB, TiB, kB, MB, GB, TB, B)\n" +
			"tileserver: FOLDER/c.yaml:2: workers: \"many\" is not a whole number\ntileserver: FOLDER/c.yaml:3: unknown key \"lisen\"; did you mean \"listen\"?"},
		{"queue: 4\nworkers: 0", "c.yaml:2: workers: must be at least 1, not 0"},
		{"\nlog_level: loud", `c.yaml:2: log_level: must be debug or info or warn or error, not "loud"`},
		{"slow_request: -1s", "c.yaml:1: slow_request: must not be negative, as -1s is"},
		{"max_connections: 0", "c.yaml:1: max_connections: must be at least 1, not 0"},
		{"admin_hosts: [a.example, 'b:8081']", "c.yaml:1: admin_hosts[1]: must be a host name without a port, such as admin.example.org, not \"b:8081\""},
		{"watchdog: -1s", "c.yaml:1: watchdog: must not be negative, as -1s is"},
		{"symlinks: some", "c.yaml:1: symlinks: must be follow or inside or none, not \"some\""},
		{"drain_delay: -1s", "c.yaml:1: drain_delay: must not be negative, as -1s is"},
		{"shutdown_timeout: 0", "c.yaml:1: shutdown_timeout: must be more than 0, not 0s"},
		{"public_url: https://a.example/x\nbase_path: /y", `c.yaml:2: base_path: "/y" differs`},
		{"trusted_proxies: [private,\n  nonsense]", `c.yaml:1: trusted_proxies: "nonsense" is not an address`},
		{"layers:\n- path: small.tif\n  resampling: best", `c.yaml:3: layers[0].resampling: `},
		{"layers:\n- path: small.tif\n  stretch: much", `c.yaml:3: layers[0].stretch: `},
		{"layers:\n- path: small.tif\n  styles:\n  - name: a\n    rescale: [x]", `c.yaml:5: layers[0].styles[0].rescale`},
		{"paths: [small.tif]\nstyles:\n- name: a\n  algorithm: magic", `c.yaml:4: styles[0].algorithm: `},
		{"paths: [small.tif]\nstyles:\n- algorithm: hillshade", `c.yaml:3: styles[0]: style has no "name"`},
		{"paths: [small.tif]\nstyles:\n- {name: a}\n- {name: b}\n- title: x\n  name: a", `c.yaml:6: styles[2].name: another style has the name "a"`},
		{"paths: [small.tif]\nstyles:\n- name: default", `c.yaml:3: styles[0].name: "default" is the name of the layer's own style`},
		{"layers:\n- path: small.tif\n  styles:\n  - name: a\n  - name: a", `c.yaml:5: layers[0].styles[1].name: another style has the name "a"`},
		{"layers:\n- path: small.tif\n  styles:\n  - name: a/b", `c.yaml:4: layers[0].styles[0].name: style name "a/b" has characters`},
		{"layers:\n- path: small.tif\n  styles:\n  - title: x", `c.yaml:4: layers[0].styles[0]: style has no "name"`},
		{"layers:\n- {id: a, path: small.tif}\n- {id: a, path: small.tif}", `c.yaml:3: layers[1]: another layer has the id "a"`},
		{"layers:\n- path: small.tif\n  id: a/b", `c.yaml:3: layers[0].id: "a/b" has characters`},
		{"layers:\n- title: x\n  path: ftp://host/a.tif", "c.yaml:3: layers[0].path: ftp://host/a.tif: not supported: "},
		{"paths:\n- small.tif\n- ftp://host/a.tif", "c.yaml:3: paths[1]: ftp://host/a.tif: not supported: "},
		{"paths:\n- small.tif\n- none.tif", "c.yaml:3: paths[1]: no such file or folder: FOLDER/none.tif"},
		{"layers:\n- path: small.tif\n- path: none.tif", "c.yaml:3: layers[1].path: no such file or folder: FOLDER/none.tif"},
		{"paths: [small.tif]\ntile_matrix_sets:\n- {id: a}", "c.yaml:3: tile_matrix_sets[0]: "},
		{"paths: [small.tif]\ntile_matrix_sets:\n- none.json", "c.yaml:3: tile_matrix_sets[0]: "},
	} {
		path := writeFile(t, folder, "c.yaml", test.text)
		code, _, stderr := runProgram(t, append([]string{"serve", "--config", path}, freePorts...)...)
		want := "tileserver: " + folder + string(filepath.Separator) + strings.ReplaceAll(test.says, "FOLDER", folder)
		if code == exitOK || !strings.HasPrefix(stderr, want) {
			t.Errorf("%q: exit code %d, it says\n%swant\n%s", test.text, code, stderr, want)
		}
		if strings.Contains(stderr, `Run "tileserver help"`) {
			t.Errorf("%q: it refers to the help of the command line: %s", test.text, stderr)
		}
	}
}

// All mistakes are reported at once, so that the user can correct them together.
func TestAllMistakesAreReportedAtOnce(t *testing.T) {
	folder := filepath.Dir(smallTIFF(t))
	path := writeFile(t, folder, "c.yaml", manyMistakes)
	for _, command := range [][]string{{"serve", "--config", path}, {"--config", path, "--in-flight", "1"}} {
		code, _, stderr := runProgram(t, command...)
		if code != exitUsage {
			t.Errorf("%q: exit code %d", command, code)
		}
		lines := strings.Split(strings.TrimSpace(stderr), "\n")
		if len(command) > 3 {
			if want := "tileserver: --in-flight: must be at least 1MiB, not 1B"; lines[0] != want {
				t.Errorf("%q: the first line is %s, want %s", command, lines[0], want)
			}
			lines = lines[1:]
		}
		for i, want := range mistakesOfMany() {
			if start := "tileserver: " + path + ":" + want; i >= len(lines) || !strings.HasPrefix(lines[i], start) {
				t.Fatalf("%q: line %d does not begin with %q:\n%s", command, i, start, stderr)
			}
		}
		if len(lines) != len(mistakesOfMany()) {
			t.Errorf("%q: it says\n%s", command, stderr)
		}
	}
}

// manyMistakes has a mistake of each kind, including some that would cause others.
const manyMistakes = `log_level: loud
cache: 4Gob
public_url: nonsense
trusted_proxies: [foo]
paths:
- none.tif
-
- ftp://host/a.tif
tile_matrix_sets:
- {id: a}
- none.json
styles:
- name: a
  colormap_name: virids
- name: b
  algorithm: hill
  algorithm_params: {azimuth: 1}
  resampling: x
layers:
- pth: small.tif
- path: gone.tif
  id: a/b
  empty: white
  styles: [{stretch: much}]
`

func mistakesOfMany() []string {
	return []string{
		"1: log_level: ", "2: cache: ", "3: public_url: ", "4: trusted_proxies: ",
		"6: paths[0]: no such file", "7: paths[1]: is empty", "8: paths[2]: ftp://host/a.tif: not supported",
		"10: tile_matrix_sets[0]: ", "11: tile_matrix_sets[1]: ",
		"14: styles[0].colormap_name: ", "16: styles[1].algorithm: ", "18: styles[1].resampling: ",
		`20: unknown key "pth" in layers[0]; did you mean "path"?`,
		"21: layers[1].path: no such file", "22: layers[1].id: ", "23: layers[1].empty: ", "24: layers[1].styles[0].stretch: ",
	}
}

// If a mistake is the reason that nothing is served, only the mistake is reported.
func TestNothingToServeIsReportedOnlyWithoutMistakes(t *testing.T) {
	const nothing = "serve needs a file or a folder"
	for text, isTold := range map[string]bool{
		"queue: -1": true, "paths: none": false, "pths: [a.tif]": false, "layers: [{pth: a.tif}]": false, "queue: [": false,
	} {
		path := writeFile(t, t.TempDir(), "c.yaml", text)
		_, _, stderr := runProgram(t, "serve", "--config", path)
		if lines := strings.Count(stderr, "\n"); strings.Contains(stderr, nothing) != isTold || isTold != (lines == 2) {
			t.Errorf("%s: it says\n%s", text, stderr)
		}
	}
}

// Without "serve" too, the mistakes of a file are reported if they leave nothing to serve.
func TestAFileWithMistakesDoesNotStartTheDemo(t *testing.T) {
	path := writeFile(t, t.TempDir(), "c.yaml", "paths: none\nstyles: [{stretch: much}]")
	code, _, stderr := runProgram(t, "--config", path)
	if code != exitUsage || !strings.Contains(stderr, "c.yaml:1: paths: ") || !strings.Contains(stderr, "c.yaml:2: styles[0].stretch: ") {
		t.Errorf("exit code %d, it says\n%s", code, stderr)
	}
	if _, _, stderr := runProgram(t, "--workers", "0"); stderr != "tileserver: --workers: must be at least 1, not 0\n" {
		t.Errorf("of an option it says\n%s", stderr)
	}
}

func TestReportedMistakesAreBounded(t *testing.T) {
	const reported = 20
	path := writeFile(t, t.TempDir(), "c.yaml", "styles:\n"+strings.Repeat("- stretch: much\n", reported+5)+"paths: [a.tif]")
	_, _, stderr := runProgram(t, "serve", "--config", path)
	if lines := strings.Count(stderr, "\n"); lines != reported+1 || !strings.Contains(stderr, "and further mistakes, 6 at least") {
		t.Errorf("%d lines:\n%s", lines, stderr)
	}
}

// A mistake in an option is not attributed to the key in the file that it overrides.
func TestAMistakeInAnOptionIsNotBlamedOnTheFile(t *testing.T) {
	path := writeFile(t, t.TempDir(), "c.yaml", "workers: 3\npaths: [a.tif]")
	_, _, stderr := runProgram(t, "serve", "--config", path, "--workers", "0")
	if want := "tileserver: --workers: must be at least 1, not 0\n"; !strings.HasPrefix(stderr, want) {
		t.Errorf("it says %q, want %q first", stderr, want)
	}
}

// The layers of the examples can be configured, apart from their files.
func TestLayersOfExampleConfigurations(t *testing.T) {
	for _, name := range []string{"all-keys.yaml", "container.yaml", "dev.yaml", "production.yaml"} {
		c := config.Default()
		if err := c.Load(filepath.Join("..", "..", "configs", name)); err != nil {
			t.Fatal(err)
		}
		if _, err := desiredBy(&c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
