package encoder

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
)

// photograph returns a packed tile that compresses like an aerial photograph: noise of several
// octaves, an edge between two kinds of ground, and sensor noise.
func photograph(width, height, channels int, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 1))
	ground, tint := valueNoise(random), valueNoise(random)
	pix := make([]byte, 0, width*height*channels)
	for y := range height {
		for x := range width {
			level := 110 + 70*ground(float64(x), float64(y))
			if math.Sin(float64(x)/23)+math.Cos(float64(y)/31) > 0.7 {
				level += 45
			}
			level += 4 * random.NormFloat64()
			shade := 20 * tint(float64(x), float64(y))
			for channel := range channels {
				value := level + shade*float64(channel-1) + random.NormFloat64()
				pix = append(pix, byte(min(max(value, 0), 255)))
			}
		}
	}
	return pix
}

// valueNoise returns a function of position with values around 0 and five octaves of detail.
func valueNoise(random *rand.Rand) func(x, y float64) float64 {
	var lattice [64 * 64]float64
	for i := range lattice {
		lattice[i] = 2*random.Float64() - 1
	}
	at := func(x, y int) float64 { return lattice[y&63*64+x&63] }
	return func(x, y float64) float64 {
		value, amplitude := 0.0, 0.5
		for cell := 48.0; cell >= 3; cell /= 2 {
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

func noise(length int, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 2))
	pix := make([]byte, length)
	for i := range pix {
		pix[i] = byte(random.Uint32())
	}
	return pix
}

// packed returns an Image of packed pixels.
func packed(format Format, width, height int, pix []byte) *Image {
	return &Image{Format: format, Width: width, Height: height, Stride: width * format.bytesPerPixel(), Pix: pix}
}

// standardImage returns the same pixels in the type that image/jpeg encodes fastest.
func standardImage(img *Image) image.Image {
	bounds := image.Rect(0, 0, img.Width, img.Height)
	if img.Format == Gray {
		return &image.Gray{Pix: img.Pix, Stride: img.Stride, Rect: bounds}
	}
	picture := image.NewRGBA(bounds)
	for y := range img.Height {
		for x := range img.Width {
			pixel := img.Pix[y*img.Stride+3*x:]
			picture.SetRGBA(x, y, color.RGBA{R: pixel[0], G: pixel[1], B: pixel[2], A: 255})
		}
	}
	return picture
}

// psnr returns the peak signal-to-noise ratio of two pictures over all samples, in dB.
func psnr(got, want image.Image) float64 {
	bounds := want.Bounds()
	squares, count := 0.0, 0.0
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			r, g, b, _ := got.At(x, y).RGBA()
			wantR, wantG, wantB, _ := want.At(x, y).RGBA()
			for _, pair := range [][2]uint32{{r, wantR}, {g, wantG}, {b, wantB}} {
				difference := float64(pair[0]>>8) - float64(pair[1]>>8)
				squares += difference * difference
				count++
			}
		}
	}
	return 10 * math.Log10(255*255*count/squares)
}
