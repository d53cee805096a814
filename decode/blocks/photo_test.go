package blocks

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
)

// photo returns a picture with soft shapes, edges and noise.
func photo(width, height int) *image.RGBA {
	random := rand.New(rand.NewPCG(1, 2))
	p := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			fx, fy := float64(x), float64(y)
			base := 110 + 60*math.Sin(fx/37)*math.Cos(fy/23) + 30*math.Sin((fx+2*fy)/9)
			if (x/61+y/47)%3 == 0 {
				base -= 40
			}
			noise := random.Float64()*16 - 8
			p.SetRGBA(x, y, color.RGBA{
				clampFloat(base + noise + 20*math.Sin(fy/51)),
				clampFloat(base*0.9 + noise + 15*math.Cos(fx/71)),
				clampFloat(base*0.7 + noise + 25*math.Sin((fx-fy)/41)), 255})
		}
	}
	return p
}

func clampFloat(v float64) uint8 { return uint8(min(max(v, 0), 255)) }

func grayPhoto(width, height int) *image.Gray {
	p := image.NewGray(image.Rect(0, 0, width, height))
	colors := photo(width, height)
	for i := range p.Pix {
		p.Pix[i] = colors.Pix[4*i]
	}
	return p
}
