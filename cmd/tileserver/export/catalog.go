package export

import (
	"log/slog"
	"path/filepath"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/cache/disk"
	"tileserver/config"
	"tileserver/dataset"
	"tileserver/display/picture"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/source"
)

// The parts of --memory.
const (
	cachePart    = 2 // half of it is for blocks that neighboring tiles read
	inFlightPart = 4 // a quarter for reading and decoding, and as much for drawing
)

// pictureCacheBytes is for pictures, of which only blank ones are asked for again.
const pictureCacheBytes = 1 << 20

// CatalogConfig says how layers are opened.
type CatalogConfig struct {
	Files   source.Store
	Memory  config.Size
	Workers int
	Grids   *geo.Grids // of datum shifts; or nil
	State   string     // folder for statistics, and for overviews that files lack
	Logger  *slog.Logger
}

// A Catalog is the layers to export and what opens them.
type Catalog struct {
	*layer.Catalog
	Opener *dataset.Opener
}

// NewCatalog returns a catalog without layers.
func NewCatalog(c CatalogConfig) (*Catalog, error) {
	values, err := disk.Open(disk.Config{Folder: c.State, MaxBytes: maxStateBytes})
	if err != nil {
		return nil, err
	}
	overviews, err := disk.OpenGroups(disk.GroupsConfig{Folder: filepath.Join(c.State, "overviews"), MaxBytes: maxOverviewBytes})
	if err != nil {
		return nil, err
	}
	memory := int64(c.Memory)
	blocks := cache.New(memory / cachePart)
	opener := dataset.NewOpener(dataset.Config{
		Files: c.Files, Workers: c.Workers, InFlight: memory / inFlightPart, Cache: blocks, State: values, Grids: c.Grids, Logger: c.Logger,
	})
	defaults := config.Default()
	catalog := layer.NewCatalog(layer.CatalogConfig{
		Cache: blocks, Pictures: cache.New(pictureCacheBytes), MaxPixels: defaults.MaxPixels, Encoder: new(picture.Encoder),
		Gate:            admission.New(admission.Config{Cheap: c.Workers, Dear: c.Workers, Queue: c.Workers, Memory: memory / inFlightPart}),
		OverviewTimeout: -1, // every tile waits for them
		State:           values, SavedOverviews: overviews,
		Pieces: func() int { return c.Workers },
	})
	return &Catalog{catalog, opener}, nil
}

// The bounds of what is stored on disk. Of overviews, one file may take a quarter of all.
const (
	maxStateBytes    = 256 << 20
	maxOverviewBytes = 1 << 62
)
