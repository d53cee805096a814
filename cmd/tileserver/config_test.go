package main

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tileserver/layer"
)

func TestMissingKeysKeepTheirDefaults(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "comments": "# nothing\n", "one key": "workers: " + "3\n"} {
		path := writeFile(t, t.TempDir(), "c.yaml", text)
		got, want := defaultConfig(), defaultConfig()
		if err := got.load(path); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if name == "one key" {
			want.Workers = 3
		}
		got.source = configSource{}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

func TestEveryKeyIsDecoded(t *testing.T) {
	noData := -9999.0
	absolute := filepath.Join(t.TempDir(), "absolute.tif")
	path := writeFile(t, t.TempDir(), "c.yaml", `
listen: 0.0.0.0:80
admin_listen: ""
cache: 2GiB
in_flight: 1048576
rendering: 100MiB
workers: 2
queue: 0
max_pixels: 300000
public_url: https://maps.example/mine
request_timeout: 90s
max_requests: 7
cache_control: no-cache
base_path: /mine
trusted_proxies: [10.0.0.0/8, 192.0.2.7]
caching: versioned
empty: 204
service: {title: Maps, abstract: Of all, keywords: [a, b], provider: We, site: https://we.example, contact: I, email: i@we.example, fees: none, access_constraints: few}
rescan: 1m
tile_matrix_sets: [grid.json, {id: Own}]
paths: [scenes, '`+absolute+`']
layers:
  - id: height
    title: Höhe
    path: sub/dem.tif
    block: 512
    description: Of the ground
    attribution: © We
    empty: blank
    bidx: [1]
    rescale: ["0,100"]
    colormap_name: viridis
    stretch: minmax
    resampling: cubic
    nodata: -9999
    styles:
      - name: relief
        title: Relief
        algorithm: hillshade
        algorithm_params: {azimuth: 300}
        background: "#102030"
styles:
  - name: classes
    colormap: {1: "#ff0000", 2: [0, 255, 0]}
state: kept
log_level: debug
log_format: json
access_log: all
slow_request: 2s
`)
	folder := filepath.Dir(path)
	want := config{
		Listen: "0.0.0.0:80", Cache: 2 << 30, InFlight: 1 << 20, Rendering: 100 << 20, Workers: 2, MaxPixels: 300000,
		PublicURL: "https://maps.example/mine", RequestTimeout: duration(90 * time.Second), MaxRequests: 7, CacheControl: "no-cache",
		BasePath: "/mine", TrustedProxies: networkList{"10.0.0.0/8", "192.0.2.7"}, Caching: cachingVersioned, Empty: "204",
		Service: serviceConfig{"Maps", "Of all", []string{"a", "b"}, "We", "https://we.example", "I", "i@we.example", "none", "few"},
		Rescan:  duration(time.Minute), TileMatrixSets: []tileSetConfig{{path: filepath.Join(folder, "grid.json")}, {text: []byte(`{"id":"Own"}`)}},
		Paths: []string{filepath.Join(folder, "scenes"), absolute},
		Layers: []layerConfig{{
			ID: "height", Title: "Höhe", Path: filepath.Join(folder, "sub", "dem.tif"), Block: 512,
			Description: "Of the ground", Attribution: "© We", Empty: "blank",
			styleConfig: styleConfig{
				Bidx: []int{1}, Rescale: []string{"0,100"}, ColormapName: "viridis", Stretch: "minmax", Resampling: "cubic", NoData: &noData,
			},
			Styles: []namedStyle{{Name: "relief", Title: "Relief", styleConfig: styleConfig{
				Algorithm: "hillshade", AlgorithmParams: map[string]any{"azimuth": 300}, Background: "#102030",
			}}},
		}},
		Styles: []namedStyle{{Name: "classes", styleConfig: styleConfig{
			Colormap: map[any]any{1: "#ff0000", 2: []any{0, 255, 0}},
		}}},
		State:    filepath.Join(folder, "kept"),
		LogLevel: "debug", LogFormat: logJSON, AccessLog: accessAll, SlowRequest: duration(2 * time.Second),
	}
	got := defaultConfig()
	if err := got.load(path); err != nil {
		t.Fatal(err)
	}
	got.source = configSource{}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if err := got.validate(); err != nil {
		t.Error(err)
	}
}

func TestMistakesInAFileNameTheKey(t *testing.T) {
	for _, test := range []struct{ name, text, says string }{
		{"a key that nobody knows", "lisen: x", "lisen"},
		{"a key of a layer that nobody knows", "layers: [{path: a.tif, colour: red}]", "colour"},
		{"a key twice", "queue: 1\nqueue: 2", "queue"},
		{"a size that is none", "cache: plenty", "plenty"},
		{"a word for a number", "workers: many", "many"},
		{"no YAML", "listen: [", "c.yaml"},
		{"two documents", "queue: 1\n---\nqueue: 2", "second document"},
	} {
		path := writeFile(t, t.TempDir(), "c.yaml", test.text)
		c := defaultConfig()
		err := c.load(path)
		if err == nil || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), "c.yaml") {
			t.Errorf("%s: got %v, want %q and the name of the file", test.name, err, test.says)
		}
	}
}

func TestInvalidValuesAreMistakes(t *testing.T) {
	for name, change := range map[string]func(*config){
		"workers":         func(c *config) { c.Workers = 0 },
		"queue":           func(c *config) { c.Queue = -1 },
		"is bytes":        func(c *config) { c.Cache = 4 },
		"in-flight":       func(c *config) { c.InFlight = 1<<20 - 1 },
		"rendering":       func(c *config) { c.Rendering = 1 << 20 },
		"max-pixels":      func(c *config) { c.MaxPixels = 512*512 - 1 },
		"request-timeout": func(c *config) { c.RequestTimeout = 0 },
		"max-requests":    func(c *config) { c.MaxRequests = 0 },
		"cache-control":   func(c *config) { c.CacheControl = "" },
		"public-url":      func(c *config) { c.PublicURL = "maps.example" },
		"base-path":       func(c *config) { c.BasePath = "mine" },
		`"/b" differs`:    func(c *config) { c.PublicURL, c.BasePath = "https://maps.example/a", "/b" },
		"trusted-proxies": func(c *config) { c.TrustedProxies = networkList{"proxy.example"} },
		"caching":         func(c *config) { c.Caching = "always" },
		"empty":           func(c *config) { c.Empty = "white" },
		"rescan":          func(c *config) { c.Rescan = duration(time.Millisecond) },
		"layers[0].empty": func(c *config) { c.Layers = []layerConfig{{Path: "a.tif", Empty: "white"}} },
		"layers[1]":       func(c *config) { c.Layers = []layerConfig{{Path: "a.tif"}, {ID: "b"}} },
		"not 1000000":     func(c *config) { c.Layers = []layerConfig{{Path: "a.tif", Block: 1000000}} },
		"layers[0].block": func(c *config) { c.Layers = []layerConfig{{Path: "a.tif", Block: -1}} },
	} {
		c := defaultConfig()
		if err := c.validate(); err != nil {
			t.Fatalf("the defaults: %v", err)
		}
		change(&c)
		if err := c.validate(); !isConfigMistake(err) || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want a mistake about %q", err, name)
		}
	}
}

func TestALayerWithoutAPathIsRejected(t *testing.T) {
	path := writeFile(t, t.TempDir(), "c.yaml", "layers: [{id: a}]")
	if code, _, stderr := runProgram(t, "serve", "--config", path); code != exitUsage || !strings.Contains(stderr, `c.yaml:1: layers[0]: has no "path"`) {
		t.Errorf("exit code %d, %q", code, stderr)
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
		if c.Listen != "c:3" || c.AdminListen != "b:2" || c.Queue != 7 || c.Workers != 6 || c.Cache != defaultConfig().Cache {
			t.Errorf("%q: got %+v", args, c)
		}
		if want := []string{filepath.Join(filepath.Dir(path), "x.tif"), "y.tif"}; !slices.Equal(c.Paths, want) {
			t.Errorf("%q: paths %q, want %q", args, c.Paths, want)
		}
	}
}

// The examples must be valid and complete, since users do not find keys that they omit.
func TestExampleConfigurations(t *testing.T) {
	folder := filepath.Join("..", "..", "configs")
	for _, name := range []string{"all-keys.yaml", "container.yaml", "dev.yaml", "production.yaml"} {
		c := defaultConfig()
		if err := c.load(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
		if err := c.validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := newSharedConfig(c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, l := range c.Layers {
			if err := l.apply(&layer.Config{ID: l.ID}, configLocation{}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, "all-keys.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if missing := keysNotShown(t, text); len(missing) > 0 {
		t.Errorf("all-keys.yaml does not show %v", missing)
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
		{"layers:\n- title: x\n  path: s3://bucket/a.tif", "c.yaml:3: layers[0].path: not supported yet: s3://bucket/a.tif"},
		{"paths:\n- small.tif\n- https://example.org/a.tif", "c.yaml:3: paths[1]: not supported yet: https://example.org/a.tif"},
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
- s3://bucket/a.tif
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
		"6: paths[0]: no such file", "7: paths[1]: is empty", "8: paths[2]: not supported yet",
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
	path := writeFile(t, t.TempDir(), "c.yaml", "styles:\n"+strings.Repeat("- stretch: much\n", maxReportedMistakes+5)+"paths: [a.tif]")
	_, _, stderr := runProgram(t, "serve", "--config", path)
	if lines := strings.Count(stderr, "\n"); lines != maxReportedMistakes+1 || !strings.Contains(stderr, "and further mistakes, 6 at least") {
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
