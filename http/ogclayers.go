package http

import (
	"tileserver/geo"
	"tileserver/http/ogcapi"
	"tileserver/layer"
)

// placedLayer is a layer that has a place on the earth, as it is now. Others are no
// geospatial data, of which the standards are.
type placedLayer struct {
	*layer.Layer
	description layer.Description
}

// placed is false for a layer without a place. Of one that claims latitudes that there are
// none, the rest is its place.
func placed(l *layer.Layer) (*placedLayer, bool) {
	d := l.Describe()
	d.Bounds.MinY, d.Bounds.MaxY = max(d.Bounds.MinY, -90), min(d.Bounds.MaxY, 90)
	return &placedLayer{l, d}, d.CRS != nil && d.HasBounds && !d.Bounds.Empty()
}

func (s *server) placedLayer(id string) (*placedLayer, error) {
	l, err := s.Catalog.Layer(id)
	if err != nil {
		return nil, err
	}
	found, ok := placed(l)
	if !ok {
		return nil, notFound("layer %q has no known place on the earth; its own pixels are at /tiles/%s/%s", id, id, layer.ImageTileSetID)
	}
	return found, nil
}

// tileSet finds a tile matrix set that the layer has tiles in, and that has a system others
// know.
func (l *placedLayer) tileSet(id string) (layer.TileSet, bool) {
	for _, t := range l.description.TileSets {
		if t.Set.ID == id && isNamed(t.Set) {
			return t, true
		}
	}
	return layer.TileSet{}, false
}

func isNamed(set *geo.TileMatrixSet) bool { return set.CRS != nil && set.CRS.URI() != "" }

// tilings are the sets that the layer has tiles in.
func (l *placedLayer) tilings() []ogcapi.Tiling {
	var tilings []ogcapi.Tiling
	for _, t := range l.description.TileSets {
		if !isNamed(t.Set) {
			continue
		}
		if tiling := tilingOf(t); len(tiling.Limits) > 0 {
			tilings = append(tilings, tiling)
		}
	}
	return tilings
}

// tilingOf has limits from the first matrix on in which there is a pixel of the layer. GDAL
// does not open what is smaller than that somewhere.
func tilingOf(t layer.TileSet) ogcapi.Tiling {
	tiling := ogcapi.Tiling{Set: t.Set, Bounds: t.Bounds}
	for z := 0; z <= t.MaxZoom; z++ {
		m := &t.Set.Matrices[z]
		isSeen := min(t.Bounds.Width(), t.Bounds.Height()) >= m.Resolution || z == t.MaxZoom
		minColumn, minRow, maxColumn, maxRow, ok := t.Limits(z)
		if ok && isSeen {
			tiling.Limits = append(tiling.Limits, ogcapi.Limit{
				TileMatrix: m.ID, MinTileRow: minRow, MaxTileRow: maxRow, MinTileCol: minColumn, MaxTileCol: maxColumn,
			})
		}
	}
	return tiling
}

// finest is the scale denominator of the last level that has something new to show.
func (l *placedLayer) finest() float64 {
	t := l.description.TileSets[0] // the image's own, where there is no other
	return t.Set.Matrices[t.MaxZoom].ScaleDenominator
}
