package main

import "math"

// colour is red, green, blue and near infrared, 0 to 255.
type colour [bands]float64

// over lays a colour over another one, covering a share of it.
func (c colour) over(below colour, share float64) colour {
	share = min(max(share, 0), 1)
	for band := range c {
		below[band] += (c[band] - below[band]) * share
	}
	return below
}

// times makes a colour lighter or darker in each band. Near infrared goes with red.
func (c colour) times(red, green, blue float64) colour {
	return colour{c[0] * red, c[1] * green, c[2] * blue, c[3] * red}
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

// The palette. Water swallows near infrared, and leaves throw it back: the more, the fresher they are.
var (
	// water goes from the open sea to the shore.
	water = ramp{
		{0, colour{25, 64, 110, 9}},
		{0.1, colour{30, 80, 128, 11}},
		{0.22, colour{42, 108, 153, 15}},
		{0.34, colour{66, 142, 174, 24}},
		{0.44, colour{98, 174, 188, 38}},
		{0.54, colour{138, 202, 198, 62}},
		{0.66, colour{184, 224, 208, 96}},
	}
	// plants go from the plains to the last grass.
	plants = ramp{
		{0, colour{142, 170, 104, 226}},
		{120, colour{146, 172, 106, 222}},
		{400, colour{140, 160, 100, 214}},
		{800, colour{146, 152, 104, 196}},
		{1150, colour{158, 152, 116, 182}},
		{1450, colour{156, 146, 124, 164}},
	}
	crops = [...]colour{
		{206, 192, 126, 214}, {222, 208, 148, 206}, {132, 168, 84, 236}, {164, 186, 102, 230}, {112, 152, 76, 242},
		{186, 166, 118, 188}, {150, 180, 92, 234},
	}
	leafForest   = colour{78, 112, 60, 216}
	needleForest = colour{58, 90, 64, 166}
	heath        = colour{180, 172, 118, 208}
	rock         = colour{142, 132, 124, 150}
	scree        = colour{172, 162, 148, 180}
	snow         = colour{250, 251, 253, 222}
	sand         = colour{228, 216, 178, 236}
	surf         = colour{240, 248, 244, 190}
	lake         = colour{74, 132, 164, 18}
	river        = colour{72, 126, 164, 26}
	roadEdge     = colour{112, 96, 78, 104}
	roadSurface  = colour{248, 240, 216, 232}
	street       = colour{222, 214, 200, 204}
	roofs        = [...]colour{
		{190, 124, 96, 176}, {204, 146, 112, 188}, {172, 160, 150, 162}, {150, 142, 138, 140}, {214, 190, 160, 204}, {108, 140, 88, 214},
	}
)

// lit is a colour under light: 1 is what level ground gets. Shadows are blue from the sky, and light is warm.
func (c colour) lit(light float64) colour {
	if light < 1 {
		shade := math.Pow(1-max(light, 0), 1.1)
		return c.times(1-0.68*shade, 1-0.62*shade, 1-0.45*shade)
	}
	return colour{255, 250, 226, 255}.over(c, 0.55*(light-1))
}
