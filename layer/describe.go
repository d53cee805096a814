package layer

import (
	"fmt"
	"math"

	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/raster"
)

// Description is what a client may know of a layer.
type Description struct {
	Width, Height int
	Info          *raster.Info
	CRS           *geo.CRS // nil: not on the earth
	CRSProblem    string   // why not, if the file tried to say
	Bounds        geo.Bounds
	HasBounds     bool // Bounds are degrees of longitude and latitude
	TileSets      []TileSet

	// Orientation is the way up in which the image is stored, as raster.Info has it,
	// if it was turned; else 0. Width, Height and Info are those of what is shown.
	Orientation uint8
}

// TileSet is a tile matrix set that a layer is served in.
type TileSet struct {
	Set              *geo.TileMatrixSet
	MinZoom, MaxZoom int // of what is worth looking at
}

// Describe says what the layer is now. What it returns is shared and must not be
// written.
func (l *Layer) Describe() Description {
	now, _ := l.version.now() // also of a dataset that is gone: it may come back
	return now.describe()
}

func describe(dataset *Dataset, p *pyramid.Pyramid) Description {
	info := p.Provider().Info()
	d := Description{Width: info.Levels[0].Width, Height: info.Levels[0].Height, Info: info, CRS: p.CRS()}
	if stored := dataset.Provider.Info().Orientation; stored != info.Orientation {
		d.Orientation = stored
	}
	if dataset.Place != nil {
		d.CRSProblem = dataset.Place.Error()
	}
	image := imageTileSet(info)
	if p.CRS() != nil {
		d.Bounds, d.HasBounds = p.Bounds(geo.WorldCRS84Quad().CRS)
		d.Bounds = onFirstTurn(d.Bounds)
		for _, set := range mapTileSets() {
			if s, ok := zoomRange(p, set); ok {
				d.TileSets = append(d.TileSets, s)
			}
		}
	}
	d.TileSets = append(d.TileSets, TileSet{image, 0, len(image.Matrices) - 1})
	return d
}

// onFirstTurn is b so many turns around the globe that its middle is on maps: grids of models
// count longitudes up to 360.
func onFirstTurn(b geo.Bounds) geo.Bounds {
	turns := 360 * math.Round(b.Center().X/360)
	b.MinX, b.MaxX = b.MinX-turns, b.MaxX-turns
	return b
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
