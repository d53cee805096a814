// Package rpc reads rational polynomial camera models of satellite images from the notations that
// carry them: the numbers of a TIFF tag, the text files NAME_RPC.TXT and NAME.RPB, the XML of DIMAP,
// and the metadata of GDAL. Decoders call it with the content of each, and decode/container lists the
// model among the facts of an image. The package owns the names of the coefficients. It knows neither
// files nor images, and does not compute with a model: package geo/sensor does.
package rpc

import (
	"fmt"
	"math"
	"strconv"

	"tileserver/geo"
	"tileserver/geo/sensor"
)

// Model is a camera model and where it was read from.
type Model struct {
	From string `json:"from"` // "tag", or the name of the side file

	sensor.RPC

	// Chip maps pixels of the image to those of the full image that the model describes. Nil means
	// that the image is the full image.
	Chip *geo.Affine `json:"-"`

	// BiasError and RandomError are standard errors of places on the ground, in meters, that all
	// points have in common and that each has apart. They are 0 if the file does not say.
	BiasError   float64 `json:"err_bias,omitempty"`
	RandomError float64 `json:"err_rand,omitempty"`
}

// GroundError returns the standard error of a place on the ground in meters, or 0 if it is unknown.
func (m *Model) GroundError() float64 { return math.Hypot(m.BiasError, m.RandomError) }

// field is a number of a model and its names in the notations: its index in the tag, its name in
// NAME_RPC.TXT and DIMAP, and its name in NAME.RPB.
type field struct {
	target *float64
	index  int
	text   string
	rpb    string
}

// errorFields returns the numbers that a model may lack.
func (m *Model) errorFields() []field {
	return []field{{&m.BiasError, 0, "ERR_BIAS", "errBias"}, {&m.RandomError, 1, "ERR_RAND", "errRand"}}
}

// fields returns the numbers that a model must have.
func (m *Model) fields() []field {
	fields := []field{
		{&m.LineOffset, 2, "LINE_OFF", "lineOffset"}, {&m.SampleOffset, 3, "SAMP_OFF", "sampOffset"},
		{&m.LatitudeOffset, 4, "LAT_OFF", "latOffset"}, {&m.LongitudeOffset, 5, "LONG_OFF", "longOffset"},
		{&m.HeightOffset, 6, "HEIGHT_OFF", "heightOffset"},
		{&m.LineScale, 7, "LINE_SCALE", "lineScale"}, {&m.SampleScale, 8, "SAMP_SCALE", "sampScale"},
		{&m.LatitudeScale, 9, "LAT_SCALE", "latScale"}, {&m.LongitudeScale, 10, "LONG_SCALE", "longScale"},
		{&m.HeightScale, 11, "HEIGHT_SCALE", "heightScale"},
	}
	for _, c := range []struct {
		values *[20]float64
		place  int
		text   string
		rpb    string
	}{
		{&m.LineNumerator, 12, "LINE_NUM_COEFF", "lineNumCoef"}, {&m.LineDenominator, 32, "LINE_DEN_COEFF", "lineDenCoef"},
		{&m.SampleNumerator, 52, "SAMP_NUM_COEFF", "sampNumCoef"}, {&m.SampleDenominator, 72, "SAMP_DEN_COEFF", "sampDenCoef"},
	} {
		for i := range c.values {
			number := strconv.Itoa(i + 1)
			fields = append(fields, field{&c.values[i], c.place + i, c.text + "_" + number, c.rpb + "_" + number})
		}
	}
	return fields
}

// fill returns the model whose fields have the numbers that value returns. It fails unless each that
// a model must have is finite. The error names the field; the caller adds what kind of error it is in its format.
func fill(from string, value func(field) (float64, bool)) (*Model, error) {
	m := &Model{From: from}
	for _, f := range m.fields() {
		v, ok := value(f)
		if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("RPC of %s: %s is no number or missing", from, f.text)
		}
		*f.target = v
	}
	for _, f := range m.errorFields() {
		if v, ok := value(f); ok && v > 0 && !math.IsInf(v, 0) {
			*f.target = v
		}
	}
	return m, nil
}

// FromNumbers returns the model in the numbers of a TIFF tag. from says what they were read from.
func FromNumbers(from string, numbers []float64) (*Model, error) {
	return fill(from, func(f field) (float64, bool) {
		if f.index >= len(numbers) {
			return 0, false
		}
		return numbers[f.index], true
	})
}
