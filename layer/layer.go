package layer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tileserver/geo"
	"tileserver/nearest"
	"tileserver/pyramid"
	"tileserver/raster"
)

// Config is what a layer is made of.
type Config struct {
	ID    string // of letters, digits, "-", "_" and "."
	Title string // for people; the id where empty
	Open  Open
	Style Style // where a request does not say otherwise

	Abstract    string // what the layer is, for people
	Attribution string // who is to be named beside its pictures

	Empty EmptyAnswer // for tiles that show nothing of the layer

	// Styles are others that requests may name. Of Shared, the layer has those that it can
	// be shown with and has none of its own of that name.
	Styles, Shared []NamedStyle

	// TileSets are tile matrix sets that the layer is served in where it fits, beside those
	// that the OGC has registered. Their ids are their own.
	TileSets []*geo.TileMatrixSet

	// BlockSize, if set, cuts the image into virtual blocks of that side. Without
	// it, the blocks are the file's own.
	BlockSize int

	// OnReopenError, if set, is told why the version of the dataset that follows the present
	// one cannot be opened, once for each reason. The present one goes on meanwhile,
	// as far as it can be read.
	OnReopenError func(error)

	// StatisticsPixels is how many pixels of a level statistics are taken of, where it has
	// more: a fixed spread of blocks. statistics.DefaultMaxPixels where 0.
	StatisticsPixels int64

	// MaxInlineOverviewBytes is how much of the file a picture may have decoded to make
	// overviews that the file lacks. What takes more is made in the background,
	// once for all, and kept. DefaultMaxMakingBytes where 0, no bound below 0.
	MaxInlineOverviewBytes int64
}

// DefaultMaxInlineOverviewBytes takes about a second to decode.
const DefaultMaxInlineOverviewBytes = 256 << 20

// Layer is a dataset under a stable id.
type Layer struct {
	config      Config
	blockCaches *blockCaches
	versions    versions
	group       *rebuildGroup

	searchText string // what searches look at

	tileSetsVersion func() string // works it out once
}

// newLayer is a layer that has no dataset yet.
func (c *Catalog) newLayer(config Config) (*Layer, error) {
	if !validID(config.ID) {
		return nil, fmt.Errorf("%q cannot be the id of a layer: it takes letters, digits, \"-\", \"_\" and \".\"", config.ID)
	}
	if err := errors.Join(checkStyles(config.Styles), checkStyles(config.Shared), CheckTileSets(config.TileSets)); err != nil {
		return nil, fmt.Errorf("layer %q: %w", config.ID, err)
	}
	config.Styles = slices.Clone(config.Styles)
	for i := range config.Styles {
		config.Styles[i] = config.inherit(config.Styles[i])
	}
	if config.MaxInlineOverviewBytes == 0 {
		config.MaxInlineOverviewBytes = DefaultMaxInlineOverviewBytes
	}
	l := &Layer{config: config, blockCaches: c.blockCaches, group: &rebuildGroup{layerID: config.ID}, searchText: searchText(&config)}
	l.versions.open, l.versions.onReopenError, l.versions.onChange = config.Open, config.OnReopenError, c.lastChange.record
	l.versions.describe, l.versions.keys = l.describe, &c.keys
	l.tileSetsVersion = sync.OnceValue(func() string { return hashTileSets(config.TileSets) })
	l.versions.build = func(d *Dataset) (providers, error) {
		converted, err := l.convert(d)
		if err != nil {
			return providers{}, err
		}
		return l.buildProviders(d, converted, nil, config.Style.Resampling), nil
	}
	return l, nil
}

// validID tells whether an id can stand in an address as it is.
func validID(id string) bool {
	for _, r := range id {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.') {
			return false
		}
	}
	return strings.Trim(id, ".") != ""
}

// view is what pictures of a dataset are made from.
type providers struct {
	pyramid *pyramid.Pyramid

	converted raster.Provider // what all views of a version are made from: some take tables to make

	// stored has the levels that the file has and no made ones, which take more
	// to make than statistics are worth.
	storedLevels raster.Provider

	downsampled *pyramid.Downsampled // makes the levels that the file lacks
}

// build puts the providers of a layer on each other.
func (l *Layer) buildProviders(d *Dataset, converted raster.Provider, nodata *float64, resampling pyramid.Resampling) providers {
	p := converted
	if nodata != nil {
		p = pyramid.NewMasked(p, *nodata)
	}
	fileBlocks := p
	if size := l.config.BlockSize; size > 0 {
		p = pyramid.NewCached(pyramid.NewRetiled(p, pyramid.RetiledConfig{BlockWidth: size, BlockHeight: size}), l.blockCaches.blocks)
	}
	result := providers{converted: converted, storedLevels: p, downsampled: l.addOverviews(p, fileBlocks, resampling)}
	p = result.downsampled
	if d.CRS == nil {
		result.pyramid = pyramid.New(p)
		return result
	}
	result.pyramid = pyramid.NewGeoreferenced(p, d.CRS, d.Placement)
	return result
}

// downsampled adds the levels that a file lacks. They are made of its blocks as they
// are: virtual ones may each be cut out of many.
func (l *Layer) addOverviews(p, fileBlocks raster.Provider, resampling pyramid.Resampling) *pyramid.Downsampled {
	config := pyramid.DownsampledConfig{
		BlockSize: l.config.BlockSize, Pick: resampling == pyramid.Nearest, Stored: fileBlocks,
		MaxBytes: max(l.config.MaxInlineOverviewBytes, 0), IntermediateBytes: l.blockCaches.intermediateBytes,
		Coarse: l.blockCaches.overviews, CoarseBytes: l.blockCaches.overviewBytes,
	}
	if l.blockCaches.isDisabled {
		config.MaxBytes = 0
	}
	return pyramid.NewDownsampled(p, l.blockCaches.blocks, config)
}

// viewFor is what pictures in a style are made from.
func (l *Layer) providersFor(current *version, style Style) providers {
	noData := canonicalNoData(current.storedLevels.Info(), style.NoData)
	samePicks := (style.Resampling == pyramid.Nearest) == (l.config.Style.Resampling == pyramid.Nearest)
	if noData == nil && samePicks {
		return current.providers
	}
	return l.buildProviders(current.dataset, current.converted, noData, style.Resampling)
}

// ID is the layer's name in addresses.
func (l *Layer) ID() string { return l.config.ID }

// Title is the layer's name for people.
func (l *Layer) Title() string {
	if l.config.Title == "" {
		return l.config.ID
	}
	return l.config.Title
}

// Abstract says what the layer is, or is empty.
func (l *Layer) Abstract() string { return l.config.Abstract }

// Attribution is who is to be named beside pictures of the layer, or is empty.
func (l *Layer) Attribution() string { return l.config.Attribution }

// Empty is what the layer says of tiles that show nothing of it.
func (l *Layer) Empty() EmptyAnswer { return l.config.Empty }

// Style finds a style of the layer by its name; "" is the default one.
func (l *Layer) Style(name string) (Style, error) {
	if name == "" {
		name = DefaultStyle
	}
	var names []string
	for _, s := range l.Styles() {
		if s.Name == name {
			return s.Style, nil
		}
		names = append(names, s.Name)
	}
	return Style{}, invalid("the layer has no style %.64q; use %s%s", name, strings.Join(truncateNames(names), ", "), nearest.Hint(name, names))
}

// few are as many of some names as a sentence has room for.
func truncateNames(names []string) []string {
	const maxNames = 20
	if len(names) <= maxNames {
		return names
	}
	return append(names[:maxNames:maxNames], "…")
}
