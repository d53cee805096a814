package geo

import (
	"fmt"
	"math"
	"strconv"
)

// utmQuads returns the sets of the sixty UTM zones. Each has the same grid and covers both
// hemispheres in the system of the northern one. Its height is four times the distance from the
// equator to a pole, and its width half of that. The central meridian is in its middle.
func utmQuads() []*TileMatrixSet {
	const zones, falseEasting = 60, 500000
	quadrant := meridianQuadrant()
	matrices := quad{
		levels: 24, first: 1, origin: Point{falseEasting - quadrant, 2 * quadrant}, tileSide: 2 * quadrant, rows: 2,
	}.matrices()
	sets := make([]*TileMatrixSet, zones)
	for i := range sets {
		zone := i + 1
		id := fmt.Sprintf("UTM%02dWGS84Quad", zone)
		sets[i] = &TileMatrixSet{
			ID: id, Title: fmt.Sprintf("Universal Transverse Mercator Zone %02d WGS84 Quad", zone), URI: setRegister + id,
			CRS: wellKnown(32600 + zone), Matrices: matrices, suitable: zoneArea(zone),
		}
	}
	return sets
}

// zoneArea returns the area of a zone on both hemispheres, plus half a degree of the neighboring
// zones, since images of a zone extend that far.
func zoneArea(zone int) Bounds {
	const zoneWidth, overlap, south, north = 6, 0.5, -80, 84
	west := float64(zoneWidth*(zone-1) - 180)
	return Bounds{west - overlap, south, west + zoneWidth + overlap, north}
}

// meridianQuadrant returns the distance from the equator to a pole on WGS 84. It sums the first
// terms of the series in the third flattening, which are exact to a nanometer.
func meridianQuadrant() float64 {
	const n = wgs84Flattening / (2 - wgs84Flattening)
	const n2 = n * n
	return math.Pi / 2 * wgs84Axis / (1 + n) * (1 + n2/4 + n2*n2/64 + n2*n2*n2/256)
}

// upsQuad returns the square around a pole.
func upsQuad(pole string, code int) *TileMatrixSet {
	const falseOrigin, halfSide = 2000000, 16440759.350252
	id := "UPS" + pole + "WGS84Quad"
	return regionalSet(id, "Universal Polar Stereographic WGS 84 Quad for "+pole, code,
		quad{levels: 25, origin: Point{falseOrigin - halfSide, falseOrigin + halfSide}, tileSide: 2 * halfSide}.matrices())
}

func europeanQuad() *TileMatrixSet {
	return regionalSet("EuropeanETRS89_LAEAQuad", "Lambert Azimuthal Equal Area ETRS89 for Europe", 3035,
		quad{levels: 16, origin: Point{2000000, 5500000}, tileSide: 4500000}.matrices())
}

// regionalSet returns a registered set for the area of use of its CRS.
func regionalSet(id, title string, code int, matrices []TileMatrix) *TileMatrixSet {
	crs := wellKnown(code)
	area, _ := crs.AreaOfUse()
	return &TileMatrixSet{ID: id, Title: title, URI: setRegister + id, CRS: crs, Matrices: matrices, suitable: area}
}

// canadianSet uses round scales for a screen of 96 dots per inch, with 39.37 inches per meter. The
// register lists these scales as scale denominators. Here scale denominators follow from the pixel
// sizes, as the standard defines, because clients compute tile positions from them.
func canadianSet() *TileMatrixSet {
	const tilePixels = 256
	const dotsPerMeter = 96 * 39.37
	const left, top, right, bottom = -34655800, 39310000, 7148753.233541353, -5153821.09213678
	var matrices []TileMatrix
	for z, scale := range []float64{
		145e6, 85e6, 50e6, 30e6, 17.5e6, 10e6, 6e6, 3.5e6, 2e6, 1.2e6, 700e3, 420e3, 250e3,
		145e3, 85e3, 50e3, 30e3, 17.5e3, 10e3, 6e3, 3500, 2000, 1200, 700, 420, 250,
	} {
		resolution := scale / dotsPerMeter
		count := func(from, to float64) int { return int(math.Ceil((to - from) / (resolution * tilePixels))) }
		matrices = append(matrices, TileMatrix{
			ID: strconv.Itoa(z), OriginX: left, OriginY: top, Resolution: resolution,
			TileWidth: tilePixels, TileHeight: tilePixels, Columns: count(left, right), Rows: count(bottom, top),
			ScaleDenominator: resolution / metersPerOGCPixel,
		})
	}
	return regionalSet("CanadianNAD83_LCC", "Lambert conformal conic NAD83 for Canada", 3978, matrices)
}
