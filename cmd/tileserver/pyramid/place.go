package pyramid

import (
	"strconv"
	"strings"

	"tileserver/decode/georeference"
	"tileserver/decode/rpc"
	"tileserver/encode/cog"
	"tileserver/geo"
)

// placeOf returns where an image lies. The note says what of it GeoTIFF cannot have, if anything.
func placeOf(g *georeference.Georeference) (place *cog.Place, note string) {
	place = &cog.Place{}
	if g.HasAffine {
		place.Transform = &g.Affine
	}
	for _, p := range g.ControlPoints {
		place.Points = append(place.Points, geo.ControlPoint{Pixel: geo.Point{X: p.Column, Y: p.Row}, Place: geo.Point{X: p.X, Y: p.Y}})
	}
	switch {
	case g.Tags != nil:
		place.Keys = cog.GeoKeys{Directory: g.Tags.Keys, Doubles: g.Tags.Doubles, ASCII: strings.TrimRight(g.Tags.Text, "\x00")}
	case g.CRS != nil:
		code, ok := registeredCode(g.CRS)
		if !ok {
			return place, "its coordinate system has no EPSG code, and is left out: " + g.CRS.Name()
		}
		place.Keys = cog.RegisteredKeys(code, g.CRS.IsGeographic())
	case !g.HasPlaces():
		return nil, ""
	}
	return place, ""
}

// registeredCode returns the code of a reference system in the EPSG registry.
func registeredCode(crs *geo.CRS) (uint16, bool) {
	text, ok := strings.CutPrefix(crs.URN(), "urn:ogc:def:crs:EPSG::")
	if !ok && crs.URN() != "" { // longitude and latitude, in the order of GeoTIFF
		return 4326, true
	}
	code, err := strconv.ParseUint(text, 10, 16)
	return uint16(code), err == nil
}

// numbersOf returns the numbers of a camera model as GeoTIFF has them, or nil if it is that of an image which
// this one was turned out of.
func numbersOf(m *rpc.Model) []float64 {
	line, sample, ok := onChip(m)
	if !ok {
		return nil
	}
	numbers := []float64{
		m.BiasError, m.RandomError,
		line.offset, sample.offset, m.LatitudeOffset, m.LongitudeOffset, m.HeightOffset,
		line.scale, sample.scale, m.LatitudeScale, m.LongitudeScale, m.HeightScale,
	}
	for _, of := range []*[20]float64{&m.LineNumerator, &m.LineDenominator, &m.SampleNumerator, &m.SampleDenominator} {
		numbers = append(numbers, of[:]...)
	}
	return numbers
}

// normalized is how a model normalizes lines or samples, which count from centers of pixels.
type normalized struct{ offset, scale float64 }

// onChip returns how a model normalizes the lines and samples of its part of the full image.
func onChip(m *rpc.Model) (line, sample normalized, ok bool) {
	line, sample = normalized{m.LineOffset, m.LineScale}, normalized{m.SampleOffset, m.SampleScale}
	if m.Chip == nil {
		return line, sample, true
	}
	c := m.Chip
	if c.B != 0 || c.D != 0 || c.A <= 0 || c.E <= 0 {
		return line, sample, false
	}
	return line.within(c.E, c.F), sample.within(c.A, c.C), true
}

// within returns n for pixels of which each is step pixels, and the first edge lies at first.
func (n normalized) within(step, first float64) normalized {
	const center = 0.5
	return normalized{(n.offset+center-first)/step - center, n.scale / step}
}
