package geo

import (
	"math"
	"strconv"
	"sync"
)

// metersPerOGCPixel is the size of a "standardized rendering pixel".
const metersPerOGCPixel = 0.00028

// WebMercatorQuad is the grid of nearly every web map, levels 0 to 24.
func WebMercatorQuad() *TileMatrixSet { return webMercatorQuad() }

// WorldCRS84Quad is the longitude and latitude grid with two tiles on level 0, levels 0 to 23.
func WorldCRS84Quad() *TileMatrixSet { return worldCRS84Quad() }

var webMercatorQuad = sync.OnceValue(func() *TileMatrixSet {
	const edge = math.Pi * 6378137
	return &TileMatrixSet{
		ID:                "WebMercatorQuad",
		Title:             "Google Maps Compatible for the World",
		URI:               "http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad",
		CRS:               webMercator(),
		WellKnownScaleSet: "http://www.opengis.net/def/wkss/OGC/1.0/GoogleMapsCompatible",
		Matrices:          quadMatrices(25, Point{-edge, edge}, 2*edge, 1),
	}
})

var worldCRS84Quad = sync.OnceValue(func() *TileMatrixSet {
	return &TileMatrixSet{
		ID:                "WorldCRS84Quad",
		Title:             "CRS84 for the World",
		URI:               "http://www.opengis.net/def/tilematrixset/OGC/1.0/WorldCRS84Quad",
		CRS:               wgs84(),
		WellKnownScaleSet: "http://www.opengis.net/def/wkss/OGC/1.0/GoogleCRS84Quad",
		Matrices:          quadMatrices(24, Point{-180, 90}, 180, 2),
	}
})

// quadMatrices halves the tiles from level to level. size is the edge of a tile of level 0.
func quadMatrices(levels int, origin Point, size float64, columns int) []TileMatrix {
	const tileSize = 256
	metersPerUnit := 1.0
	if columns == 2 {
		metersPerUnit = 6378137 * math.Pi / 180
	}
	matrices := make([]TileMatrix, levels)
	for z := range matrices {
		resolution := math.Ldexp(size/tileSize, -z)
		matrices[z] = TileMatrix{
			ID:      strconv.Itoa(z),
			OriginX: origin.X, OriginY: origin.Y,
			Resolution: resolution,
			TileWidth:  tileSize, TileHeight: tileSize,
			Columns: columns << z, Rows: 1 << z,
			ScaleDenominator: resolution * metersPerUnit / metersPerOGCPixel,
		}
	}
	return matrices
}
