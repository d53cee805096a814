package geo

import (
	"math"
	"slices"
	"strconv"
	"sync"
)

// WebMercatorQuad returns the grid of nearly every web map, levels 0 to 24.
func WebMercatorQuad() *TileMatrixSet { return webMercatorQuad() }

// WorldCRS84Quad returns the longitude and latitude grid with two tiles on level 0, levels 0 to 23.
func WorldCRS84Quad() *TileMatrixSet { return worldCRS84Quad() }

// RegisteredTileMatrixSets returns the sets of the OGC register that are grids of equal tiles:
// those of the world first, then the zones of UTM, the poles, and regions.
func RegisteredTileMatrixSets() []*TileMatrixSet { return slices.Clone(registeredSets()) }

// TileMatrixSetByID returns a registered set.
func TileMatrixSetByID(id string) (*TileMatrixSet, bool) {
	s, ok := registeredSetsByID()[id]
	return s, ok
}

var registeredSets = sync.OnceValue(func() []*TileMatrixSet {
	sets := []*TileMatrixSet{webMercatorQuad(), worldCRS84Quad(), worldMercatorQuad()}
	sets = append(sets, utmQuads()...)
	return append(sets, upsQuad("Arctic", 5041), upsQuad("Antarctic", 5042), europeanQuad(), canadianSet())
})

var registeredSetsByID = sync.OnceValue(func() map[string]*TileMatrixSet {
	byID := make(map[string]*TileMatrixSet)
	for _, s := range registeredSets() {
		byID[s.ID] = s
	}
	return byID
})

const (
	setRegister   = "http://www.opengis.net/def/tilematrixset/OGC/1.0/"
	scaleRegister = "http://www.opengis.net/def/wkss/OGC/1.0/"
)

// mercatorEdge is the edge of the square world of web maps.
const mercatorEdge = math.Pi * wgs84Axis

var webMercatorQuad = sync.OnceValue(func() *TileMatrixSet {
	return &TileMatrixSet{
		ID:                "WebMercatorQuad",
		Title:             "Google Maps Compatible for the World",
		URI:               setRegister + "WebMercatorQuad",
		CRS:               webMercator(),
		WellKnownScaleSet: scaleRegister + "GoogleMapsCompatible",
		Matrices:          quad{levels: 25, origin: Point{-mercatorEdge, mercatorEdge}, tileSide: 2 * mercatorEdge}.matrices(),
	}
})

var worldCRS84Quad = sync.OnceValue(func() *TileMatrixSet {
	return &TileMatrixSet{
		ID:                "WorldCRS84Quad",
		Title:             "CRS84 for the World",
		URI:               setRegister + "WorldCRS84Quad",
		CRS:               CRS84(),
		WellKnownScaleSet: scaleRegister + "GoogleCRS84Quad",
		Matrices: quad{
			levels: 24, origin: Point{-180, 90}, tileSide: 180, columns: 2, metersPerUnit: ogcMetersPerUnit(CRS84()),
		}.matrices(),
	}
})

var worldMercatorQuad = sync.OnceValue(func() *TileMatrixSet {
	return &TileMatrixSet{
		ID:                "WorldMercatorWGS84Quad",
		Title:             "World Mercator WGS84 (ellipsoid)",
		URI:               setRegister + "WorldMercatorWGS84Quad",
		CRS:               wellKnown(3395),
		WellKnownScaleSet: scaleRegister + "WorldMercatorWGS84",
		Matrices:          webMercatorQuad().Matrices,
	}
})

// quad is a grid whose tiles halve from level to level.
type quad struct {
	levels        int
	first         int // the name of the first level
	origin        Point
	tileSide      float64 // of the first level
	columns, rows int     // of the first level; 0 means 1
	metersPerUnit float64 // 0 means 1
}

func (q quad) matrices() []TileMatrix {
	const tilePixels = 256
	metersPerUnit := q.metersPerUnit
	if metersPerUnit == 0 {
		metersPerUnit = 1
	}
	matrices := make([]TileMatrix, q.levels)
	for z := range matrices {
		resolution := math.Ldexp(q.tileSide/tilePixels, -z)
		matrices[z] = TileMatrix{
			ID:      strconv.Itoa(q.first + z),
			OriginX: q.origin.X, OriginY: q.origin.Y,
			Resolution: resolution,
			TileWidth:  tilePixels, TileHeight: tilePixels,
			Columns: max(q.columns, 1) << z, Rows: max(q.rows, 1) << z,
			ScaleDenominator: resolution * metersPerUnit / metersPerOGCPixel,
		}
	}
	return matrices
}
