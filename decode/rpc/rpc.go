// Package rpc reads rational polynomial camera models of satellite images from the notations that
// carry them: the numbers of a TIFF tag, the text files NAME_RPC.TXT and NAME.RPB, and the metadata
// of GDAL. Decoders call it with the content of each, and decode/container lists the model among
// the facts of an image. The package owns the names of the coefficients. It knows neither files nor
// images, and does not compute with a model.
package rpc

import (
	"fmt"
	"math"
	"strconv"
)

// Model maps longitude, latitude and height to line and sample. Its names in JSON are the usual
// ones of the coefficients.
type Model struct {
	From string `json:"from"` // "tag", or the name of the side file

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

// field is a number of a model and its names in the notations: its index in the tag, its name in
// NAME_RPC.TXT, and its name in NAME.RPB.
type field struct {
	target *float64
	index  int
	text   string
	rpb    string
}

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

// fill returns the model whose fields have the numbers that value returns. It fails unless each is
// finite. The error names the field; the caller adds what kind of error it is in its format.
func fill(from string, value func(field) (float64, bool)) (*Model, error) {
	m := &Model{From: from}
	for _, f := range m.fields() {
		v, ok := value(f)
		if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("RPC of %s: %s is no number or missing", from, f.text)
		}
		*f.target = v
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
