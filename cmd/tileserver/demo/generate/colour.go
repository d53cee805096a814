package main

import "math"

// colour is red, green and blue, 0 to 255.
type colour [3]float64

// over lays a colour over another one, covering a share of it.
func (c colour) over(below colour, share float64) colour {
	share = min(max(share, 0), 1)
	for band := range c {
		below[band] += (c[band] - below[band]) * share
	}
	return below
}

// times makes a colour lighter or darker in each band.
func (c colour) times(red, green, blue float64) colour {
	return colour{c[0] * red, c[1] * green, c[2] * blue}
}

// ramp goes through colours at rising places.
type ramp []struct {
	at     float64
	colour colour
}

func (r ramp) colour(at float64) colour {
	for i := 1; i < len(r); i++ {
		if at < r[i].at {
			share := max((at-r[i-1].at)/(r[i].at-r[i-1].at), 0)
			return r[i].colour.over(r[i-1].colour, share)
		}
	}
	return r[len(r)-1].colour
}

// The palette.
var (
	// water goes from the open sea to the shore.
	water = ramp{
		{0, colour{25, 64, 110}},
		{0.1, colour{30, 80, 128}},
		{0.22, colour{42, 108, 153}},
		{0.34, colour{66, 142, 174}},
		{0.44, colour{98, 174, 188}},
		{0.54, colour{138, 202, 198}},
		{0.66, colour{184, 224, 208}},
	}
	// plants go from the plains to the last grass.
	plants = ramp{
		{0, colour{158, 178, 116}},
		{120, colour{164, 180, 118}},
		{400, colour{152, 166, 110}},
		{800, colour{150, 154, 106}},
		{1150, colour{158, 152, 116}},
		{1450, colour{156, 146, 124}},
	}
	crops = [...]colour{
		{208, 196, 130}, {222, 210, 152}, {150, 176, 96}, {176, 190, 112}, {132, 160, 90}, {190, 172, 122}, {164, 184, 104},
	}
	leafForest   = colour{88, 118, 70}
	needleForest = colour{66, 94, 70}
	heath        = colour{186, 176, 124}
	rock         = colour{142, 132, 124}
	scree        = colour{172, 162, 148}
	snow         = colour{250, 251, 253}
	sand         = colour{228, 216, 178}
	surf         = colour{240, 248, 244}
	lake         = colour{74, 132, 164}
	river        = colour{72, 126, 164}
	roadEdge     = colour{112, 96, 78}
	roadSurface  = colour{248, 240, 216}
	street       = colour{222, 214, 200}
	roofs        = [...]colour{{190, 124, 96}, {204, 146, 112}, {172, 160, 150}, {150, 142, 138}, {214, 190, 160}, {120, 140, 100}}
)

// lit is a colour under light: 1 is what level ground gets. Shadows are blue from the sky, and light is warm.
func (c colour) lit(light float64) colour {
	if light < 1 {
		shade := math.Pow(1-max(light, 0), 1.1)
		return c.times(1-0.68*shade, 1-0.62*shade, 1-0.45*shade)
	}
	return colour{255, 250, 226}.over(c, 0.55*(light-1))
}
