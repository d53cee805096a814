package layer

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/cache/disk"
	"tileserver/display/picture"
	"tileserver/layer/analysis"
	"tileserver/layer/listing"
	"tileserver/layer/overviewbuild"
	"tileserver/layer/providers"
	"tileserver/layer/versions"
	"tileserver/nearest"
	"tileserver/raster"
)

// CatalogConfig configures what all layers share.
type CatalogConfig struct {
	Cache     *cache.Cache     // of blocks and pictures; nil caches nothing
	Pictures  *cache.Cache     // of pictures instead, where each is asked for once; nil is Cache
	Gate      *admission.Gate  // bounds all work and its memory; nil renders one picture at a time without a queue
	MaxPixels int              // of one picture; DefaultMaxPixels if 0
	Encoder   *picture.Encoder // nil creates one

	// OverviewTimeout is how long pictures wait for a background build of overviews, counted from
	// its start, before they fail as Busy. If it is 0, overviewbuild.DefaultTimeout applies.
	// Negative values mean no limit.
	OverviewTimeout time.Duration

	// State stores statistics on disk; nil does not.
	State *disk.Store

	// SavedOverviews stores overviews that were built in the background; nil does not.
	SavedOverviews *disk.Groups

	// Pieces returns how many pieces of a file are read at a time to build overviews, if there is memory for
	// them. Nil means one for each processor.
	Pieces func() int

	// MaxVisited bounds the layers that are open without being served. 0 means DefaultMaxVisited.
	MaxVisited int
}

// DefaultMaxPixels allows pictures of 4096 by 4096 pixels.
const DefaultMaxPixels = 4096 * 4096

// A Catalog holds all layers and what they share. Layers can be added and removed at any time.
type Catalog struct {
	config     CatalogConfig
	served     atomic.Pointer[listing.List[*Layer]]
	offered    atomic.Pointer[offers]
	visits     *visits
	index      atomic.Pointer[listing.Index[*Layer]] // the latest one, or nil
	indexMu    sync.Mutex                            // held while the next index is made
	lastChange changeTime
	refreshed  atomic.Uint64 // layers that Refresh has checked so far

	keys versions.Keys

	mu        sync.Mutex // guards changes of served and the fields below
	retired   *versions.Retired
	removedAt map[string]time.Time // of layers of which something is saved, by its key

	blockCaches *providers.Caches
	pictures    *cache.Space[string, encodedPicture]
	analysis    *analysis.Cache
	overviews   *overviewbuild.Builder
	encoding    encodingRates
	geotiffs    sync.Pool // of *geotiff.Encoder
	pixels      raster.MemoryPool
}

// NewCatalog returns a catalog without layers.
func NewCatalog(config CatalogConfig) *Catalog {
	if config.MaxPixels <= 0 {
		config.MaxPixels = DefaultMaxPixels
	}
	if config.Gate == nil {
		config.Gate = admission.New(admission.Config{})
	}
	if config.Encoder == nil {
		config.Encoder = new(picture.Encoder)
	}
	if config.OverviewTimeout == 0 {
		config.OverviewTimeout = overviewbuild.DefaultTimeout
	}
	c := &Catalog{
		config:      config,
		visits:      newVisits(cmp.Or(config.MaxVisited, DefaultMaxVisited)),
		retired:     versions.NewRetired(),
		removedAt:   make(map[string]time.Time),
		blockCaches: providers.NewCaches(config.Cache),
		pictures:    cache.NewSpace[string, encodedPicture](cmp.Or(config.Pictures, config.Cache), "pictures"),
		analysis:    analysis.New(analysis.Config{State: config.State, Gate: config.Gate}),
		overviews:   overviewbuild.New(overviewbuild.Config{Gate: config.Gate, Timeout: config.OverviewTimeout}),
		encoding:    newEncodingRates(),
	}
	c.served.Store(new(listing.List[*Layer]))
	none, _ := newOffers(Offers{}) // fails for ids only
	c.offered.Store(none)
	c.lastChange.record()
	return c
}

// Layers returns all layers in the order in which they are listed.
func (c *Catalog) Layers() []*Layer { return slices.Clone(c.served.Load().Layers()) }

// MaxPixels returns the maximum number of pixels of one picture.
func (c *Catalog) MaxPixels() int { return c.config.MaxPixels }

// Find returns the layer that a request names. One that is offered is opened.
func (c *Catalog) Find(ctx context.Context, id string) (*Layer, error) {
	if offered := c.offered.Load(); offered.has(id) {
		return c.openOffered(ctx, offered, id)
	}
	return c.Layer(id)
}

// Layer returns the layer of an id, if it is served.
func (c *Catalog) Layer(id string) (*Layer, error) {
	if l, ok := c.served.Load().Find(id); ok {
		return l, nil
	}
	return nil, notFound("there is no layer %q%s", id, nearest.Hint(id, c.firstIDs()))
}

// maxHintIDs bounds the ids that an unknown id is compared with for a hint.
const maxHintIDs = 1000

// firstIDs returns the ids of the first layers.
func (c *Catalog) firstIDs() []string {
	list := c.served.Load().Layers()
	ids := make([]string, min(len(list), maxHintIDs))
	for i := range ids {
		ids[i] = list[i].ID()
	}
	return ids
}

// Close stops background work and closes the datasets of all layers.
func (c *Catalog) Close() error {
	c.overviews.Close()
	var errs []error
	for _, l := range slices.Concat(c.served.Load().Layers(), c.visits.all()) {
		errs = append(errs, l.versions.Last().dataset.Close())
	}
	return errors.Join(errs...)
}

// Stats describes the activity of a catalog.
type Stats struct {
	Cache            cache.Stats // of blocks and pictures
	Chains           cache.Stats // of display
	Statistics       cache.Stats // of datasets
	Working, Waiting int         // pictures being rendered, and waiting for a slot
	Admission        admission.Stats
	Layers           int
	Overviews        overviewbuild.Stats
	SavedOverviews   disk.GroupsStats
}

// Stats returns a snapshot of the catalog's activity.
func (c *Catalog) Stats() Stats {
	s := Stats{Cache: c.config.Cache.Stats(), Layers: len(c.served.Load().Layers()), Overviews: c.overviews.Stats()}
	s.Chains, s.Statistics = c.analysis.Stats()
	s.Admission, s.SavedOverviews = c.config.Gate.Stats(), c.config.SavedOverviews.Stats()
	s.Working, s.Waiting = c.config.Gate.Load()
	return s
}
