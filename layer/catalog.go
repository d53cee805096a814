package layer

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tileserver/cache"
	"tileserver/cache/disk"
	"tileserver/display/picture"
	"tileserver/nearest"
)

// CatalogConfig is what layers share.
type CatalogConfig struct {
	Cache     *cache.Cache     // of blocks and pictures; nil keeps nothing
	Gate      *Gate            // nil makes one picture at a time, and none wait
	MaxPixels int              // of one picture; DefaultMaxPixels where 0
	Encoder   *picture.Encoder // nil is one of its own

	// OverviewTimeout is how long pictures wait for overviews that have begun to be made in
	// the background, before they are Busy. DefaultPatience where 0, for ever below 0.
	OverviewTimeout time.Duration

	// State keeps statistics beyond the end of the process; nil does not.
	State *disk.Store

	// Pictures bounds the memory of the pictures that are being made, beside Cache
	// and what decoding takes. One that alone takes more is TooLarge, the others
	// wait. Nil has no bound.
	Pictures *cache.Budget
}

// DefaultMaxPixels lets a picture be as large as a screen of 4096 by 4096.
const DefaultMaxPixels = 4096 * 4096

// Catalog is all layers and what they share. Which layers there are may change while it
// serves them.
type Catalog struct {
	config     CatalogConfig
	snapshot   atomic.Pointer[snapshot]
	listing    atomic.Pointer[listing] // the latest; nil before the first
	lastChange changeTime
	refreshed  atomic.Uint64 // how many times Look looked at a layer

	keys keySequence

	mu      sync.Mutex // guards changes of served, and what follows
	retired retiredDatasets

	blockCaches  *blockCaches
	pictures     *cache.Space[string, encodedPicture]
	documents    *documents
	displayCache *displayCache
	overviews    *overviewBuilder
	geotiffs     sync.Pool // of *geotiff.Encoder
}

// NewCatalog returns a catalog without layers.
func NewCatalog(config CatalogConfig) *Catalog {
	if config.MaxPixels <= 0 {
		config.MaxPixels = DefaultMaxPixels
	}
	if config.Gate == nil {
		config.Gate = NewGate(1, 0)
	}
	if config.Encoder == nil {
		config.Encoder = new(picture.Encoder)
	}
	if config.OverviewTimeout == 0 {
		config.OverviewTimeout = DefaultOverviewTimeout
	}
	c := &Catalog{
		config:       config,
		retired:      newRetiredDatasets(),
		blockCaches:  newBlockCaches(config.Cache),
		pictures:     cache.NewSpace[string, encodedPicture](config.Cache, "pictures"),
		documents:    cache.NewSpace[[sha256.Size]byte, Document](config.Cache, "documents"),
		displayCache: newDisplayCache(config.State, config.Pictures),
		overviews:    newOverviewBuilder(&config),
	}
	c.overviews.isServed = c.isServed
	c.snapshot.Store(new(snapshot))
	c.lastChange.record()
	return c
}

// Layers lists all layers in the order in which they are served.
func (c *Catalog) Layers() []*Layer { return slices.Clone(c.snapshot.Load().layers) }

// MaxPixels is how many pixels one picture may have.
func (c *Catalog) MaxPixels() int { return c.config.MaxPixels }

// Layer finds a layer by its id.
func (c *Catalog) Layer(id string) (*Layer, error) {
	if l, ok := c.snapshot.Load().byID[id]; ok {
		return l, nil
	}
	return nil, notFound("there is no layer %q%s", id, nearest.Hint(id, c.firstIDs()))
}

// maxCompared bounds what it takes to find the layer that was meant by an id that there is not.
const maxHintIDs = 1000

// someIDs are the ids of the first layers.
func (c *Catalog) firstIDs() []string {
	list := c.snapshot.Load().layers
	ids := make([]string, min(len(list), maxHintIDs))
	for i := range ids {
		ids[i] = list[i].ID()
	}
	return ids
}

// CheckStyles finds out what is wrong with the styles of a layer, whether it is served or
// not: whatever can be shown at all has a preview.
func (c *Catalog) CheckStyles(l *Layer) error {
	for _, named := range l.Styles() {
		request := Request{Layer: l.ID(), Area: PreviewArea{MaxSize: 1}, Style: named.Style}
		if _, err := c.prepare(l, l.versions.active.Load(), request); err != nil {
			return fmt.Errorf("layer %q, style %q: %w", l.ID(), named.Name, classify(err))
		}
	}
	return nil
}

// Close ends what goes on in the background and closes the datasets of all layers that are
// served.
func (c *Catalog) Close() error {
	c.overviews.close()
	var errs []error
	for _, l := range c.snapshot.Load().layers {
		errs = append(errs, l.versions.active.Load().dataset.Close())
	}
	return errors.Join(errs...)
}

// Stats is what a catalog is doing.
type Stats struct {
	Cache            cache.Stats // of blocks and pictures
	Chains           cache.Stats // of display
	Statistics       cache.Stats // of datasets
	Working, Waiting int         // pictures
	Layers           int
	Overviews        OverviewStats
}

// Stats is a snapshot.
func (c *Catalog) Stats() Stats {
	s := Stats{Cache: c.config.Cache.Stats(), Chains: c.displayCache.chainCache.Stats(), Statistics: c.displayCache.statisticsCache.Stats(), Layers: len(c.snapshot.Load().layers), Overviews: c.overviews.stats()}
	s.Working, s.Waiting = c.config.Gate.Load()
	return s
}
