package layer

import (
	"context"
	"fmt"
	"math"
	"strings"

	"tileserver/display"
	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/raster"
)

// Config is what a layer is made of.
type Config struct {
	ID    string // of letters, digits, "-", "_" and "."
	Title string
	Open  Open
	Style Style // where a request does not say otherwise

	// BlockSize, if set, cuts the image into virtual blocks of that side. Without
	// it, the blocks are the file's own.
	BlockSize int
}

// Style is how a layer is shown.
type Style struct {
	display.Spec
	Resampling pyramid.Resampling
	NoData     *float64 // one more sample that is no data
}

// ParseResampling finds a way to resample by its name.
func ParseResampling(name string) (pyramid.Resampling, error) { return pyramid.ParseResampling(name) }

// Layer is a dataset under a stable id.
type Layer struct {
	config  Config
	blocks  *pyramid.Blocks
	version reopening
}

// newLayer opens the dataset of a layer.
func newLayer(ctx context.Context, config Config, blocks *pyramid.Blocks) (*Layer, error) {
	if !validID(config.ID) {
		return nil, fmt.Errorf("%q cannot be the id of a layer: it takes letters, digits, \"-\", \"_\" and \".\"", config.ID)
	}
	l := &Layer{config: config, blocks: blocks}
	l.version.open = config.Open
	l.version.build = func(d *Dataset) (view, error) { return l.build(d, nil) }
	if _, err := l.version.reopen(ctx, nil); err != nil {
		return nil, fmt.Errorf("layer %q: %w", config.ID, err)
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

	// stored has the levels that the file has and no made ones, which take more
	// to make than statistics are worth.
	stored raster.Provider
}

// build puts the providers of a layer on each other.
func (l *Layer) build(d *Dataset, noData *float64) (view, error) {
	var p raster.Provider = pyramid.NewCached(d.Provider, l.blocks)
	if noData != nil {
		p = pyramid.NewMasked(p, *noData)
	}
	if size := l.config.BlockSize; size > 0 {
		p = pyramid.NewCached(pyramid.NewRetiled(p, pyramid.RetiledConfig{BlockWidth: size, BlockHeight: size}), l.blocks)
	}
	v := view{stored: p}
	p = pyramid.NewDownsampled(p, l.blocks, pyramid.DownsampledConfig{BlockSize: l.config.BlockSize})
	if d.CRS == nil {
		v.pyramid = pyramid.New(p)
		return v, nil
	}
	var err error
	v.pyramid, err = pyramid.NewGeoreferenced(p, d.CRS, d.Affine)
	return v, err
}

// viewFor is what pictures in a style are made from.
func (l *Layer) viewFor(now *opened, style Style) (view, error) {
	if style.NoData == nil {
		return now.view, nil
	}
	return l.build(now.dataset, style.NoData)
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

// Style is how the layer is shown where a request does not say otherwise.
func (l *Layer) Style() Style { return l.config.Style }

// Description is what a client may know of a layer.
type Description struct {
	Width, Height int
	Info          *raster.Info
	CRS           *geo.CRS // nil: not on the earth
	CRSProblem    string   // why not, if the file tried to say
	Bounds        geo.Bounds
	HasBounds     bool // Bounds are degrees of longitude and latitude
	TileSets      []TileSet
}

// TileSet is a tile matrix set that a layer is served in.
type TileSet struct {
	Set              *geo.TileMatrixSet
	MinZoom, MaxZoom int // of what is worth looking at
}

// Describe says what the layer is now.
func (l *Layer) Describe() Description {
	now := l.version.now()
	p := now.pyramid
	info := p.Provider().Info()
	d := Description{Width: info.Levels[0].Width, Height: info.Levels[0].Height, Info: info, CRS: p.CRS()}
	if now.dataset.Place != nil {
		d.CRSProblem = now.dataset.Place.Error()
	}
	image := imageTileSet(info)
	if p.CRS() != nil {
		d.Bounds, d.HasBounds = p.Bounds(geo.WorldCRS84Quad().CRS)
		for _, set := range mapTileSets() {
			if s, ok := zoomRange(p, set); ok {
				d.TileSets = append(d.TileSets, s)
			}
		}
	}
	d.TileSets = append(d.TileSets, TileSet{image, 0, len(image.Matrices) - 1})
	return d
}

// ImageTileSetID names the grid of an image's own pixels.
const ImageTileSetID = "image"

// DefaultTileSetID names the grid of tiles whose address names none.
const DefaultTileSetID = "WebMercatorQuad"

func mapTileSets() []*geo.TileMatrixSet {
	return []*geo.TileMatrixSet{geo.WebMercatorQuad(), geo.WorldCRS84Quad()}
}

const imageTileSize = 256

// imageTileSet is the grid of an image's own pixels: the last matrix has them as
// they are, each one before it is half as fine, and the first is one tile.
func imageTileSet(info *raster.Info) *geo.TileMatrixSet {
	width, height := info.Levels[0].Width, info.Levels[0].Height
	last := 0
	for side := max(width, height); side > imageTileSize<<last; {
		last++
	}
	set := &geo.TileMatrixSet{ID: ImageTileSetID, Title: "The image's own pixels"}
	for z := 0; z <= last; z++ {
		span := imageTileSize << (last - z)
		set.Matrices = append(set.Matrices, geo.TileMatrix{
			ID: fmt.Sprint(z), Resolution: float64(int(1) << (last - z)),
			TileWidth: imageTileSize, TileHeight: imageTileSize,
			Columns: (width + span - 1) / span, Rows: (height + span - 1) / span,
		})
	}
	return set
}

// lostDetail is how much coarser than the image the last level of a map may be.
const lostDetail = 1.1

// zoomRange finds the levels between which a map of the image goes: from the
// last one at which it fits into a tile or so to the first that shows every
// pixel. It is false for an image that is not in the set's domain.
func zoomRange(p *pyramid.Pyramid, set *geo.TileMatrixSet) (TileSet, bool) {
	bounds, ok := p.Bounds(set.CRS)
	finest, err := p.Resolution(set.CRS)
	if !ok || err != nil || !(finest > 0) || math.IsInf(finest, 0) {
		return TileSet{}, false
	}
	s := TileSet{Set: set, MaxZoom: len(set.Matrices) - 1}
	for z, m := range set.Matrices {
		if m.Resolution*imageTileSize >= max(bounds.Width(), bounds.Height()) {
			s.MinZoom = z
		}
		if m.Resolution <= finest*lostDetail {
			s.MaxZoom = z
			break
		}
	}
	s.MinZoom = min(s.MinZoom, s.MaxZoom)
	return s, true
}
