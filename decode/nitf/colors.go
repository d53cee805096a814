package nitf

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tileserver/decode/blocks"
	"tileserver/decode/container"
	"tileserver/decode/nitf/combine"
	"tileserver/decode/nitf/segments"
	"tileserver/decode/nitf/tre"
	"tileserver/decode/pam"
	"tileserver/raster"
)

// describeBands says what the bands mean.
func (s *segment) describeBands() {
	h := s.header
	s.info.Bands = make([]raster.Band, len(h.Bands))
	s.describeWavelengths()
	for i := range s.info.Bands {
		b := &s.info.Bands[i]
		b.Color = bandColor(h, i)
		b.Name = cmp.Or(b.Name, bandName(h, i, b.Color))
		if noted := s.file.noted; noted != nil && s.number == 0 && noted.Bands[i] != nil {
			annotate(b, noted.Bands[i])
		}
	}
	// Bands without a meaning for display are no picture together.
	s.info.Unrelated = h.Colors == notForDisplay
	s.describeTables()
}

// notForDisplay is the representation of images that are not made to be looked at.
const notForDisplay = "NODISPLY"

// describeTables makes the lookup tables of a band the palette. Those of other bands are not used,
// unless they are curves.
func (s *segment) describeTables() {
	h := s.header
	if isRamp(h) {
		s.info.Bands[0].Color = raster.Gray
		return
	}
	colored, palette := paletteOf(h)
	if palette != nil {
		s.info.Palette, s.info.Bands[colored].Color = palette, raster.PaletteIndex
		s.markTransparent()
	}
	if s.curves() != nil {
		return
	}
	unused := 0
	for i, b := range h.Bands {
		if len(b.Tables) > 0 && (palette == nil || i != colored) {
			unused++
		}
	}
	if unused > 0 {
		s.note(fmt.Sprintf("the lookup tables of %s are not used: samples are shown as they are", container.Counted(unused, "band")))
	}
}

// curves returns the table of each band of red, green or blue, which has the intensity that a sample
// stands for. It returns nil if there are none, or if other bands have tables.
func (s *segment) curves() [][]uint8 {
	isUnsigned := s.info.Type == raster.Uint8 || s.info.Type == raster.Uint16
	if !isUnsigned || s.header.Colors == "YCbCr601" || len(s.header.Bands) == 1 || len(s.header.Bands) != len(s.info.Bands) {
		return nil
	}
	tables, isBent := make([][]uint8, len(s.header.Bands)), false
	for i, b := range s.header.Bands {
		color := s.info.Bands[i].Color
		isColor := color == raster.Red || color == raster.Green || color == raster.Blue
		if !isColor || len(b.Tables) != 1 || len(b.Tables[0]) == 0 {
			return nil
		}
		tables[i], isBent = b.Tables[0], isBent || !isStraight(b.Tables[0])
	}
	if !isBent && s.info.Type == raster.Uint8 {
		return nil
	}
	return tables
}

// curved returns an image of the segment with its curves applied.
func (s *segment) curved(m container.Image) container.Image {
	if tables := s.curves(); tables != nil && m.Unsupported() == nil {
		return combine.Curved(m, tables)
	}
	return m
}

// isStraight reports whether a table has each sample of eight bits for itself.
func isStraight(table []uint8) bool {
	for i, v := range table {
		if int(v) != i {
			return false
		}
	}
	return len(table) > math.MaxUint8
}

// describeWavelengths sets the wavelengths and names of the bands of a multispectral image: those of
// BANDSB, or else the numbers in the subheader.
func (s *segment) describeWavelengths() {
	h := s.header
	if t := s.findTRE("BANDSB"); t != nil {
		bands, err := tre.Bands(t.Data)
		if err != nil {
			s.note(err.Error())
		}
		for i, b := range bands[:min(len(bands), len(s.info.Bands))] {
			s.info.Bands[i].Name, s.info.Bands[i].Wavelength = b.Name, plausible(b.Nanometers)
		}
	}
	if h.Colors != "MULTI" {
		return
	}
	for i, b := range h.Bands {
		if nanometers, name := wavelength(b.Subcategory); s.info.Bands[i].Wavelength == 0 {
			s.info.Bands[i].Wavelength, s.info.Bands[i].Name = nanometers, cmp.Or(s.info.Bands[i].Name, name)
		}
	}
}

// wavelength returns the wavelength of a band whose subcategory is one, and a name of the band.
// Wavelengths are nanometers, but some writers have micrometers, with decimals. Small whole numbers
// are those of bands.
func wavelength(subcategory string) (nanometers float64, name string) {
	v, err := strconv.ParseFloat(subcategory, 64)
	if err != nil {
		return 0, ""
	}
	const nanometersPerMicrometer = 1000
	if nanometers = plausible(v); nanometers > 0 {
		return nanometers, subcategory + " nm"
	}
	if nanometers = plausible(v * nanometersPerMicrometer); nanometers > 0 && strings.Contains(subcategory, ".") {
		return nanometers, subcategory + " µm"
	}
	return 0, subcategory
}

// plausible returns a wavelength if sensors exist for it, from ultraviolet to thermal infrared, and
// 0 otherwise.
func plausible(nanometers float64) float64 {
	const least, most = 100, 50_000
	if nanometers >= least && nanometers <= most {
		return nanometers
	}
	return 0
}

// markTransparent makes the transparent color of a map nodata. It comes after the 216 others, whether
// it is in the table or not.
func (s *segment) markTransparent() {
	const mapColors = 216
	key, _ := compressionOf(s.header)
	if b := &s.info.Bands[0]; key == "4" && (len(s.info.Palette) == mapColors || len(s.info.Palette) == mapColors+1) && !b.HasNoData {
		b.NoData, b.HasNoData, s.info.Pad = mapColors, true, mapColors
	}
}

// annotate applies what GDAL has noted of a band beside the file.
func annotate(b *raster.Band, noted *pam.Band) {
	b.Name = cmp.Or(noted.Description, b.Name)
	if value, err := strconv.ParseFloat(strings.TrimSpace(noted.NoData), 64); err == nil && !math.IsInf(value, 0) {
		b.NoData, b.HasNoData = value, true
	}
	if noted.Scale != nil || noted.Offset != nil {
		b.Scale = 1
	}
	if noted.Scale != nil {
		b.Scale = *noted.Scale
	}
	if noted.Offset != nil {
		b.Offset = *noted.Offset
	}
	b.Unit, b.Categories = noted.Unit, slices.Clone(noted.Categories)
}

// bandColor returns the color of a band: what the band says, if the image is one of colors.
func bandColor(h *segments.Image, i int) raster.Color {
	if h.Colors == notForDisplay {
		return raster.Undefined
	}
	switch h.Bands[i].Color {
	case "R":
		return raster.Red
	case "G":
		return raster.Green
	case "B":
		return raster.Blue
	case "M":
		if len(h.Bands) == 1 {
			return raster.Gray
		}
	}
	switch {
	case h.Colors == "MONO" && len(h.Bands) == 1:
		return raster.Gray
	case (h.Colors == "RGB" || h.Colors == "YCbCr601") && len(h.Bands) == 3:
		return raster.Red + raster.Color(i)
	}
	return raster.Undefined
}

func bandName(h *segments.Image, i int, color raster.Color) string {
	if b := h.Bands[i]; b.Subcategory != "" {
		return b.Subcategory
	}
	if color != raster.Undefined {
		return color.String()
	}
	return fmt.Sprintf("band %d", i+1)
}

// paletteOf returns the lookup tables of the only band, or of the one that the image says is looked up,
// as a palette; or nil. One table has grays. Two have the high and the low bytes of grays of 16 bits.
func paletteOf(h *segments.Image) (band int, palette []raster.RGBA) {
	const lookedUp = "LU"
	band = slices.IndexFunc(h.Bands, func(b segments.Band) bool { return len(b.Tables) > 0 && (len(h.Bands) == 1 || b.Color == lookedUp) })
	if band < 0 {
		return 0, nil
	}
	tables := h.Bands[band].Tables
	green, blue := tables[0], tables[0]
	if len(tables) >= 3 {
		green, blue = tables[1], tables[2]
	}
	palette = make([]raster.RGBA, len(tables[0]))
	for i := range palette {
		palette[i] = raster.RGBA{R: tables[0][i], G: green[i], B: blue[i], A: math.MaxUint8}
	}
	if len(palette) == 0 {
		return 0, nil
	}
	return band, palette
}

// isRamp reports whether the lookup tables of an image of one band only say that its samples are grays,
// from black to white. As a palette, such an image could not be interpolated.
func isRamp(h *segments.Image) bool {
	if len(h.Bands) != 1 || len(h.Bands[0].Tables) == 0 || h.Bits > 8 {
		return false
	}
	for _, table := range h.Bands[0].Tables {
		last := len(table) - 1
		if last < 1 || last != 1<<h.Bits-1 {
			return false
		}
		for i, v := range table {
			if int(v) != (i*math.MaxUint8+last/2)/last {
				return false
			}
		}
	}
	return true
}

// describeColors says which color model the bands have, if it is not red, green and blue. A fax has
// black as its highest sample, unless a table says otherwise.
func (m *blockImage) describeColors() {
	m.info.Inverted = m.coding.compression == blocks.CCITTFax3 && len(m.header.Bands[0].Tables) == 0
	isConverted := m.coding.layout.JPEG.YCbCr // by the codec
	if m.header.Colors != "YCbCr601" || len(m.info.Bands) != 3 || isConverted {
		return
	}
	const black, white, top, center = 0, 255, 255, 128
	m.info.Colors = raster.ColorModel{Space: raster.YCbCr, Luma: [3]float64{0.299, 0.587, 0.114}, Reference: [6]float64{black, white, center, top, center, top}}
	for i := range m.info.Bands {
		m.info.Bands[i].Color = raster.Undefined
	}
}

// describePads says which samples mark pad pixels.
func (s *segment) describePads() {
	s.info.Masked = s.mask.HasBlocks() || s.mask.HasPad
	if s.mask.HasPad {
		s.info.Pad = sampleOf(s.mask.Pad, s.info.Type, cmp.Or(s.header.Bits, 8))
	}
}

// sampleOf returns the value of the bits of a stored sample.
func sampleOf(v uint64, t raster.DataType, bits int) float64 {
	switch t {
	case raster.Int8, raster.Int16, raster.Int32, raster.Int64:
		return float64(int64(v<<(64-bits)) >> (64 - bits))
	case raster.Float32, raster.Complex64:
		return float64(math.Float32frombits(uint32(v)))
	case raster.Float64:
		return math.Float64frombits(v)
	}
	return float64(v)
}
