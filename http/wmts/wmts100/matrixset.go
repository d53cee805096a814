package wmts100

import (
	"math"
	"strconv"
	"strings"

	"tileserver/geo"
	"tileserver/http/plain"
)

// writeMatrixSet writes the first levels of a set.
func writeMatrixSet(w *writer, set *geo.TileMatrixSet, levels int) {
	w.open("TileMatrixSet")
	w.optional("ows:Title", plain.Text(set.Title, maxTitleRunes))
	w.element("ows:Identifier", set.ID)
	writeBox(w, set.CRS, set.Extent())
	w.element("ows:SupportedCRS", set.CRS.URN())
	w.optional("WellKnownScaleSet", scaleSetOf(set))
	for i := range min(max(levels, 1), len(set.Matrices)) {
		m := &set.Matrices[i]
		w.line("TileMatrix", "ows:Identifier", m.ID,
			"ScaleDenominator", number(m.ScaleDenominator), "TopLeftCorner", position(set.CRS, m.OriginX, m.OriginY),
			"TileWidth", strconv.Itoa(m.TileWidth), "TileHeight", strconv.Itoa(m.TileHeight),
			"MatrixWidth", strconv.Itoa(m.Columns), "MatrixHeight", strconv.Itoa(m.Rows))
	}
	w.close("TileMatrixSet")
}

func writeBox(w *writer, crs *geo.CRS, b geo.Bounds) {
	if !isFinite(b) {
		return
	}
	w.open("ows:BoundingBox", "crs", crs.URN())
	w.element("ows:LowerCorner", position(crs, b.MinX, b.MinY))
	w.element("ows:UpperCorner", position(crs, b.MaxX, b.MaxY))
	w.close("ows:BoundingBox")
}

// position formats a point in the axis order of the CRS.
func position(crs *geo.CRS, x, y float64) string {
	if crs.NorthingFirst() {
		return pair(y, x)
	}
	return pair(x, y)
}

func pair(a, b float64) string { return number(a) + " " + number(b) }

const (
	scaleSetURI = "http://www.opengis.net/def/wkss/OGC/1.0/"
	scaleSetURN = "urn:ogc:def:wkss:OGC:1.0:"
)

// scaleSetOf returns the well-known scale set of a set if all of its scales match from the
// coarsest. The set's own claim is not enough: that of WorldCRS84Quad begins with a level that the
// set lacks.
func scaleSetOf(set *geo.TileMatrixSet) string {
	name, ok := strings.CutPrefix(set.WellKnownScaleSet, scaleSetURI)
	if !ok {
		name, ok = strings.CutPrefix(set.WellKnownScaleSet, scaleSetURN)
	}
	if !ok {
		return set.WellKnownScaleSet
	}
	const tolerance = 1e-9
	for i, want := range scaleDenominators(name) {
		if i < len(set.Matrices) && math.Abs(set.Matrices[i].ScaleDenominator/want-1) > tolerance {
			return ""
		}
	}
	return scaleSetURN + name
}

// scaleDenominators returns the scales of a well-known scale set, or nil if it is unknown.
func scaleDenominators(name string) []float64 {
	switch name {
	case "GoogleMapsCompatible", "GoogleCRS84Quad":
		return halved(559082264.0287178, 19)
	case "GlobalCRS84Scale":
		return []float64{
			5e8, 2.5e8, 1e8, 5e7, 2.5e7, 1e7, 5e6, 2.5e6, 1e6, 5e5, 2.5e5, 1e5, 5e4, 2.5e4, 1e4, 5e3, 2.5e3, 1e3, 500, 250, 100,
		}
	case "GlobalCRS84Pixel":
		return globalPixelScales()
	}
	return nil
}

func halved(first float64, levels int) []float64 {
	scales := make([]float64, levels)
	for i := range scales {
		scales[i] = math.Ldexp(first, -i)
	}
	return scales
}

// globalPixelScales returns the scales of GlobalCRS84Pixel, from its pixel sizes in arc seconds.
func globalPixelScales() []float64 {
	const scaleOfTwoDegrees, secondsOfTwoDegrees = 795139219.9519541, 7200
	scales := []float64{7200, 3600, 1800, 1200, 600, 300, 120, 60, 30, 15, 5, 3, 1, 0.5, 0.3, 0.1, 0.03, 0.01}
	for i, seconds := range scales {
		scales[i] = scaleOfTwoDegrees * seconds / secondsOfTwoDegrees
	}
	return scales
}
