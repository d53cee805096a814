package display

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"tileserver/display/expression"
	"tileserver/raster"
)

// values are computed of the samples of some bands, pixel by pixel.
type values struct {
	bands    []int // of the dataset, that a tile must have
	scalings []scaling
	program  *expression.Program // of all bands together; nil: each band by itself
	root     bool                // of each band by itself
	dataType raster.DataType
}

// scaling makes a value of a sample: sample*factor + offset. The zero scaling is none.
type scaling struct{ factor, offset float64 }

// chooseValues is what is to be computed of the bands that were chosen, or nil if their
// samples are to be shown as they are.
func (s Spec) chooseValues(info *raster.Info, bands []int) (*values, error) {
	v := &values{bands: bands, dataType: computedType(info.Type)}
	switch {
	case s.Expression != "":
		var err error
		if v.program, err = compile(s.Expression, info); err != nil {
			return nil, invalid("%v", err)
		}
		v.bands = v.program.Bands()
	case s.Relief != nil || s.Unscale && hasScale(info, bands):
	case info.Magnitudes && !s.Amplitudes:
		v.root = true
	default:
		return nil, nil
	}
	if s.Relief != nil {
		v.dataType = raster.Float32
	}
	for _, band := range v.bands {
		v.scalings = append(v.scalings, s.scalingOf(&info.Bands[band], info))
	}
	return v, nil
}

func compile(text string, info *raster.Info) (*expression.Program, error) {
	source, err := expression.Parse(text)
	if err != nil {
		return nil, err
	}
	return source.Compile(func(name string) (int, bool) { return bandNamed(info, name) })
}

// outputs is how many bands there are of what is computed.
func (v *values) outputs() int {
	if v.program != nil {
		return v.program.Outputs()
	}
	return len(v.bands)
}

func hasScale(info *raster.Info, bands []int) bool {
	for _, band := range bands {
		if scaleOf(&info.Bands[band]) != (scaling{}) {
			return true
		}
	}
	return false
}

// scaleOf is what makes values of the samples of a band.
func scaleOf(band *raster.Band) scaling {
	if band.Scale == 0 || band.Scale == 1 && band.Offset == 0 {
		return scaling{}
	}
	return scaling{band.Scale, band.Offset}
}

// scalingOf is what is done to the samples of a band before they are computed with. Heights
// are always values, in metres.
func (s Spec) scalingOf(band *raster.Band, info *raster.Info) scaling {
	of := scaling{1, 0}
	if info.Spread > 1 {
		of.factor = 1 / info.Spread
	}
	if own := scaleOf(band); (s.Unscale || s.Relief != nil) && own != (scaling{}) {
		of = own
	}
	if s.Relief != nil {
		metres := metresOf(band.Unit)
		of = scaling{of.factor * metres, of.offset * metres}
	}
	if of == (scaling{1, 0}) {
		return scaling{}
	}
	return of
}

// metresOf is the length of a unit of height. What is not known is taken for metres.
func metresOf(unit string) float64 {
	if length, ok := lengths[strings.ToLower(strings.TrimSpace(unit))]; ok {
		return length
	}
	return 1
}

// isLength tells whether a unit is one of length.
func isLength(unit string) bool {
	_, ok := lengths[strings.ToLower(strings.TrimSpace(unit))]
	return ok
}

const foot, surveyFoot = 0.3048, 1200.0 / 3937

// lengths are those of the units that heights are given in, in metres.
var lengths = map[string]float64{
	"m": 1, "metre": 1, "metres": 1, "meter": 1, "meters": 1,
	"ft": foot, "foot": foot, "feet": foot, "international foot": foot,
	"us survey foot": surveyFoot, "us survey feet": surveyFoot, "ftus": surveyFoot, "us-ft": surveyFoot, "us_survey_foot": surveyFoot, "foot_us": surveyFoot,
	"cm": 0.01, "centimetre": 0.01, "centimeter": 0.01,
	"dm": 0.1, "decimetre": 0.1, "decimeter": 0.1,
	"km": 1000, "kilometre": 1000, "kilometer": 1000,
}

// bandNamed finds a band by its number, as b1 or 1, or by the name that the file gives it.
func bandNamed(info *raster.Info, name string) (int, bool) {
	if band, ok := expression.Numbered(name, len(info.Bands)); ok {
		return band, true
	}
	for band := range info.Bands {
		if info.Bands[band].Name != "" && strings.EqualFold(info.Bands[band].Name, name) {
			return band, true
		}
	}
	if number, err := strconv.Atoi(name); err == nil && number >= 1 && number <= len(info.Bands) {
		return number - 1, true
	}
	return 0, false
}

// computedType is the type that what is computed of samples has room in.
func computedType(t raster.DataType) raster.DataType {
	switch t {
	case raster.Uint8, raster.Int8, raster.Uint16, raster.Int16, raster.Float32:
		return raster.Float32
	}
	return raster.Float64
}

// key is all that the values depend on but the samples.
func (v *values) key() string {
	var b strings.Builder
	switch {
	case v.program != nil:
		b.WriteString(v.program.String())
	case v.root:
		b.WriteString("roots")
	default:
		b.WriteString("values")
	}
	for i, of := range v.scalings {
		b.WriteString("|" + strconv.Itoa(v.bands[i]+1))
		if of != (scaling{}) {
			b.WriteString("*" + number(of.factor) + "+" + number(of.offset))
		}
	}
	return b.String()
}

// of are the values of a tile whose first bands are those of v. What is computed of several
// bands is as well covered as the least of them; what is not finite is not covered.
func (v *values) of(t raster.Tile) (*raster.Buffer, error) {
	b := raster.NewBuffer(v.dataType, t.Width(), t.Height(), v.outputs())
	if v.program == nil {
		for band := range v.bands {
			v.ofBand(b, t, band)
		}
		return b, nil
	}
	coverage := leastCoverage(t, len(v.bands))
	b.SetValidity(coverage)
	inputs := make([]expression.Plane, len(v.bands))
	for band := range inputs {
		inputs[band] = planeOf(t, band, v.scalings[band])
	}
	results := make([]expression.Result, b.Bands())
	for i := range results {
		results[i] = resultIn(b, i, coverage)
	}
	if err := v.program.Run(inputs, results, len(coverage)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMismatch, err)
	}
	return b, nil
}

// ofBand computes one band by itself.
func (v *values) ofBand(b *raster.Buffer, t raster.Tile, band int) {
	own := b.OwnValidity(band)
	if coverage := t.Validity(band); coverage != nil {
		copy(own, coverage)
	}
	plane, result := planeOf(t, band, v.scalings[band]), resultIn(b, band, own)
	var some [samplesAtOnce]float64
	for at := 0; at < len(own); at += samplesAtOnce {
		part := some[:min(samplesAtOnce, len(own)-at)]
		plane.Load(part, at)
		if v.root {
			for i, value := range part {
				part[i] = math.Sqrt(value)
			}
		}
		result.Store(part, at)
	}
}

// leastCoverage is a new plane of the least coverage of the first bands of a tile.
func leastCoverage(t raster.Tile, bands int) []uint8 {
	least := bytes.Repeat([]byte{raster.Valid}, t.Width()*t.Height())
	for band := range bands {
		for i, covered := range t.Validity(band) {
			least[i] = min(least[i], covered)
		}
	}
	return least
}
