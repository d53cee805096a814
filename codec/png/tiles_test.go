package png

import (
	"math"
	"math/rand/v2"
)

// photograph returns a packed tile that compresses like an aerial photograph: noise of several
// octaves, an edge between two kinds of ground, and sensor noise in every sample.
func photograph(width, height, channels int, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 1))
	ground := valueNoise(random)
	tint := valueNoise(random)
	pix := make([]byte, 0, width*height*channels)
	for y := range height {
		for x := range width {
			level := 110 + 70*ground(float64(x), float64(y))
			if math.Sin(float64(x)/23)+math.Cos(float64(y)/31) > 0.7 {
				level += 45
			}
			shade := 20 * tint(float64(x), float64(y))
			for channel := range channels {
				value := level + shade*float64(channel-1) + 3.5*random.NormFloat64()
				pix = append(pix, byte(min(max(value, 0), 255)))
			}
		}
	}
	return pix
}

// valueNoise returns a function of position with values around 0 and four octaves of detail.
func valueNoise(random *rand.Rand) func(x, y float64) float64 {
	var lattice [64 * 64]float64
	for i := range lattice {
		lattice[i] = 2*random.Float64() - 1
	}
	at := func(x, y int) float64 { return lattice[y&63*64+x&63] }
	return func(x, y float64) float64 {
		value, amplitude := 0.0, 0.5
		for cell := 48.0; cell >= 6; cell /= 2 {
			u, v := x/cell, y/cell
			i, j := int(u), int(v)
			u, v = u-float64(i), v-float64(j)
			top := at(i, j)*(1-u) + at(i+1, j)*u
			bottom := at(i, j+1)*(1-u) + at(i+1, j+1)*u
			value += amplitude * (top*(1-v) + bottom*v)
			amplitude *= 0.6
		}
		return value
	}
}

// chart returns a packed tile like a drawn map: areas, roads and a grid in few colors.
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
	return pix
}

// photographInEmptiness returns an RGBA tile that is transparent beyond a slanted edge.
func photographInEmptiness(width, height int, seed uint64) []byte {
	pix := photograph(width, height, 4, seed)
	for y := range height {
		for x := range width {
			pixel := pix[(y*width+x)*4:][:4]
			pixel[3] = 255
			if x+y/3 > width*3/5 {
				clear(pixel)
			}
		}
	}
	return pix
}

// elevation returns a packed tile of a smooth surface: gray with 8 or 16 bits, or 256 colors that
// blend into each other.
func elevation(width, height, bytesPerPixel int) []byte {
	surface := valueNoise(rand.New(rand.NewPCG(11, 1)))
	pix := make([]byte, 0, width*height*bytesPerPixel)
	for y := range height {
		for x := range width {
			level := uint16(32768 + 20000*surface(float64(x)/3, float64(y)/3))
			high := byte(level >> 8)
			switch bytesPerPixel {
			case 1:
				pix = append(pix, high)
			case 2:
				pix = append(pix, high, byte(level))
			default:
				pix = append(pix, high, byte(int(high)*int(high)/255), 255-high)
			}
		}
	}
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
