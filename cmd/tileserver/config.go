package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	tilehttp "tileserver/http"
)

const (
	defaultListen      = "127.0.0.1:8080"
	defaultAdminListen = "127.0.0.1:8081"
)

// config is the configuration of a server: defaults, then a file, then options. The table of
// settings describes every key for users.
type config struct {
	Listen      string   `yaml:"listen"`       // host:port of maps
	AdminListen string   `yaml:"admin_listen"` // host:port of metrics and profiles; "" for none
	Cache       byteSize `yaml:"cache"`        // for decoded blocks and pictures together
	InFlight    byteSize `yaml:"in_flight"`    // for blocks between disk and cache
	Rendering   byteSize `yaml:"rendering"`    // for pictures being made of blocks
	Workers     int      `yaml:"workers"`      // blocks decoded at a time; twice as many pictures are made
	Queue       int      `yaml:"queue"`        // pictures that may wait to be made
	MaxPixels   int      `yaml:"max_pixels"`   // of one picture

	PublicURL      string      `yaml:"public_url"`      // how clients see the root; "" for what requests say
	BasePath       string      `yaml:"base_path"`       // the path under which they see it; that of public_url, if it is set
	TrustedProxies networkList `yaml:"trusted_proxies"` // whose X-Forwarded headers are believed; nil for private networks
	RequestTimeout duration    `yaml:"request_timeout"` // to make an answer
	MaxRequests    int         `yaml:"max_requests"`    // answered at a time
	CacheControl   string      `yaml:"cache_control"`   // of pictures
	Caching        string      `yaml:"caching"`         // cachingRevalidated or cachingVersioned
	Empty          string      `yaml:"empty"`           // answer for tiles that show nothing: blank, 204 or 404

	Service serviceConfig `yaml:"service"` // what the server is, for people and catalogs

	State string `yaml:"state"` // a folder for what outlives the process; "" for none

	Paths  []string      `yaml:"paths"`
	Rescan duration      `yaml:"rescan"` // how often folders are scanned; 0 for never
	Layers []layerConfig `yaml:"layers"`
	Styles []namedStyle  `yaml:"styles"` // of all layers that can be shown in them

	TileMatrixSets []tileSetConfig `yaml:"tile_matrix_sets"` // beside the built-in ones

	LogLevel    string   `yaml:"log_level"`
	LogFormat   string   `yaml:"log_format"`
	AccessLog   string   `yaml:"access_log"`   // which requests the log has
	SlowRequest duration `yaml:"slow_request"` // 0: none is slow

	source configSource
}

// The values of caching.
const (
	cachingRevalidated = "revalidated" // clients ask again after a while
	cachingVersioned   = "versioned"   // addresses have the version of the picture, which clients keep
)

// defaultRescan is soon for people, and rare enough for the largest folders.
const defaultRescan = 10 * time.Second

// serviceConfig describes the server to its users.
type serviceConfig struct {
	Title             string   `yaml:"title"`
	Abstract          string   `yaml:"abstract"`
	Keywords          []string `yaml:"keywords"`
	Provider          string   `yaml:"provider"` // who runs it
	Site              string   `yaml:"site"`     // the address of their page
	Contact           string   `yaml:"contact"`  // a person
	Email             string   `yaml:"email"`
	Fees              string   `yaml:"fees"`
	AccessConstraints string   `yaml:"access_constraints"`
}

// layerConfig is a layer that differs from what its file suggests.
type layerConfig struct {
	ID          string `yaml:"id"`
	Title       string `yaml:"title"`
	Description string `yaml:"description"` // for people
	Attribution string `yaml:"attribution"` // whom to name beside its pictures
	Path        string `yaml:"path"`
	Empty       string `yaml:"empty"` // answer for tiles that show nothing of it: blank, 204 or 404
	Block       int    `yaml:"block"` // side of virtual blocks; 0 keeps the file's

	// QualityLayers is how many of a JPEG 2000 file to decode; 0 for all.
	QualityLayers int `yaml:"quality_layers"`

	// StatisticsPixels is how many pixels statistics are computed from.
	StatisticsPixels int64 `yaml:"statistics_pixels"`

	// MaxMaking is how much of the file a picture may decode to make overviews.
	MaxMaking byteSize `yaml:"max_making"`

	styleConfig `yaml:",inline"`

	Styles []namedStyle `yaml:"styles"` // others, that requests may name
}

func defaultConfig() config {
	workers := runtime.GOMAXPROCS(0)
	return config{
		Listen: defaultListen, AdminListen: defaultAdminListen,
		Cache: 512 << 20, InFlight: 256 << 20, Rendering: 640 << 20,
		Workers: workers, Queue: 256 * workers,
		MaxPixels:      4096 * 4096,
		RequestTimeout: duration(tilehttp.DefaultRequestTimeout), MaxRequests: tilehttp.DefaultMaxRequests,
		CacheControl: tilehttp.DefaultCacheControl, Caching: cachingRevalidated,
		Rescan: duration(defaultRescan),
		State:  defaultState(),

		LogLevel: "info", LogFormat: logText, AccessLog: accessProblems, SlowRequest: duration(defaultSlowRequest),
	}
}

// defaultState is the folder that a service manager provides, or else the cache folder of the
// user.
func defaultState() string {
	if given, _, _ := strings.Cut(os.Getenv("STATE_DIRECTORY"), ":"); given != "" {
		return given
	}
	if own, err := os.UserCacheDir(); err == nil {
		return filepath.Join(own, "tileserver")
	}
	return ""
}
