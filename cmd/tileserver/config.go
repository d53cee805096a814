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
// settings documents every key.
type config struct {
	Listen      string   `yaml:"listen"`       // host:port of maps
	AdminListen string   `yaml:"admin_listen"` // host:port of metrics and profiles; "" for none
	Cache       byteSize `yaml:"cache"`        // for decoded blocks and pictures together
	InFlight    byteSize `yaml:"in_flight"`    // for blocks between disk and cache
	Rendering   byteSize `yaml:"rendering"`    // for pictures being rendered
	Workers     int      `yaml:"workers"`      // blocks decoded at a time; twice as many pictures are rendered at a time
	Queue       int      `yaml:"queue"`        // pictures that may wait to be rendered
	MaxPixels   int      `yaml:"max_pixels"`   // of one picture

	PublicURL      string      `yaml:"public_url"`      // how clients see the root; "" means as requests say
	BasePath       string      `yaml:"base_path"`       // its path; defaults to the path of public_url
	TrustedProxies networkList `yaml:"trusted_proxies"` // whose X-Forwarded headers are trusted; nil means private networks
	RequestTimeout duration    `yaml:"request_timeout"` // for preparing an answer
	MaxRequests    int         `yaml:"max_requests"`    // answered at a time
	CacheControl   string      `yaml:"cache_control"`   // of pictures
	Caching        string      `yaml:"caching"`         // cachingRevalidated or cachingVersioned
	Empty          string      `yaml:"empty"`           // answer for tiles without data: blank, 204 or 404

	Service serviceConfig `yaml:"service"` // metadata of the service

	State string `yaml:"state"` // folder for data that outlives the process; "" for none

	Paths  []string      `yaml:"paths"`
	Rescan duration      `yaml:"rescan"` // how often folders are scanned; 0 for never
	Layers []layerConfig `yaml:"layers"`
	Styles []namedStyle  `yaml:"styles"` // for every layer that can be shown in them

	TileMatrixSets []tileSetConfig `yaml:"tile_matrix_sets"` // besides the built-in ones

	LogLevel    string   `yaml:"log_level"`
	LogFormat   string   `yaml:"log_format"`
	AccessLog   string   `yaml:"access_log"`   // which requests are logged
	SlowRequest duration `yaml:"slow_request"` // 0 means never slow

	source configSource
}

// The values of caching.
const (
	cachingRevalidated = "revalidated" // clients revalidate pictures after a while
	cachingVersioned   = "versioned"   // addresses contain the version of a picture, which clients cache for a year
)

// defaultRescan shows new files soon and keeps scans rare.
const defaultRescan = 10 * time.Second

// serviceConfig is the metadata of the service.
type serviceConfig struct {
	Title             string   `yaml:"title"`
	Abstract          string   `yaml:"abstract"`
	Keywords          []string `yaml:"keywords"`
	Provider          string   `yaml:"provider"` // organization that runs it
	Site              string   `yaml:"site"`     // web site of the organization
	Contact           string   `yaml:"contact"`  // a person
	Email             string   `yaml:"email"`
	Fees              string   `yaml:"fees"`
	AccessConstraints string   `yaml:"access_constraints"`
}

// layerConfig is an entry of layers, which overrides what its file suggests.
type layerConfig struct {
	ID          string `yaml:"id"`
	Title       string `yaml:"title"`
	Description string `yaml:"description"` // for people
	Attribution string `yaml:"attribution"` // credit to show next to its pictures
	Path        string `yaml:"path"`
	Empty       string `yaml:"empty"` // answer for tiles without data: blank, 204 or 404
	Block       int    `yaml:"block"` // side of virtual blocks; 0 keeps the file's

	// QualityLayers is how many quality layers of a JPEG 2000 file to decode; 0 means all.
	QualityLayers int `yaml:"quality_layers"`

	// StatisticsPixels is the maximum number of pixels to read for statistics.
	StatisticsPixels int64 `yaml:"statistics_pixels"`

	// MaxMaking is the maximum number of bytes that a request may decode to build overviews.
	MaxMaking byteSize `yaml:"max_making"`

	styleConfig `yaml:",inline"`

	Styles []namedStyle `yaml:"styles"` // further styles that requests may name
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

// defaultState returns the folder that a service manager provides, or else the user's cache folder.
func defaultState() string {
	if given, _, _ := strings.Cut(os.Getenv("STATE_DIRECTORY"), ":"); given != "" {
		return given
	}
	if own, err := os.UserCacheDir(); err == nil {
		return filepath.Join(own, "tileserver")
	}
	return ""
}
