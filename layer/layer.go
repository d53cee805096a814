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
	config  Config
	shelves *shelves
	version reopening
	lineage *lineage

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
		config.Styles[i] = config.inherited(config.Styles[i])
	}
	if config.MaxInlineOverviewBytes == 0 {
		config.MaxInlineOverviewBytes = DefaultMaxInlineOverviewBytes
	}
	l := &Layer{config: config, shelves: c.shelves, lineage: &lineage{id: config.ID}, searchText: searchText(&config)}
	l.version.open, l.version.stale, l.version.changed = config.Open, config.OnReopenError, c.changes.note
	l.version.describe, l.version.numbers = l.describe, &c.numbers
	l.tileSetsVersion = sync.OnceValue(func() string { return versionOf(config.TileSets) })
	l.version.build = func(d *Dataset) (view, error) {
		shown, err := l.shown(d)
		if err != nil {
			return view{}, err
		}
		return l.build(d, shown, nil, config.Style.Resampling), nil
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
type view struct {
	pyramid *pyramid.Pyramid

	shown raster.Provider // what all views of a version are made from: some take tables to make

	// stored has the levels that the file has and no made ones, which take more
	// to make than statistics are worth.
	stored raster.Provider

	made *pyramid.Downsampled // makes the levels that the file lacks
}

// build puts the providers of a layer on each other.
func (l *Layer) build(d *Dataset, shown raster.Provider, noData *float64, resampling pyramid.Resampling) view {
	p := shown
	if noData != nil {
		p = pyramid.NewMasked(p, *noData)
	}
	asInFile := p
	if size := l.config.BlockSize; size > 0 {
		p = pyramid.NewCached(pyramid.NewRetiled(p, pyramid.RetiledConfig{BlockWidth: size, BlockHeight: size}), l.shelves.blocks)
	}
	v := view{shown: shown, stored: p, made: l.downsampled(p, asInFile, resampling)}
	p = v.made
	if d.CRS == nil {
		v.pyramid = pyramid.New(p)
		return v
	}
	v.pyramid = pyramid.NewGeoreferenced(p, d.CRS, d.Placement)
	return v
}

// downsampled adds the levels that a file lacks. They are made of its blocks as they
// are: virtual ones may each be cut out of many.
func (l *Layer) downsampled(p, asInFile raster.Provider, resampling pyramid.Resampling) *pyramid.Downsampled {
	config := pyramid.DownsampledConfig{
		BlockSize: l.config.BlockSize, Pick: resampling == pyramid.Nearest, Stored: asInFile,
		MaxBytes: max(l.config.MaxInlineOverviewBytes, 0), PassingBytes: l.shelves.passingBytes,
		Lasting: l.shelves.lasting, LastingBytes: l.shelves.lastingBytes,
	}
	if l.shelves.unbounded {
		config.MaxBytes = 0
	}
	return pyramid.NewDownsampled(p, l.shelves.blocks, config)
}

// viewFor is what pictures in a style are made from.
func (l *Layer) viewFor(now *opened, style Style) view {
	noData := canonicalNoData(now.stored.Info(), style.NoData)
	samePicks := (style.Resampling == pyramid.Nearest) == (l.config.Style.Resampling == pyramid.Nearest)
	if noData == nil && samePicks {
		return now.view
	}
	return l.build(now.dataset, now.shown, noData, style.Resampling)
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
	return Style{}, invalid("the layer has no style %.64q; use %s%s", name, strings.Join(few(names), ", "), nearest.Hint(name, names))
}

// few are as many of some names as a sentence has room for.
func few(names []string) []string {
	const most = 20
	if len(names) <= most {
		return names
	}
	return append(names[:most:most], "…")
}
