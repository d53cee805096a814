package recolor

import (
	"math"

	"tileserver/raster"
)

// black is the component that darkens all three colors.
const black = 3

// cmyk converts inks to colors without a paper model. Each ink absorbs its color, and black absorbs
// a fraction of the rest.
func cmyk(info *raster.Info) conversion {
	c := conversion{
		key: ":rgb:cmyk", components: 4, resultType: raster.Uint8,
		colors: threeColors([]int{0, black}, []int{1, black}, []int{2, black}),
	}
	if info.Type == raster.Uint8 {
		c.convert = inksOf8(maxSampleOf(info))
	} else {
		c.convert = inksOf16(maxSampleOf(info))
	}
	return c
}

// inksOf8 converts inks of up to eight bits. It truncates fractions, as libtiff does.
func inksOf8(maxSample uint32) func(block) {
	var light [256]uint32 // light that an ink transmits, of 255
	for ink := range light {
		light[ink] = (maxSample - min(uint32(ink), maxSample)) * math.MaxUint8 / maxSample
	}
	return func(b block) {
		for color := range black {
			if !b.wants(color) {
				continue
			}
			to, inks, blacks := colorOf[uint8](b, color), component[uint8](b, color), component[uint8](b, black)
			to, blacks = to[:len(inks)], blacks[:len(inks)]
			for i, ink := range inks {
				to[i] = uint8(light[ink] * light[blacks[i]] / math.MaxUint8)
			}
		}
	}
}

// inksOf16 converts inks of up to 16 bits, and rounds.
func inksOf16(maxSample uint32) func(block) {
	share := math.MaxUint8 / (float64(maxSample) * float64(maxSample))
	return func(b block) {
		for color := range black {
			if !b.wants(color) {
				continue
			}
			to, inks, blacks := colorOf[uint8](b, color), component[uint16](b, color), component[uint16](b, black)
			to, blacks = to[:len(inks)], blacks[:len(inks)]
			for i, ink := range inks {
				light := uint64(maxSample-min(uint32(ink), maxSample)) * uint64(maxSample-min(uint32(blacks[i]), maxSample))
				to[i] = uint8(int(float64(int64(light))*share + 0.5))
			}
		}
	}
}
