package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	tilehttp "tileserver/http"
)

const (
	defaultListen      = "127.0.0.1:8080"
	defaultAdminListen = "127.0.0.1:8081"
)

// config is what the server is told: by its defaults, then a file, then options.
type config struct {
	Listen      string   `yaml:"listen"`       // host:port of maps
	AdminListen string   `yaml:"admin_listen"` // host:port of metrics and profiles; "" is none
	Cache       byteSize `yaml:"cache"`        // for decoded blocks and pictures together
	InFlight    byteSize `yaml:"in_flight"`    // for blocks between disk and cache
	Rendering   byteSize `yaml:"rendering"`    // for pictures being made of blocks
	Workers     int      `yaml:"workers"`      // blocks decoded at a time; twice as many pictures are made
	Queue       int      `yaml:"queue"`        // pictures that may wait to be made
	MaxPixels   int      `yaml:"max_pixels"`   // of one picture

	PublicURL      string        `yaml:"public_url"`      // how clients see the root; "" is as they ask
	RequestTimeout time.Duration `yaml:"request_timeout"` // to make an answer
	MaxRequests    int           `yaml:"max_requests"`    // answered at a time
	CacheControl   string        `yaml:"cache_control"`   // of pictures

	State string `yaml:"state"` // a folder for what is to outlive the process; "" is none

	Paths  []string      `yaml:"paths"`
	Layers []layerConfig `yaml:"layers"`
	Styles []namedStyle  `yaml:"styles"` // of all layers that can be shown so
}

// layerConfig is a layer that is to be other than its file suggests.
type layerConfig struct {
	ID    string `yaml:"id"`
	Title string `yaml:"title"`
	Path  string `yaml:"path"`
	Block int    `yaml:"block"` // side of virtual blocks; 0 keeps the file's

	// StatisticsPixels is how many pixels statistics are taken of.
	StatisticsPixels int64 `yaml:"statistics_pixels"`

	// MaxMaking is how much of the file a picture may have decoded to make overviews.
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
		RequestTimeout: tilehttp.DefaultRequestTimeout, MaxRequests: tilehttp.DefaultMaxRequests,
		CacheControl: tilehttp.DefaultCacheControl,
		State:        defaultState(),
	}
}

// defaultState is the folder that a service manager gives, or one for what users keep to
// save time.
func defaultState() string {
	if given, _, _ := strings.Cut(os.Getenv("STATE_DIRECTORY"), ":"); given != "" {
		return given
	}
	if own, err := os.UserCacheDir(); err == nil {
		return filepath.Join(own, "tileserver")
	}
	return ""
}

// load reads a configuration file over c. A key that is not known is an error.
// Relative paths are relative to the file.
func (c *config) load(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(c); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: there is more than one document in it", path)
	}
	folder := filepath.Dir(path)
	for i := range c.Paths {
		c.Paths[i] = relativeTo(folder, c.Paths[i])
	}
	for i := range c.Layers {
		c.Layers[i].Path = relativeTo(folder, c.Layers[i].Path)
	}
	c.State = relativeTo(folder, c.State)
	return nil
}

func relativeTo(folder, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}

// The sides that virtual blocks may have: smaller ones cost more to keep than
// they hold, and of larger ones a few fill the cache.
const (
	minBlock = 64
	maxBlock = 8192
)

// validate refuses values that nothing could work with.
func (c *config) validate() error {
	switch {
	case c.Workers < 1:
		return usageError("workers must be at least 1, not %d", c.Workers)
	case c.Queue < 0:
		return usageError("queue must not be negative")
	case c.InFlight < 1<<20:
		return usageError("in-flight must be at least 1MiB, not %v", c.InFlight)
	case c.Rendering < 16<<20:
		return usageError("rendering must be at least 16MiB, not %v", c.Rendering)
	case c.MaxPixels < 512*512:
		return usageError("max-pixels must be at least %d", 512*512)
	case c.RequestTimeout <= 0:
		return usageError("request-timeout must be more than nothing, not %v", c.RequestTimeout)
	case c.MaxRequests < 1:
		return usageError("max-requests must be at least 1, not %d", c.MaxRequests)
	case c.CacheControl == "":
		return usageError("cache-control must say something, like no-cache")
	}
	if _, _, err := splitPublicURL(c.PublicURL); err != nil {
		return err
	}
	for i, l := range c.Layers {
		if l.Path == "" {
			return usageError("layer %d of the configuration has no path", i+1)
		}
		if l.StatisticsPixels < 0 {
			return usageError("layer %d of the configuration has statistics of %d pixels", i+1, l.StatisticsPixels)
		}
		if l.Block != 0 && (l.Block < minBlock || l.Block > maxBlock) {
			return usageError("layer %d of the configuration has blocks of %d; they go from %d to %d", i+1, l.Block, minBlock, maxBlock)
		}
	}
	return nil
}
