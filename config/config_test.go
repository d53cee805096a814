package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestMissingKeysKeepTheirDefaults(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "comments": "# nothing\n", "one key": "workers: " + "3\n"} {
		path := writeFile(t, t.TempDir(), "c.yaml", text)
		got, want := Default(), Default()
		if err := got.Load(path); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if name == "one key" {
			want.Workers = 3
		}
		got.document = document{}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

// Package http has no limits of its own, so the defaults must be some.
func TestDefaultsAreLimits(t *testing.T) {
	c := Default()
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
	if time.Duration(c.RequestTimeout) != time.Minute || c.MaxRequests != 4096 || !strings.Contains(c.CacheControl, "max-age=300") {
		t.Errorf("the defaults are %v, %d and %q", c.RequestTimeout, c.MaxRequests, c.CacheControl)
	}
}

func TestEveryKeyIsDecoded(t *testing.T) {
	noData := -9999.0
	absolute := filepath.Join(t.TempDir(), "absolute.tif")
	path := writeFile(t, t.TempDir(), "c.yaml", `
listen: 0.0.0.0:80
admin_listen: ""
admin_hosts: [a.example, b]
cache: 2GiB
prefetch: 3MiB
remote_memory: 33MiB
in_flight: 1048576
rendering: 100MiB
sending: 20MiB
workers: 2
gpu: strict
gpu_device: [1, 0]
gpu_memory: 1GiB
queue: 0
max_pixels: 300000
public_url: https://maps.example/mine
request_timeout: 90s
storage_timeout: 20s
max_requests: 7
max_connections: 8
min_send_rate: 1KiB
send_allowance: 3s
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
saved_overviews: 3GiB
open_files: 11
open_remote_files: 12
kept_open: 13
log_level: debug
log_format: json
access_log: all
slow_request: 2s
drain_delay: 3s
symlinks: inside
watchdog: 7m
client_rate: 0.5
client_burst: 3
client_header: X-Me
shutdown_timeout: 20s
`)
	folder := filepath.Dir(path)
	want := Config{
		Listen: "0.0.0.0:80", AdminHosts: []string{"a.example", "b"}, Cache: 2 << 30, Prefetch: 3 << 20, InFlight: 1 << 20, Rendering: 100 << 20, Sending: 20 << 20, Workers: 2, MaxPixels: 300000,
		GPU: GPUStrict, GPUDevice: Numbers{1, 0}, GPUMemory: 1 << 30,
		PublicURL: "https://maps.example/mine", RequestTimeout: Duration(90 * time.Second), StorageTimeout: Duration(20 * time.Second), MaxRequests: 7, ClientRate: 0.5, ClientBurst: 3, ClientHeader: "X-Me", MaxConnections: 8, CacheControl: "no-cache",
		MinSendRate: 1 << 10, SendAllowance: Duration(3 * time.Second),
		BasePath: "/mine", TrustedProxies: Networks{"10.0.0.0/8", "192.0.2.7"}, Caching: CachingVersioned, Empty: "204",
		Service: Service{"Maps", "Of all", []string{"a", "b"}, "We", "https://we.example", "I", "i@we.example", "none", "few"},
		Rescan:  Duration(time.Minute), TileMatrixSets: []TileMatrixSet{{path: filepath.Join(folder, "grid.json")}, {text: []byte(`{"id":"Own"}`)}},
		Paths: []Path{{Path: filepath.Join(folder, "scenes")}, {Path: absolute}},
		Layers: []Layer{{
			ID: "height", Title: "Höhe", Path: filepath.Join(folder, "sub", "dem.tif"), Block: 512,
			Description: "Of the ground", Attribution: "© We", Empty: "blank",
			Style: Style{
				Bidx: []int{1}, Rescale: []string{"0,100"}, ColormapName: "viridis", Stretch: "minmax", Resampling: "cubic", NoData: &noData,
			},
			Styles: []NamedStyle{{Name: "relief", Title: "Relief", Style: Style{
				Algorithm: "hillshade", AlgorithmParams: map[string]any{"azimuth": 300}, Background: "#102030",
			}}},
		}},
		Styles: []NamedStyle{{Name: "classes", Style: Style{
			Colormap: map[any]any{1: "#ff0000", 2: []any{0, 255, 0}},
		}}},
		State: filepath.Join(folder, "kept"),

		OpenFiles: 11, OpenRemoteFiles: 12, KeptOpen: 13,
		SavedOverviews: 3 << 30, RemoteMemory: 33 << 20,
		LogLevel: "debug", LogFormat: LogJSON, AccessLog: AccessAll, SlowRequest: Duration(2 * time.Second),
		Symlinks: SymlinksInside, DrainDelay: Duration(3 * time.Second), Watchdog: Duration(7 * time.Minute), ShutdownTimeout: Duration(20 * time.Second),
	}
	got := Default()
	if err := got.Load(path); err != nil {
		t.Fatal(err)
	}
	got.document = document{}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if err := got.Validate(); err != nil {
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
		c := Default()
		err := c.Load(path)
		if err == nil || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), "c.yaml") {
			t.Errorf("%s: got %v, want %q and the name of the file", test.name, err, test.says)
		}
	}
}

func TestInvalidValuesAreMistakes(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"workers":         func(c *Config) { c.Workers = 0 },
		"gpu":             func(c *Config) { c.GPU = "on" },
		"gpu-device":      func(c *Config) { c.GPUDevice = Numbers{1, 1} },
		"gpu-memory":      func(c *Config) { c.GPUMemory = 1 << 20 },
		"queue":           func(c *Config) { c.Queue = -1 },
		"is bytes":        func(c *Config) { c.Cache = 4 },
		"in-flight":       func(c *Config) { c.InFlight = 1<<20 - 1 },
		"rendering":       func(c *Config) { c.Rendering = 1 << 20 },
		"sending":         func(c *Config) { c.Sending = 1 << 20 },
		"send-allowance":  func(c *Config) { c.SendAllowance = -1 },
		"max-pixels":      func(c *Config) { c.MaxPixels = 512*512 - 1 },
		"storage-timeout": func(c *Config) { c.StorageTimeout = 0 },
		"request-timeout": func(c *Config) { c.RequestTimeout = 0 },
		"max-requests":    func(c *Config) { c.MaxRequests = 0 },
		"cache-control":   func(c *Config) { c.CacheControl = "" },
		"public-url":      func(c *Config) { c.PublicURL = "maps.example" },
		"base-path":       func(c *Config) { c.BasePath = "mine" },
		`"/b" differs`:    func(c *Config) { c.PublicURL, c.BasePath = "https://maps.example/a", "/b" },
		"trusted-proxies": func(c *Config) { c.TrustedProxies = Networks{"proxy.example"} },
		"caching":         func(c *Config) { c.Caching = "always" },
		"empty":           func(c *Config) { c.Empty = "white" },
		"rescan":          func(c *Config) { c.Rescan = Duration(time.Millisecond) },
		"layers[0].empty": func(c *Config) { c.Layers = []Layer{{Path: "a.tif", Empty: "white"}} },
		"layers[1]":       func(c *Config) { c.Layers = []Layer{{Path: "a.tif"}, {ID: "b"}} },
		"not 1000000":     func(c *Config) { c.Layers = []Layer{{Path: "a.tif", Block: 1000000}} },
		"layers[0].block": func(c *Config) { c.Layers = []Layer{{Path: "a.tif", Block: -1}} },
	} {
		c := Default()
		if err := c.Validate(); err != nil {
			t.Fatalf("the defaults: %v", err)
		}
		change(&c)
		if err := c.Validate(); !IsMistake(err) || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want a mistake about %q", err, name)
		}
	}
}

// The examples must be valid and complete, since users do not find keys that they omit.
func TestExampleConfigurations(t *testing.T) {
	folder := filepath.Join("..", "configs")
	for _, name := range []string{"all-keys.yaml", "container.yaml", "dev.yaml", "production.yaml"} {
		c := Default()
		if err := c.Load(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
		if err := c.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := parseAll(&c); err != nil {
			t.Errorf("%s: %v", name, err)
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

// parseAll parses the styles and the tile matrix sets of a configuration.
func parseAll(c *Config) error {
	var found Mistakes
	_, err := ParseStyles(c.Styles, c.At("styles"))
	found.Add(err)
	for i := range c.Layers {
		at := c.At("layers[%d]", i)
		if _, err := c.Layers[i].Parse(); err != nil {
			found.Add(at.Mistake(err))
		}
		_, err := ParseStyles(c.Layers[i].Styles, at.At("styles"))
		found.Add(err)
	}
	for i := range c.TileMatrixSets {
		if _, _, err := c.TileMatrixSets[i].Read(); err != nil {
			found.Add(c.At("tile_matrix_sets[%d]", i).Mistake(err))
		}
	}
	return found.Err()
}

func writeFile(t testing.TB, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
