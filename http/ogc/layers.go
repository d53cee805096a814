package ogc

import (
	"context"
	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/http/ogc/ogcapi"
	"tileserver/http/serve"
	"tileserver/layer"
	"tileserver/layer/tilesets"
)

// placedLayer is a layer with a known position on earth, as it was at the time of the request. The
// standards cover geospatial data only, so the API omits other layers.
type placedLayer struct {
	serve.Layer
	description layer.Description
}

// placed returns l with its bounds cut at the poles. ok is false if its position is unknown.
func placed(l serve.Layer) (*placedLayer, bool) {
	d := l.Describe()
	d.Bounds.MinY, d.Bounds.MaxY = max(d.Bounds.MinY, -90), min(d.Bounds.MaxY, 90)
	return &placedLayer{l, d}, d.CRS != nil && d.HasBounds && !d.Bounds.Empty()
}

func (s *service) placedLayer(ctx context.Context, id string) (*placedLayer, error) {
	l, err := s.Layer(ctx, id)
	if err != nil {
		return nil, err
	}
	found, ok := placed(l)
	if !ok {
		return nil, answer.NotFound("layer %q has no known place on the earth; its own pixels are at /tiles/%s/%s", id, id, tilesets.ImageID)
	}
	return found, nil
}

// tileSet returns the tile matrix set id if the layer has tiles in it and its CRS has a name.
func (l *placedLayer) tileSet(id string) (tilesets.TileSet, bool) {
	for _, t := range l.description.TileSets {
		if t.Set.ID == id && isNamed(t.Set) {
			return t, true
		}
	}
	return tilesets.TileSet{}, false
}

func isNamed(set *geo.TileMatrixSet) bool { return set.CRS != nil && set.CRS.URI() != "" }

// tilings returns the sets that the layer has tiles in.
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

// tilingOf returns a tiling with limits from the first matrix in which the layer covers a pixel.
// GDAL does not open layers that are smaller than a pixel in a listed matrix.
func tilingOf(t tilesets.TileSet) ogcapi.Tiling {
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

// minScaleDenominator returns the scale denominator of the finest level that shows new detail.
func (l *placedLayer) minScaleDenominator() float64 {
	t := l.description.TileSets[0] // the native set if the layer has no other
	return t.Set.Matrices[t.MaxZoom].ScaleDenominator
}
