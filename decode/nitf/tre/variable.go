package tre

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
)

// engrda reads named engineering data: matrices of texts or of binary numbers. The latter are told
// by their size.
func (c *cursor) engrda() {
	c.text("RESRC", 20)
	for i := range c.count("RECNT", 3) {
		of := func(name string) string { return fmt.Sprintf("%s_%03d", name, i+1) }
		c.text(of("ENGLBL"), c.count("", 2))
		c.text(of("ENGMTXC"), 4)
		c.text(of("ENGMTXR"), 4)
		kind := c.text(of("ENGTYP"), 1)
		size := c.count("", 1)
		c.text(of("ENGDTU"), 2)
		count := c.count(of("ENGDATC"), 8)
		data := c.bytes("ENGDATA", min(count, len(c.left)+1)*size)
		switch {
		case c.err != nil:
			return
		case kind == "A":
			c.keep(of("ENGDATA"), string(data))
		default:
			c.keep(of("ENGDATA"), fmt.Sprintf("%d bytes", len(data)))
		}
	}
}

// j2klra reads how a JPEG 2000 image was compressed, and how the image that it was made from.
func (c *cursor) j2klra() {
	origin := c.text("ORIG", 1)
	c.layout("NLEVELS_O:2 NBANDS_O:5")
	for range c.count("NLAYERS_O", 3) {
		layer := c.text("", 3)
		c.text("BITRATE_"+layer, 9)
		if c.err != nil {
			return
		}
	}
	if origin == "1" || origin == "3" || origin == "9" {
		c.layout("NLEVELS_I:2 NBANDS_I:5 NLAYERS_I:3")
	}
}

// bandsb reads the general part of BANDSB, and the wavelengths and names of bands.
func (c *cursor) bandsb() {
	count, mask := c.bandsHead()
	if c.err == nil {
		c.bands(count, mask)
	}
}

// bandsHead reads the fields of BANDSB before those of single bands.
func (c *cursor) bandsHead() (count int, mask uint32) {
	count = c.count("COUNT", 5)
	c.layout("RADIOMETRIC_QUANTITY:24 RADIOMETRIC_QUANTITY_UNIT:1")
	c.float("SCALE_FACTOR")
	c.float("ADDITIVE_FACTOR")
	c.layout("ROW_GSD:7 ROW_GSD_UNIT:1 COL_GSD:7 COL_GSD_UNIT:1 SPT_RESP_ROW:7 SPT_RESP_UNIT_ROW:1 SPT_RESP_COL:7 SPT_RESP_UNIT_COL:1 :48")
	if bytes := c.bytes("EXISTENCE_MASK", 4); bytes != nil {
		mask = binary.BigEndian.Uint32(bytes)
		c.keep("EXISTENCE_MASK", fmt.Sprintf("%08X", mask))
	}
	if mask&(1<<31) != 0 {
		c.text("RADIOMETRIC_ADJUSTMENT_SURFACE", 24)
		c.float("ATMOSPHERIC_ADJUSTMENT_ALTITUDE")
	}
	if mask&(1<<30) != 0 {
		c.text("DIAMETER", 7)
	}
	if mask&(1<<29) != 0 {
		c.text("", 32)
	}
	if mask&waveLengths != 0 {
		c.text("WAVE_LENGTH_UNIT", 1)
	}
	return count, mask
}

// waveLengths are the bits of the mask for fields that are wavelengths.
const waveLengths = 0x01F80000

// bandFields has the fields of a band that are read, by their bit in the mask. Other fields of a
// band follow; the fields of the next band can then only be read if there are none.
var bandFields = []struct {
	bit    int
	layout string
}{
	{28, "BANDID:50"}, {27, "BAD_BAND:1"}, {26, "NIIRS:3"}, {25, "FOCAL_LEN:5"}, {24, "CWAVE:7"}, {23, "FWHM:7"},
	{22, "FWHM_UNC:7"}, {21, "NOM_WAVE:7"}, {20, "NOM_WAVE_UNC:7"}, {19, "LBOUND:7 UBOUND:7"}, {18, ":8"},
	{17, "START_TIME:16"}, {16, "INT_TIME:6"}, {15, "CALDRK:6 CALIBRATION_SENSITIVITY:5"},
}

// otherBandBits are the bits of fields of a band that are not in bandFields.
const otherBandBits = 0x7FFF

// bands reads the fields of each band.
func (c *cursor) bands(count int, mask uint32) {
	for band := range count {
		before := len(c.fields)
		for _, f := range bandFields {
			if mask&(1<<f.bit) != 0 {
				c.layout(f.layout)
			}
		}
		for i := before; i < len(c.fields); i++ {
			c.fields[i].Name += "_" + strconv.Itoa(band+1)
		}
		if c.err != nil || mask&otherBandBits != 0 {
			return
		}
	}
}

func (c *cursor) float(name string) {
	if bytes := c.bytes(name, 4); bytes != nil {
		c.keep(name, fmt.Sprint(math.Float32frombits(binary.BigEndian.Uint32(bytes))))
	}
}

// BandWavelength is what BANDSB says of a band.
type BandWavelength struct {
	Name       string
	Nanometers float64 // of the center; 0 if it is not told
}

// Bands returns the names and wavelengths in a BANDSB.
func Bands(content []byte) ([]BandWavelength, error) {
	fields, err := Fields("BANDSB", content)
	if err != nil {
		return nil, err
	}
	values := make(map[string]string, len(fields))
	for _, f := range fields {
		values[f.Name] = f.Value
	}
	count, _ := strconv.Atoi(values["COUNT"])
	unit := 1000. // micrometers
	if values["WAVE_LENGTH_UNIT"] == "W" {
		unit = 1e7 // wave numbers: 1/cm
	}
	bands := make([]BandWavelength, min(count, len(fields)))
	for i := range bands {
		number := "_" + strconv.Itoa(i+1)
		bands[i].Name = values["BANDID"+number]
		if v, ok := wavelengthOf(values, number); ok && unit == 1e7 {
			bands[i].Nanometers = unit / v
		} else if ok {
			bands[i].Nanometers = unit * v
		}
	}
	return bands, nil
}

// wavelengthOf returns the center of a band: as it is told, or between its bounds.
func wavelengthOf(values map[string]string, number string) (float64, bool) {
	for _, name := range []string{"CWAVE", "NOM_WAVE"} {
		if v, err := strconv.ParseFloat(values[name+number], 64); err == nil && v > 0 {
			return v, true
		}
	}
	low, lowErr := strconv.ParseFloat(values["LBOUND"+number], 64)
	high, highErr := strconv.ParseFloat(values["UBOUND"+number], 64)
	return (low + high) / 2, lowErr == nil && highErr == nil && low > 0 && high >= low
}
