// Package config has the configuration of a server: its keys, their defaults, a file in YAML, the
// options of the command line that follow from the keys, and the reference of all keys. Package main
// of tileserver reads a configuration and the library serves what it lists. The package owns the
// notation of values and the mistakes in them, each with its location. It must never know open
// layers, handlers of HTTP, or the exit codes of commands.
//
// Words: a *key* names a value in the file; a *setting* describes a key for people; a *location* is
// where a layer, a style or a path is written; a *mistake* is an error in a value, with its location.
package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// The defaults of listen and admin_listen.
const (
	DefaultListen      = "127.0.0.1:8080"
	DefaultAdminListen = "127.0.0.1:8081"
)

// A Config is the configuration of a server: defaults, then a file, then options. The table of
// settings documents every key.
type Config struct {
	Listen      string   `yaml:"listen"`       // host:port of maps
	AdminListen string   `yaml:"admin_listen"` // host:port of metrics and profiles; "" for none
	AdminHosts  []string `yaml:"admin_hosts"`  // names of the admin listener

	Cache     Size `yaml:"cache"`      // for decoded blocks and pictures together
	InFlight  Size `yaml:"in_flight"`  // for blocks between disk and cache
	Rendering Size `yaml:"rendering"`  // for pictures being rendered
	Sending   Size `yaml:"sending"`    // for answers that clients have not read
	Prefetch  Size `yaml:"prefetch"`   // of Cache, for what viewers will ask for next; 0 for nothing
	Workers   int  `yaml:"workers"`    // blocks decoded at a time; twice as many pictures are rendered at a time
	Queue     int  `yaml:"queue"`      // pictures that may wait to be rendered
	MaxPixels int  `yaml:"max_pixels"` // of one picture

	GPU       string  `yaml:"gpu"`        // GPUAuto, GPUOff or GPUStrict
	GPUDevice Numbers `yaml:"gpu_device"` // of adapters; nil means the first
	GPUMemory Size    `yaml:"gpu_memory"` // shared with each

	ShadowAdmission bool `yaml:"shadow_admission"` // log requests that would come too late, instead of refusing them

	PublicURL      string   `yaml:"public_url"`      // how clients see the root; "" means as requests say
	BasePath       string   `yaml:"base_path"`       // its path; defaults to the path of public_url
	TrustedProxies Networks `yaml:"trusted_proxies"` // whose X-Forwarded headers are trusted; nil means private networks
	RequestTimeout Duration `yaml:"request_timeout"` // for preparing an answer
	StorageTimeout Duration `yaml:"storage_timeout"` // for an answer of a disk or a file server
	MaxRequests    int      `yaml:"max_requests"`    // answered at a time
	ClientRate     float64  `yaml:"client_rate"`     // requests a second of one client; 0 for any
	ClientBurst    int      `yaml:"client_burst"`    // requests of one client at once
	ClientHeader   string   `yaml:"client_header"`   // in which a trusted proxy names the client
	MaxConnections int      `yaml:"max_connections"` // of clients of maps
	MinSendRate    Size     `yaml:"min_send_rate"`   // bytes a second that a client must read; 0 for any
	SendAllowance  Duration `yaml:"send_allowance"`  // for how long it may read slower at the beginning
	CacheControl   string   `yaml:"cache_control"`   // of pictures
	Caching        string   `yaml:"caching"`         // CachingRevalidated or CachingVersioned
	Empty          string   `yaml:"empty"`           // answer for tiles without data: blank, 204 or 404

	Service Service `yaml:"service"` // metadata of the service

	State string `yaml:"state"` // folder for data that outlives the process; "" for none

	// SavedOverviews bounds the overviews in that folder; 0 for none.
	SavedOverviews Size `yaml:"saved_overviews"`

	DiskCache DiskCache `yaml:"disk_cache"` // of remote files

	RemoteMemory Size `yaml:"remote_memory"` // for what is known and read of remote files beside their pixels

	Grids string `yaml:"grids"` // folder of grid files of datum shifts; "" for none

	Watchdog        Duration `yaml:"watchdog"`         // without a finished picture; 0 is without limit
	DrainDelay      Duration `yaml:"drain_delay"`      // before a server that stops refuses connections
	ShutdownTimeout Duration `yaml:"shutdown_timeout"` // for answers in progress after that

	Allow       Allow  `yaml:"allow"`        // what requests may ask of all layers
	SigningKeys string `yaml:"signing_keys"` // file with the keys of signed addresses

	Paths    []Path `yaml:"paths"`
	Symlinks string `yaml:"symlinks"` // in folders: SymlinksFollow, SymlinksInside or SymlinksNone

	Remote []Remote `yaml:"remote"` // how remote files are reached
	URL    URL      `yaml:"url"`    // which files requests may name by their address

	Rescan Duration `yaml:"rescan"` // how often folders are scanned; 0 for never

	OpenFiles       int `yaml:"open_files"`        // of folders on disk, at the start; of more, each when it is asked for
	OpenRemoteFiles int `yaml:"open_remote_files"` // of folders of buckets
	KeptOpen        int `yaml:"kept_open"`         // of those that were asked for

	Layers []Layer      `yaml:"layers"`
	Styles []NamedStyle `yaml:"styles"` // for every layer that can be shown in them

	TileMatrixSets []TileMatrixSet `yaml:"tile_matrix_sets"` // besides the built-in ones

	LogLevel    string   `yaml:"log_level"`
	LogFormat   string   `yaml:"log_format"`
	AccessLog   string   `yaml:"access_log"`   // which requests are logged
	SlowRequest Duration `yaml:"slow_request"` // 0 means never slow

	document document
}

// The values of caching.
const (
	CachingRevalidated = "revalidated" // clients revalidate pictures after a while
	CachingVersioned   = "versioned"   // addresses contain the version of a picture, which clients cache for a year
)

// The values of gpu.
const (
	GPUAuto   = "auto"   // for work that it does sooner than the cores
	GPUOff    = "off"    // for nothing
	GPUStrict = "strict" // for all work that it can do
)

// The values of symlinks.
const (
	SymlinksFollow = "follow" // wherever they lead
	SymlinksInside = "inside" // to the same folder and below
	SymlinksNone   = "none"
)

// The values of log_format.
const (
	LogText = "text"
	LogJSON = "json"
)

// The values of access_log.
const (
	AccessOff      = "off"
	AccessProblems = "problems" // failed and slow requests
	AccessAll      = "all"
)

// The values of placement: what places a file that has both a georeference and RPCs.
const (
	PlacementGeoreference = "georeference"
	PlacementRPC          = "rpc"
)

// Service is the metadata of the service.
type Service struct {
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

// A Layer is an entry of layers, which overrides what its file suggests.
type Layer struct {
	ID          string `yaml:"id"`
	Title       string `yaml:"title"`
	Description string `yaml:"description"` // for people
	Attribution string `yaml:"attribution"` // credit to show next to its pictures
	Path        string `yaml:"path"`
	Empty       string `yaml:"empty"` // answer for tiles without data: blank, 204 or 404
	Block       int    `yaml:"block"` // side of virtual blocks; 0 keeps the file's

	// QualityLayers is how many quality layers of a JPEG 2000 file to decode; 0 means all.
	QualityLayers int `yaml:"quality_layers"`

	Placement string   `yaml:"placement"` // PlacementGeoreference or PlacementRPC; "" is the former
	Height    *float64 `yaml:"height"`    // of the ground, for RPCs; nil means that of the RPCs
	DEM       string   `yaml:"dem"`       // id of the layer with heights of the ground, for RPCs

	// StatisticsPixels is the maximum number of pixels to read for statistics.
	StatisticsPixels int64 `yaml:"statistics_pixels"`

	// MaxMaking is the maximum number of bytes that a request may decode to build overviews.
	MaxMaking Size `yaml:"max_making"`

	Allow Allow `yaml:"allow"` // what requests may ask of the layer

	Style `yaml:",inline"`

	Styles []NamedStyle `yaml:"styles"` // further styles that requests may name
}

// defaultRescan shows new files soon and keeps scans rare.
const defaultRescan = 10 * time.Second

// defaultWatchdog is far longer than any picture takes. A server that finishes none for so long will
// finish none any more.
const defaultWatchdog = 5 * time.Minute

// defaultShutdownTimeout lets nearly all answers finish. Service managers kill what takes longer than
// 30 seconds to stop.
const defaultShutdownTimeout = 15 * time.Second

// defaultMaxConnections takes about 40 MiB, since an idle connection takes 20 KiB.
const defaultMaxConnections = 2048

// defaultSlowRequest is longer than a picture takes, unless overviews must be built for it.
const defaultSlowRequest = 10 * time.Second

// defaultCacheControl allows a picture to be shown for five minutes without revalidation, and for a
// day while it is revalidated.
const defaultCacheControl = "public, max-age=300, stale-while-revalidate=86400"

// cores is what the process may use, as Go finds it at the start. A server raises GOMAXPROCS later.
var cores = runtime.GOMAXPROCS(0)

// Default returns the configuration of a server that is told nothing.
func Default() Config {
	workers := cores
	return Config{
		Listen: DefaultListen, AdminListen: DefaultAdminListen,
		Cache: 512 << 20, Prefetch: 64 << 20, InFlight: 256 << 20, Rendering: 640 << 20, Sending: 256 << 20, RemoteMemory: 64 << 20,
		Workers: workers, Queue: 256 * workers,
		MaxPixels: 4096 * 4096,
		GPU:       GPUAuto, GPUMemory: 512 << 20,
		RequestTimeout: Duration(time.Minute), StorageTimeout: Duration(30 * time.Second), MaxRequests: 4096, ClientBurst: 200, MaxConnections: defaultMaxConnections,
		MinSendRate: 16 << 10, SendAllowance: Duration(10 * time.Second),
		CacheControl: defaultCacheControl, Caching: CachingRevalidated,
		Rescan: Duration(defaultRescan), Watchdog: Duration(defaultWatchdog), ShutdownTimeout: Duration(defaultShutdownTimeout),
		OpenFiles: 10_000, OpenRemoteFiles: 256, KeptOpen: 256,
		State: defaultState(), SavedOverviews: 4 << 30, Symlinks: SymlinksFollow,

		LogLevel: "info", LogFormat: LogText, AccessLog: AccessProblems, SlowRequest: Duration(defaultSlowRequest),
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
