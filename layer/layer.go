package layer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tileserver/access"
	"tileserver/cache/disk"
	"tileserver/geo"
	"tileserver/identifier"
	"tileserver/layer/listing"
	"tileserver/layer/providers"
	"tileserver/layer/tilesets"
	"tileserver/layer/versions"
	"tileserver/nearest"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/style"
)

// Config configures a layer.
type Config struct {
	ID    string // letters, digits, "-", "_" and "."
	Title string // shown to people; ID if empty
	Open  Open
	Style style.Style // of requests that name no style

	Abstract    string // describes the layer to people
	Attribution string // credits to show next to pictures

	Empty EmptyAnswer // the answer to requests for tiles without pixels of the layer

	Access access.Policy // what requests may ask of the layer; callers check it

	// Styles are further styles that requests may name. Shared styles are added to them if the
	// dataset supports them and no style of the layer has their name.
	Styles, Shared []style.Named

	// TileSets are custom tile matrix sets, in addition to the ones registered by the OGC. The
	// layer is served in those that it fits. Their ids must be unique.
	TileSets []*geo.TileMatrixSet

	// BlockSize is the side of virtual blocks in pixels. If it is 0, the blocks are the file's own.
	BlockSize int

	// OnReopenError, if not nil, is called when a changed file cannot be opened, once per distinct
	// error. Meanwhile the layer serves the previous version as far as it can still be read.
	OnReopenError func(error)

	// StatisticsPixels is the maximum number of pixels that statistics sample, in blocks spread
	// over the image. If it is 0, statistics.DefaultMaxPixels applies.
	StatisticsPixels int64

	// MaxInlineOverviewBytes is the maximum number of file bytes that one request may decode to
	// build missing overviews. Overviews that need more are built once, in the background, and
	// cached. If it is 0, DefaultMaxInlineOverviewBytes applies; negative values mean no limit.
	MaxInlineOverviewBytes int64
}

// DefaultMaxInlineOverviewBytes takes about a second to decode.
const DefaultMaxInlineOverviewBytes = 256 << 20

// A Layer is a dataset under a stable id with its styles.
type Layer struct {
	config    Config
	providers providers.Config
	versions  *versions.Sequence[version]
	group     *rebuildGroup
	saved     *disk.Groups // of overviews; or nil

	searchText string // lower-case text that searches match

	tileSetsVersion func() string // hash of the custom sets; cached
}

// newLayer returns a layer without a version.
func (c *Catalog) newLayer(config Config) (*Layer, error) {
	if !identifier.IsValid(config.ID) {
		return nil, fmt.Errorf("invalid layer id %q: use letters, digits, \"-\", \"_\" and \".\"", config.ID)
	}
	if err := errors.Join(checkStyles(config.Styles), checkStyles(config.Shared), tilesets.Check(config.TileSets)); err != nil {
		return nil, fmt.Errorf("layer %q: %w", config.ID, err)
	}
	config.Styles = slices.Clone(config.Styles)
	for i := range config.Styles {
		config.Styles[i] = config.inherit(config.Styles[i])
	}
	if config.MaxInlineOverviewBytes == 0 {
		config.MaxInlineOverviewBytes = DefaultMaxInlineOverviewBytes
	}
	l := &Layer{config: config, providers: c.providersOf(&config), group: newRebuildGroup(config.ID), saved: c.config.SavedOverviews, searchText: listing.SearchText(config.ID, config.Title, config.Abstract, config.Attribution)}
	l.versions = c.versionsOf(l)
	l.tileSetsVersion = sync.OnceValue(func() string { return tilesets.Digest(config.TileSets) })
	return l, nil
}

// providersOf configures the providers of a layer's versions.
func (c *Catalog) providersOf(config *Config) providers.Config {
	return providers.Config{Caches: c.blockCaches, BlockSize: config.BlockSize, MaxInlineOverviewBytes: config.MaxInlineOverviewBytes, Pieces: c.config.Pieces}
}

// providersFor returns the providers that pictures in a style read. It shares the version's own
// providers unless the style changes nodata or how overviews are built.
func (l *Layer) providersFor(current *version, s style.Style) providers.Set {
	noData := canonicalNoData(current.providers.StoredLevels.Info(), s.NoData)
	samePicks := (s.Resampling == resample.Nearest) == (l.config.Style.Resampling == resample.Nearest)
	if noData == nil && samePicks {
		return current.providers
	}
	return l.chain(current, current.providers.Converted, noData, s.Resampling)
}

// chain returns the providers of a version that mask noData, if it is not nil.
func (l *Layer) chain(v *version, converted raster.Provider, noData *float64, resampling resample.Method) providers.Set {
	info := converted.Info()
	return l.providers.Chain(providers.Source{
		Converted: converted, CRS: v.dataset.CRS, Placement: v.dataset.Placement, IsFar: v.dataset.IsFar, NoData: noData, Resampling: resampling,
		IsRequested: noData != nil && !l.masks(info, *noData), IsShownUnmasked: canonicalNoData(info, l.config.Style.NoData) == nil,
		Saved: v.savedOverviews(),
	})
}

// masks reports whether a style of the layer masks a nodata value, in its canonical form.
func (l *Layer) masks(info *raster.Info, noData float64) bool {
	isSame := func(s *style.Style) bool {
		own := canonicalNoData(info, s.NoData)
		return own != nil && *own == noData
	}
	hasSame := func(named style.Named) bool { return isSame(&named.Style) }
	return isSame(&l.config.Style) || slices.ContainsFunc(l.config.Styles, hasSame) || slices.ContainsFunc(l.config.Shared, hasSame)
}

// ID returns the layer's id, which appears in URLs.
func (l *Layer) ID() string { return l.config.ID }

// Title returns the layer's title, or its id if it has none.
func (l *Layer) Title() string {
	if l.config.Title == "" {
		return l.config.ID
	}
	return l.config.Title
}

// Abstract returns a description of the layer, or "".
func (l *Layer) Abstract() string { return l.config.Abstract }

// Attribution returns the credits to show next to pictures of the layer, or "".
func (l *Layer) Attribution() string { return l.config.Attribution }

// Empty returns the layer's own answer to requests for empty tiles.
func (l *Layer) Empty() EmptyAnswer { return l.config.Empty }

// Access returns what requests may ask of the layer.
func (l *Layer) Access() *access.Policy { return &l.config.Access }

// Style returns the style of a name; "" names the default style.
func (l *Layer) Style(name string) (style.Style, error) {
	if name == "" {
		name = style.DefaultName
	}
	var names []string
	for _, s := range l.Styles() {
		if s.Name == name {
			return s.Style, nil
		}
		names = append(names, s.Name)
	}
	return style.Style{}, invalid("the layer has no style %.64q; use %s%s", name, strings.Join(truncateNames(names), ", "), nearest.Hint(name, names))
}

// truncateNames shortens a list of names for an error message.
func truncateNames(names []string) []string {
	const maxNames = 20
	if len(names) <= maxNames {
		return names
	}
	return append(names[:maxNames:maxNames], "…")
}
