package layer

import (
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
	CRSProblem    string   // why not
	Bounds        geo.Bounds
	HasBounds     bool // Bounds are degrees of longitude and latitude
	TileSets      []TileSet

	// Orientation is the way up in which the image is stored, as raster.Info has it,
	// if it was turned; else 0. Width, Height and Info are those of what is shown.
	Orientation uint8
}

// IsPlaced tells whether the layer lies at a known place on the earth.
func (d *Description) IsPlaced() bool { return d.CRS != nil && d.HasBounds }

// Describe says what the layer is now. What it returns is shared and must not be
// written.
func (l *Layer) Describe() Description {
	current, _ := l.versions.current() // also of a dataset that is gone: it may come back
	return current.describe()
}

func (l *Layer) describe(dataset *Dataset, p *pyramid.Pyramid) Description {
	info := p.Provider().Info()
	d := Description{Width: info.Levels[0].Width, Height: info.Levels[0].Height, Info: info, CRS: p.CRS()}
	if stored := dataset.Provider.Info().Orientation; stored != info.Orientation {
		d.Orientation = stored
	}
	if dataset.CRSError != nil {
		d.CRSProblem = dataset.CRSError.Error()
	}
	if p.CRS() != nil {
		footprint := geo.NewFootprint(p.CRS(), p.Placement().Bounds(d.Width, d.Height))
		d.Bounds, d.HasBounds = lonLatBounds(footprint)
		d.TileSets = l.mapTileSets(p, footprint, d.Bounds)
	}
	d.TileSets = append(d.TileSets, imageTileSet(info))
	return d
}

func lonLatBounds(footprint *geo.Footprint) (bounds geo.Bounds, ok bool) {
	b := footprint.LonLat()
	if b.Empty() || math.IsInf(b.Width(), 0) || math.IsInf(b.Height(), 0) {
		return b, false
	}
	return normalizeLongitudes(b), true
}

// onFirstTurn is b so many turns around the globe that its middle is on maps: grids of models
// count longitudes up to 360. Across the date line, it ends beyond 180.
func normalizeLongitudes(b geo.Bounds) geo.Bounds {
	const turn = 360
	if b.Width() >= turn {
		b.MinX, b.MaxX = -turn/2, turn/2
		return b
	}
	turns := math.Round(b.Center().X / turn)
	if b.MinX-turns*turn < -turn/2 {
		turns--
	}
	b.MinX, b.MaxX = b.MinX-turns*turn, b.MaxX-turns*turn
	return b
}
