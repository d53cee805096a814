package recolor

import (
	"math"
	"slices"

	"tileserver/raster"
)

// conversion computes colors from components, which are the first bands of a source. If convert is
// nil, the components are shown as they are.
type conversion struct {
	key          string
	components   int
	colors       []color
	resultType   raster.DataType
	linear       bool // components and colors may both be premultiplied by opacity
	convert      func(block)
	convertOther func(to []byte, from raster.Tile, band int) // converts a band that is not a color
}

// color is a computed band and the components that it needs.
type color struct {
	meaning raster.Color
	parts   []int
}

// threeColors returns red, green and blue, each with the components that it needs.
func threeColors(red, green, blue []int) []color {
	return []color{{raster.Red, red}, {raster.Green, green}, {raster.Blue, blue}}
}

// conversionOf returns the conversion for the colors of a provider.
func conversionOf(info *raster.Info) (conversion, error) {
	c, err := conversionOfSpace(info)
	if err != nil {
		return conversion{}, err
	}
	if len(info.Bands) < c.components {
		return conversion{}, unsupported("%v of %d samples", info.Colors.Space, len(info.Bands))
	}
	if c.convert != nil && c.resultType == raster.Uint8 {
		c.convertOther = narrower(info)
	}
	return c, nil
}

func conversionOfSpace(info *raster.Info) (conversion, error) {
	switch space := info.Colors.Space; {
	case space == raster.LogL || isLab(space) && len(info.Bands) == 1:
		return asGray(info.Type), nil
	case space == raster.LogLuv:
		return logLuv(info)
	case info.Type != raster.Uint8 && info.Type != raster.Uint16:
		return conversion{}, unsupported("%v of %v samples", space, info.Type)
	case space == raster.CMYK:
		return cmyk(info), nil
	case space == raster.YCbCr:
		return yCbCr(info), nil
	case isLab(space):
		return lab(info), nil
	default:
		return conversion{}, unsupported("color space %v", space)
	}
}

func isLab(s raster.ColorSpace) bool {
	return s == raster.CIELab || s == raster.ICCLab || s == raster.ITULab
}

// asGray shows the first component unchanged: lightness, or the logarithm of luminance. Both are
// roughly linear in perceived brightness.
func asGray(stored raster.DataType) conversion {
	return conversion{components: 1, colors: []color{{raster.Gray, []int{0}}}, resultType: stored, linear: true}
}

// infoOf returns the info of a provider with computed colors.
func (c *conversion) infoOf(stored *raster.Info) raster.Info {
	info := *stored
	info.Type, info.Colors = c.resultType, raster.ColorModel{}
	info.Bands = nil
	for _, made := range c.colors {
		info.Bands = append(info.Bands, raster.Band{Name: made.meaning.String(), Color: made.meaning})
	}
	info.Bands = append(info.Bands, stored.Bands[c.components:]...)
	if c.convert == nil {
		info.Bands[0] = stored.Bands[0]
		info.Bands[0].Name, info.Bands[0].Color = raster.Gray.String(), raster.Gray
		return info
	}
	info.Pad, info.Bits, info.Premultiplied = 0, 0, stored.Premultiplied && c.linear
	for i := range info.Bands {
		// The samples have new values, and former nodata is invalid.
		info.Bands[i] = raster.Band{Name: info.Bands[i].Name, Color: info.Bands[i].Color}
	}
	return info
}

// depth lists the sample types of components.
type depth interface{ uint8 | uint16 }

// maxSampleOf returns the highest sample in use.
func maxSampleOf(info *raster.Info) uint32 {
	if info.Bits > 0 && info.Bits < 8*info.Type.Size() {
		return 1<<info.Bits - 1
	}
	return 1<<(8*info.Type.Size()) - 1
}

// bitsOf returns the number of bits of a sample in use.
func bitsOf(info *raster.Info) int { return int(math.Log2(float64(maxSampleOf(info)) + 1)) }

// narrower returns a function that scales a band that is not a color to eight bits.
func narrower(info *raster.Info) func([]byte, raster.Tile, int) {
	maxSample := maxSampleOf(info)
	if info.Type == raster.Uint16 {
		return func(to []byte, from raster.Tile, band int) {
			narrow(to, raster.Samples[uint16](from, band), maxSample)
		}
	}
	return func(to []byte, from raster.Tile, band int) {
		narrow(to, raster.Samples[uint8](from, band), maxSample)
	}
}

func narrow[T depth](to []byte, from []T, maxSample uint32) {
	if maxSample == math.MaxUint8 {
		for i, v := range from {
			to[i] = uint8(v)
		}
		return
	}
	for i, v := range from {
		to[i] = uint8((min(uint32(v), maxSample)*math.MaxUint8 + maxSample/2) / maxSample)
	}
}

// block is a block that is being converted.
type block struct {
	stored raster.Tile
	parts  []int // the source bands in stored
	result *raster.Buffer
	bands  []int // the bands of result
}

// component returns the samples of a component.
func component[T raster.Sample](b block, part int) []T {
	return raster.Samples[T](b.stored, slices.Index(b.parts, part))
}

// wants reports whether a color is requested.
func (b block) wants(color int) bool { return slices.Contains(b.bands, color) }

// colorOf returns the samples of a color for writing. If the color is not requested it returns a
// scratch slice: computing all three colors at once is cheaper than computing fewer.
func colorOf[T raster.Sample](b block, color int) []T {
	if at := slices.Index(b.bands, color); at >= 0 {
		return raster.Writable[T](b.result, at)
	}
	return make([]T, b.stored.Width()*b.stored.Height())
}
