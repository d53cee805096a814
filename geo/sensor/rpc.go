package sensor

import (
	"errors"
	"fmt"
	"math"

	"tileserver/geo"
)

// RPC is a rational polynomial model: a pair of quotients of polynomials that map longitude,
// latitude and height to sample and line. Degrees and meters refer to WGS 84 and its ellipsoid. The
// names in JSON are the usual ones of the coefficients.
type RPC struct {
	LineOffset      float64 `json:"line_off"`
	SampleOffset    float64 `json:"samp_off"`
	LatitudeOffset  float64 `json:"lat_off"`
	LongitudeOffset float64 `json:"long_off"`
	HeightOffset    float64 `json:"height_off"`
	LineScale       float64 `json:"line_scale"`
	SampleScale     float64 `json:"samp_scale"`
	LatitudeScale   float64 `json:"lat_scale"`
	LongitudeScale  float64 `json:"long_scale"`
	HeightScale     float64 `json:"height_scale"`

	LineNumerator     [20]float64 `json:"line_num_coeff"`
	LineDenominator   [20]float64 `json:"line_den_coeff"`
	SampleNumerator   [20]float64 `json:"samp_num_coeff"`
	SampleDenominator [20]float64 `json:"samp_den_coeff"`
}

// ErrRPC means that a rational polynomial model does not place the image.
var ErrRPC = errors.New("the RPCs do not place the image")

// centerOfPixel is the distance of the center of a pixel from its corner. Samples and lines of a
// model count from centers of pixels.
const centerOfPixel = 0.5

// checkNumbers returns an error unless every number is finite, the scales are positive and the
// offsets are on the earth.
func (m *RPC) checkNumbers() error {
	numbers := []float64{m.LineOffset, m.SampleOffset, m.LatitudeOffset, m.LongitudeOffset, m.HeightOffset}
	scales := []float64{m.LineScale, m.SampleScale, m.LatitudeScale, m.LongitudeScale, m.HeightScale}
	for _, polynomial := range [...]*[20]float64{&m.LineNumerator, &m.LineDenominator, &m.SampleNumerator, &m.SampleDenominator} {
		numbers = append(numbers, polynomial[:]...)
	}
	for _, v := range append(numbers, scales...) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: a number of them is %v", ErrRPC, v)
		}
	}
	for _, scale := range scales {
		if scale <= 0 {
			return fmt.Errorf("%w: one of their scales is %v", ErrRPC, scale)
		}
	}
	if math.Abs(m.LatitudeOffset) > 90 || math.Abs(m.LongitudeOffset) > 360 {
		return fmt.Errorf("%w: they are about longitude %v, latitude %v", ErrRPC, m.LongitudeOffset, m.LatitudeOffset)
	}
	return nil
}

// normal returns the place of a point in the area of the model, which extends from -1 to 1 in both
// directions. It takes the turn of the globe that is nearest to the area.
func (m *RPC) normal(place geo.Point) geo.Point {
	return geo.Point{
		X: math.Remainder(place.X-m.LongitudeOffset, 360) / m.LongitudeScale,
		Y: (place.Y - m.LatitudeOffset) / m.LatitudeScale,
	}
}

// place is the inverse of normal. Longitudes continue beyond 180.
func (m *RPC) place(normal geo.Point) geo.Point {
	return geo.Point{
		X: normal.X*m.LongitudeScale + m.LongitudeOffset,
		Y: normal.Y*m.LatitudeScale + m.LatitudeOffset,
	}
}

// pixel returns the pixel of the full image that shows a normal point at a height in meters.
func (m *RPC) pixel(at geo.Point, height float64) geo.Point {
	terms := termsOf(at.X, at.Y, (height-m.HeightOffset)/m.HeightScale)
	return geo.Point{
		X: quotient(&m.SampleNumerator, &m.SampleDenominator, &terms)*m.SampleScale + m.SampleOffset + centerOfPixel,
		Y: quotient(&m.LineNumerator, &m.LineDenominator, &terms)*m.LineScale + m.LineOffset + centerOfPixel,
	}
}

// termsOf returns the terms of the polynomials in the order of RPC00B, for a normal longitude,
// latitude and height.
func termsOf(l, p, h float64) [20]float64 {
	return [...]float64{
		1, l, p, h, l * p, l * h, p * h, l * l, p * p, h * h,
		p * l * h, l * l * l, l * p * p, l * h * h, l * l * p,
		p * p * p, p * h * h, l * l * h, p * p * h, h * h * h,
	}
}

// quotient returns the quotient of two polynomials.
func quotient(numerator, denominator, terms *[20]float64) float64 {
	var above, below float64
	for i, t := range terms {
		above += float64(numerator[i] * t) // rounded, so that machines agree
		below += float64(denominator[i] * t)
	}
	return above / below
}

// checkPoles returns an error if a denominator is zero or changes its sign in the area of the model
// at a height. A sensor has no such place.
func (m *RPC) checkPoles(height float64) error {
	const steps = 8
	for _, denominator := range [...]*[20]float64{&m.SampleDenominator, &m.LineDenominator} {
		constant := [20]float64{1}
		first := 0.0
		for row := range steps + 1 {
			for column := range steps + 1 {
				terms := termsOf(2*float64(column)/steps-1, 2*float64(row)/steps-1, (height-m.HeightOffset)/m.HeightScale)
				v := 1 / quotient(&constant, denominator, &terms)
				if first == 0 {
					first = v
				}
				if !(v*first > 0) || math.IsInf(v, 0) {
					return fmt.Errorf("%w: a denominator of them is zero in the area that they are for", ErrRPC)
				}
			}
		}
	}
	return nil
}
