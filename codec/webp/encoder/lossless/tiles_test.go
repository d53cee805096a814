package lossless

import (
	"bytes"
	"math"
	"math/rand/v2"
)

// contents lists kinds of packed pixels.
var contents = []struct {
	name string
	make func(width, height, channels int) []byte
}{
	{"photograph", photograph},
	{"photograph in emptiness", photographInEmptiness},
	{"gradient", gradients},
	{"chart", chart},
	{"noise", func(width, height, channels int) []byte { return noise(width*height*channels, 3) }},
	{"solid", func(width, height, channels int) []byte {
		return bytes.Repeat([]byte{77, 78, 79, 80}[:channels], width*height)
	}},
	{"nothing", func(width, height, channels int) []byte { return make([]byte, width*height*channels) }},
}

// photograph returns soft shapes with sensor noise. The last of four channels is alpha.
func photograph(width, height, channels int) []byte {
	random := rand.New(rand.NewPCG(1, 1))
	pix := make([]byte, 0, width*height*channels)
	for y := range height {
		for x := range width {
			level := 110 + 40*math.Sin(float64(x)/17+float64(y)/29) + 30*math.Cos(float64(x*y)/900)
			for channel := range channels {
				value := level + 12*float64(channel-1) + 3*random.NormFloat64()
				pix = append(pix, byte(min(max(value, 0), 255)))
			}
		}
	}
	setOpaque(pix, channels)
	return pix
}

// setOpaque makes the last of two or four channels opaque.
func setOpaque(pix []byte, channels int) {
	if channels%2 != 0 {
		return
	}
	for i := channels - 1; i < len(pix); i += channels {
		pix[i] = 255
	}
}

// photographInEmptiness returns a photograph that is zero beyond a slanted edge.
func photographInEmptiness(width, height, channels int) []byte {
	pix := photograph(width, height, channels)
	for y := range height {
		for x := range width {
			if x+y/3 > width*3/5 {
				clear(pix[(y*width+x)*channels:][:channels])
			}
		}
	}
	return pix
}

func gradients(width, height, channels int) []byte {
	pix := make([]byte, 0, width*height*channels)
	for y := range height {
		for x := range width {
			for channel := range channels {
				pix = append(pix, byte(x*(channel+1)/2+y*(3-channel)))
			}
		}
	}
	return pix
}

// chart returns a drawn map: areas, roads and a grid in few colors.
func chart(width, height, channels int) []byte {
	pix := make([]byte, 0, width*height*channels)
	for y := range height {
		for x := range width {
			class := 0
			switch {
			case x%64 == 0 || y%64 == 0:
				class = 1
			case math.Abs(float64(y)-90-30*math.Sin(float64(x)/40)) < 4:
				class = 2
			case (x-128)*(x-128)+(y-100)*(y-100) < 2500:
				class = 3
			}
			for channel := range channels {
				pix = append(pix, byte(40*class+13*channel+100))
			}
		}
	}
	setOpaque(pix, channels)
	return pix
}

func noise(length int, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 2))
	pix := make([]byte, length)
	for i := range pix {
		pix[i] = byte(random.Uint32())
	}
	return pix
}

// colors returns patches of irregular shapes in about count colors.
func colors(width, height, count int) []byte {
	random := rand.New(rand.NewPCG(uint64(count), 3))
	table := noise(4*count, 4)
	pix := make([]byte, 0, 4*width*height)
	number := 0
	for len(pix) < cap(pix) {
		if above := len(pix) - 4*width; above >= 0 && random.IntN(3) > 0 {
			pix = append(pix, pix[above:above+4]...)
			continue
		}
		if random.IntN(4) == 0 {
			number = random.IntN(count)
		}
		pix = append(pix, table[4*number:][:4]...)
	}
	return pix
}

// paletteOf returns colors, a third of which are translucent.
func paletteOf(colors int) [][4]uint8 {
	list := make([][4]uint8, colors)
	for i := range list {
		list[i] = [4]uint8{uint8(i), uint8(7 * i), uint8(255 - i), 255}
		if i%3 == 1 {
			list[i][3] = uint8(i)
		}
	}
	return list
}
