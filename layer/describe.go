package layer

import (
	"math"

	"tileserver/geo"
	"tileserver/layer/tilesets"
	"tileserver/pyramid"
	"tileserver/raster"
)

// A Description has what clients may know about a layer.
type Description struct {
	Width, Height int
	Info          *raster.Info
	CRS           *geo.CRS // nil if the layer is not georeferenced
	CRSProblem    string   // why CRS is nil
	EPSG          int      // of a system that the server knows but cannot compute, if CRS is nil
	Bounds        geo.Bounds
	HasBounds     bool // whether Bounds are set, in degrees of longitude and latitude

	Placement   geo.Placement // maps pixels to CRS; nil without a CRS
	GroundError float64       // as the file states it, in meters; 0 if unknown

	Notes []string // settings without effect, and why

	TileSets []tilesets.TileSet

	// Orientation is the orientation of the stored image, as in raster.Info, if pictures are turned
	// upright; else 0. Width, Height and Info describe the upright image.
	Orientation uint8
}

// IsPlaced reports whether the layer has a known place on the earth.
func (d *Description) IsPlaced() bool { return d.CRS != nil && d.HasBounds }

// Describe describes the current version of the layer. The result is shared and must not be
// modified.
func (l *Layer) Describe() Description {
	current, _ := l.versions.Current() // also if the file is gone: it may return
	return current.describe()
}

func (l *Layer) describe(dataset *Dataset, p *pyramid.Pyramid) Description {
	info := p.Provider().Info()
	d := Description{Width: info.Levels[0].Width, Height: info.Levels[0].Height, Info: info, CRS: p.CRS(), Placement: p.Placement(), GroundError: dataset.GroundError, Notes: dataset.Notes}
	if stored := dataset.Provider.Info().Orientation; stored != info.Orientation {
		d.Orientation = stored
	}
	if dataset.CRSError != nil {
		d.CRSProblem = dataset.CRSError.Error()
		d.EPSG, _ = geo.UnsupportedCode(dataset.CRSError)
	}
	if p.CRS() != nil {
		footprint := footprintOf(p)
		d.Bounds, d.HasBounds = lonLatBounds(footprint)
		d.TileSets = tilesets.Fitting(p, footprint, d.Bounds, l.config.TileSets)
		if native, ok := tilesets.Native(l.ID(), p); ok {
			d.TileSets = append(d.TileSets, native)
		}
	}
	d.TileSets = append(d.TileSets, tilesets.Image(info))
	return d
}

// isPlaced reports whether an image has a known place on the earth, as its description does, for a
// fraction of the cost.
func isPlaced(p *pyramid.Pyramid) bool {
	if p.CRS() == nil {
		return false
	}
	_, ok := lonLatBounds(footprintOf(p))
	return ok
}

// footprintOf returns what an image with a CRS covers of the earth.
func footprintOf(p *pyramid.Pyramid) *geo.Footprint {
	finest := p.Provider().Info().Levels[0]
	return geo.NewImageFootprint(p.CRS(), p.Placement(), finest.Width, finest.Height)
}

func lonLatBounds(footprint *geo.Footprint) (bounds geo.Bounds, ok bool) {
	b := footprint.LonLat()
	if b.Empty() || math.IsInf(b.Width(), 0) || math.IsInf(b.Height(), 0) {
		return b, false
	}
	return normalizeLongitudes(b), true
}

// normalizeLongitudes shifts b by whole turns so that its center is a longitude from -180 to 180.
// Model grids count longitudes up to 360. Bounds that cross the date line end beyond 180.
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
