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

// A computation computes values from the samples of some bands, pixel by pixel.
type computation struct {
	bands    []int               // of the dataset; a tile must have them first
	scalings []scaling           // one per band
	program  *expression.Program // of all bands together; nil computes each band separately
	root     bool                // takes the square root of each band; only without program
	dataType raster.DataType
}

// A scaling converts a sample to a value: sample*factor + offset. The zero scaling is none.
type scaling struct{ factor, offset float64 }

// chooseComputation returns what to compute from the chosen bands, or nil to show their samples
// as they are.
func (s Spec) chooseComputation(info *raster.Info, bands []int) (*computation, error) {
	c := &computation{bands: bands, dataType: computedType(info.Type)}
	switch {
	case s.Expression != nil:
		var err error
		if c.program, err = s.Expression.Compile(func(name string) (int, bool) { return bandNamed(info, name) }); err != nil {
			return nil, invalid("%v", err)
		}
		c.bands = c.program.Bands()
	case s.Relief != nil || s.Unscale && hasScale(info, bands):
	case info.Magnitudes && !s.Amplitudes:
		c.root = true
	default:
		return nil, nil
	}
	if s.Relief != nil {
		c.dataType = raster.Float32
	}
	for _, band := range c.bands {
		c.scalings = append(c.scalings, s.scalingOf(&info.Bands[band], info))
	}
	return c, nil
}

// outputs returns the number of computed bands.
func (c *computation) outputs() int {
	if c.program != nil {
		return c.program.Outputs()
	}
	return len(c.bands)
}

func hasScale(info *raster.Info, bands []int) bool {
	for _, band := range bands {
		if scaleOf(&info.Bands[band]) != (scaling{}) {
			return true
		}
	}
	return false
}

// scaleOf returns the scale and offset of a band, or the zero scaling if they change nothing.
func scaleOf(band *raster.Band) scaling {
	if band.Scale == 0 || band.Scale == 1 && band.Offset == 0 {
		return scaling{}
	}
	return scaling{band.Scale, band.Offset}
}

// scalingOf returns the scaling of a band's samples before any computation. Heights are always
// scaled to meters.
func (s Spec) scalingOf(band *raster.Band, info *raster.Info) scaling {
	scale := scaling{1, 0}
	if info.Spread > 1 {
		scale.factor = 1 / info.Spread
	}
	if own := scaleOf(band); (s.Unscale || s.Relief != nil) && own != (scaling{}) {
		scale = own
	}
	if s.Relief != nil {
		meters := metersPer(band.Unit)
		scale = scaling{scale.factor * meters, scale.offset * meters}
	}
	if scale == (scaling{1, 0}) {
		return scaling{}
	}
	return scale
}

// metersPer returns the length of a unit of height. Unknown units are taken as meters.
func metersPer(unit string) float64 {
	if length, ok := unitLengths[strings.ToLower(strings.TrimSpace(unit))]; ok {
		return length
	}
	return 1
}

// isLength reports whether a unit is a unit of length.
func isLength(unit string) bool {
	_, ok := unitLengths[strings.ToLower(strings.TrimSpace(unit))]
	return ok
}

const foot, surveyFoot = 0.3048, 1200.0 / 3937

// unitLengths holds the units of height, in meters.
var unitLengths = map[string]float64{
	"m": 1, "metre": 1, "metres": 1, "meter": 1, "meters": 1,
	"ft": foot, "foot": foot, "feet": foot, "international foot": foot,
	"us survey foot": surveyFoot, "us survey feet": surveyFoot, "ftus": surveyFoot, "us-ft": surveyFoot, "us_survey_foot": surveyFoot, "foot_us": surveyFoot,
	"cm": 0.01, "centimetre": 0.01, "centimeter": 0.01,
	"dm": 0.1, "decimetre": 0.1, "decimeter": 0.1,
	"km": 1000, "kilometre": 1000, "kilometer": 1000,
}

// bandNamed finds a band by a number such as b1 or 1, or by its name in the file.
func bandNamed(info *raster.Info, name string) (int, bool) {
	if band, ok := expression.BandNumber(name, len(info.Bands)); ok {
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

// computedType returns the type that holds values computed from samples of type t.
func computedType(t raster.DataType) raster.DataType {
	switch t {
	case raster.Uint8, raster.Int8, raster.Uint16, raster.Int16, raster.Float32:
		return raster.Float32
	}
	return raster.Float64
}

// key identifies everything except the samples that the values depend on.
func (c *computation) key() string {
	var b strings.Builder
	switch {
	case c.program != nil:
		b.WriteString(c.program.String())
	case c.root:
		b.WriteString("roots")
	default:
		b.WriteString("values")
	}
	for i, scale := range c.scalings {
		b.WriteString("|" + strconv.Itoa(c.bands[i]+1))
		if scale != (scaling{}) {
			b.WriteString("*" + number(scale.factor) + "+" + number(scale.offset))
		}
	}
	return b.String()
}

// compute computes the values of a tile. The first bands of the tile must be those of c. The
// coverage of values from several bands is their minimum. Values that are not finite are invalid.
func (c *computation) compute(t raster.Tile) (*raster.Buffer, error) {
	b := raster.NewBuffer(c.dataType, t.Width(), t.Height(), c.outputs())
	if c.program == nil {
		for band := range c.bands {
			c.computeBand(b, t, band)
		}
		return b, nil
	}
	coverage := minCoverage(t, len(c.bands))
	b.SetValidity(coverage)
	inputs := make([]expression.Plane, len(c.bands))
	for band := range inputs {
		inputs[band] = planeOf(t, band, c.scalings[band])
	}
	results := make([]expression.Result, b.Bands())
	for i := range results {
		results[i] = resultIn(b, i, coverage)
	}
	if err := c.program.Run(inputs, results, len(coverage)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMismatch, err)
	}
	return b, nil
}

// computeBand computes the values of one band.
func (c *computation) computeBand(b *raster.Buffer, t raster.Tile, band int) {
	own := b.OwnValidity(band)
	if coverage := t.Validity(band); coverage != nil {
		copy(own, coverage)
	}
	plane, result := planeOf(t, band, c.scalings[band]), resultIn(b, band, own)
	var buffer [samplesAtOnce]float64
	for at := 0; at < len(own); at += samplesAtOnce {
		batch := buffer[:min(samplesAtOnce, len(own)-at)]
		plane.Load(batch, at)
		if c.root {
			for i, value := range batch {
				batch[i] = math.Sqrt(value)
			}
		}
		result.Store(batch, at)
	}
}

// minCoverage returns a new plane with the minimum coverage of the first bands of a tile.
func minCoverage(t raster.Tile, bands int) []uint8 {
	coverage := bytes.Repeat([]byte{raster.Valid}, t.Width()*t.Height())
	for band := range bands {
		for i, covered := range t.Validity(band) {
			coverage[i] = min(coverage[i], covered)
		}
	}
	return coverage
}
