package nitftest

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// RPC is a camera model of rational polynomials, in the order of RPC00B.
type RPC struct {
	LineOffset, SampleOffset, LatitudeOffset, LongitudeOffset, HeightOffset float64
	LineScale, SampleScale, LatitudeScale, LongitudeScale, HeightScale      float64

	LineNumerator, LineDenominator, SampleNumerator, SampleDenominator [20]float64
}

// TRE returns the model as the extension RPC00B.
func (r RPC) TRE() TRE {
	var b strings.Builder
	fmt.Fprintf(&b, "1%07.2f%07.2f", 0.5, 0.25) // success, bias and random error in meters
	fmt.Fprintf(&b, "%06.0f%05.0f%+08.4f%+09.4f%+05.0f",
		r.LineOffset, r.SampleOffset, r.LatitudeOffset, r.LongitudeOffset, r.HeightOffset)
	fmt.Fprintf(&b, "%06.0f%05.0f%+08.4f%+09.4f%+05.0f",
		r.LineScale, r.SampleScale, r.LatitudeScale, r.LongitudeScale, r.HeightScale)
	for _, polynomial := range [][20]float64{r.LineNumerator, r.LineDenominator, r.SampleNumerator, r.SampleDenominator} {
		for _, c := range polynomial {
			b.WriteString(coefficient(c))
		}
	}
	return TRE{"RPC00B", []byte(b.String())}
}

// coefficient returns a number with one digit of exponent.
func coefficient(v float64) string {
	mantissa, exponent, _ := strings.Cut(fmt.Sprintf("%+.6E", v), "E")
	if exponent[1] != '0' {
		panic(fmt.Sprintf("no coefficient: %g", v))
	}
	return mantissa + "E" + exponent[:1] + exponent[2:]
}

// Chip says which part of a full image an image is: the extension ICHIPB.
type Chip struct {
	Scale float64 // pixels of the full image in one of the chip; 0 means 1
	// Output and Full are row and column of the upper left, upper right, lower left and lower right
	// corner, in the chip and in the full image.
	Output, Full        [4][2]float64
	FullRows, FullWidth int
	NotLinear           bool // the flag that the corners do not tell all
}

// TRE returns the extension.
func (c Chip) TRE() TRE {
	replaceZero(&c.Scale, 1)
	var b strings.Builder
	flag := 0
	if c.NotLinear {
		flag = 1
	}
	fmt.Fprintf(&b, "%02d%010.5f%02d%02d", flag, c.Scale, 0, 0)
	for _, corners := range [][4][2]float64{c.Output, c.Full} {
		for _, corner := range corners {
			fmt.Fprintf(&b, "%012.3f%012.3f", corner[0], corner[1])
		}
	}
	fmt.Fprintf(&b, "%08d%08d", c.FullRows, c.FullWidth)
	return TRE{"ICHIPB", []byte(b.String())}
}

// SpectralBands says what the bands show: the extension BANDSB.
type SpectralBands struct {
	Quantity string // "RADIANCE"
	Scale    float32
	Add      float32
	// Names and Bad are those of the bands, or nil. Wavelengths are the centers in micrometers, or
	// nil, and Widths the full widths at half of the maximum, or nil.
	Names               []string
	Bad                 []bool
	Wavelengths, Widths []float64
	Count               int
}

// TRE returns the extension.
func (s SpectralBands) TRE() TRE {
	replaceZero(&s.Quantity, "RADIANCE")
	replaceZero(&s.Scale, 1)
	const name, bad, center, width = 1 << 28, 1 << 27, 1 << 24, 1 << 23
	present := uint32(0)
	for _, field := range []struct {
		bit uint32
		set bool
	}{{name, s.Names != nil}, {bad, s.Bad != nil}, {center, s.Wavelengths != nil}, {width, s.Widths != nil}} {
		if field.set {
			present |= field.bit
		}
	}
	out := fmt.Appendf(nil, "%05d%-24sS", s.Count, s.Quantity)
	out = binary.BigEndian.AppendUint32(out, math.Float32bits(s.Scale))
	out = binary.BigEndian.AppendUint32(out, math.Float32bits(s.Add))
	for range 4 { // ground sample distances, and spatial responses, of rows and columns
		out = append(out, "0001.00M"...)
	}
	out = fmt.Appendf(out, "%48s", "")
	out = binary.BigEndian.AppendUint32(out, present)
	if present&(center|width) != 0 {
		out = append(out, 'U')
	}
	for i := range s.Count {
		out = s.appendBand(out, i)
	}
	return TRE{"BANDSB", out}
}

func (s *SpectralBands) appendBand(out []byte, i int) []byte {
	if s.Names != nil {
		out = fmt.Appendf(out, "%-50s", s.Names[i])
	}
	if s.Bad != nil {
		flag := byte('0')
		if s.Bad[i] {
			flag = '1'
		}
		out = append(out, flag)
	}
	if s.Wavelengths != nil {
		out = fmt.Appendf(out, "%07.5f", s.Wavelengths[i])
	}
	if s.Widths != nil {
		out = fmt.Appendf(out, "%07.5f", s.Widths[i])
	}
	return out
}
