package main

import "math"

// color is a color of the picture: red, green, blue and near infrared, 0 to 255.
type color [bands]float64

// over returns c laid over another color, with share as its opacity.
func (c color) over(below color, share float64) color {
	share = min(max(share, 0), 1)
	for band := range c {
		below[band] += (c[band] - below[band]) * share
	}
	return below
}

// times scales each band. Near infrared is scaled like red.
func (c color) times(red, green, blue float64) color {
	return color{c[0] * red, c[1] * green, c[2] * blue, c[3] * red}
}

// ramp interpolates between colors at rising positions.
type ramp []struct {
	at    float64
	color color
}

func (r ramp) color(at float64) color {
	for i := 1; i < len(r); i++ {
		if at < r[i].at {
			share := max((at-r[i-1].at)/(r[i].at-r[i-1].at), 0)
			return r[i].color.over(r[i-1].color, share)
		}
	}
	return r[len(r)-1].color
}

// The palette. Water absorbs near infrared and leaves reflect it, the more the fresher they are.
var (
	// water runs from the open sea to the shore.
	water = ramp{
		{0, color{25, 64, 110, 9}},
		{0.1, color{30, 80, 128, 11}},
		{0.22, color{42, 108, 153, 15}},
		{0.34, color{66, 142, 174, 24}},
		{0.44, color{98, 174, 188, 38}},
		{0.54, color{138, 202, 198, 62}},
		{0.66, color{184, 224, 208, 96}},
	}
	// plants run from the plains to the highest grass.
	plants = ramp{
		{0, color{142, 170, 104, 226}},
		{120, color{146, 172, 106, 222}},
		{400, color{140, 160, 100, 214}},
		{800, color{146, 152, 104, 196}},
		{1150, color{158, 152, 116, 182}},
		{1450, color{156, 146, 124, 164}},
	}
	crops = [...]color{
		{206, 192, 126, 214}, {222, 208, 148, 206}, {132, 168, 84, 236}, {164, 186, 102, 230}, {112, 152, 76, 242},
		{186, 166, 118, 188}, {150, 180, 92, 234},
	}
	leafForest   = color{78, 112, 60, 216}
	needleForest = color{58, 90, 64, 166}
	heath        = color{180, 172, 118, 208}
	rock         = color{142, 132, 124, 150}
	scree        = color{172, 162, 148, 180}
	snow         = color{250, 251, 253, 222}
	sand         = color{228, 216, 178, 236}
	surf         = color{240, 248, 244, 190}
	lake         = color{74, 132, 164, 18}
	river        = color{72, 126, 164, 26}
	roadEdge     = color{112, 96, 78, 104}
	roadSurface  = color{248, 240, 216, 232}
	street       = color{222, 214, 200, 204}
	roofs        = [...]color{
		{190, 124, 96, 176}, {204, 146, 112, 188}, {172, 160, 150, 162}, {150, 142, 138, 140}, {214, 190, 160, 204}, {108, 140, 88, 214},
	}
)

// lit returns a color under light, where 1 is the light on level ground. Shadows are blue from the
// sky, and light is warm.
func (c color) lit(light float64) color {
	if light < 1 {
		shade := math.Pow(1-max(light, 0), 1.1)
		return c.times(1-0.68*shade, 1-0.62*shade, 1-0.45*shade)
	}
	return color{255, 250, 226, 255}.over(c, 0.55*(light-1))
}
