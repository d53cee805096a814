package lossy

import "math/rand/v2"

// scenes lists pictures of all kinds.
var scenes = []struct {
	name  string
	pixel func(random *rand.Rand, x, y int) [4]uint8
}{
	{"black", func(*rand.Rand, int, int) [4]uint8 { return [4]uint8{0, 0, 0, 255} }},
	{"gradients", func(_ *rand.Rand, x, y int) [4]uint8 {
		return [4]uint8{uint8(x * 2), uint8(y * 3), uint8(90 + x - y), 255}
	}},
	{"noise", func(r *rand.Rand, _, _ int) [4]uint8 {
		v := r.Uint32()
		return [4]uint8{uint8(v), uint8(v >> 8), uint8(v >> 16), 255}
	}},
	{"stripes", func(_ *rand.Rand, x, y int) [4]uint8 {
		v := uint8(255 * ((x + y) / 3 & 1))
		return [4]uint8{v, v, 255 - v, 255}
	}},
	{"half noise", func(r *rand.Rand, x, y int) [4]uint8 {
		if x > y {
			return [4]uint8{200, 180, 90, 255}
		}
		v := uint8(r.IntN(120) + x)
		return [4]uint8{v, v / 2, 255 - v, 255}
	}},
	{"terrain", terrain},
	{"holes", func(r *rand.Rand, x, y int) [4]uint8 {
		return [4]uint8{uint8(x), uint8(y), uint8(r.IntN(20)), uint8(255 * (x / 9 & 1))}
	}},
}

// paint returns a picture with gaps between its rows.
func paint(f Format, width, height int, seed uint64, pixel func(*rand.Rand, int, int) [4]uint8) *Image {
	random := rand.New(rand.NewPCG(seed, 1))
	samples := f.samples()
	img := &Image{Format: f, Width: width, Height: height, Stride: width*samples + 5}
	img.Pix = make([]byte, img.Stride*(height-1)+width*samples)
	for y := range height {
		for x := range width {
			p := pixel(random, x, y)
			copy(img.Pix[y*img.Stride+x*samples:][:samples], p[:])
		}
	}
	return img
}

// terrain is a picture with slopes, edges, grain and flat areas.
func terrain(_ *rand.Rand, x, y int) [4]uint8 {
	grain := uint32(x*x*7919+y*104729+x*y*31) * 2654435761 >> 29
	height := (x*x/97 + y*y/131 + x*y/61) & 127
	switch {
	case (x/40+y/56)%5 == 0:
		return [4]uint8{70, 110, 160, 255}
	case (x+2*y)%97 < 4:
		return [4]uint8{230, 225, 210, 255}
	}
	return [4]uint8{uint8(60 + height + int(grain)), uint8(80 + height/2 + int(grain)), uint8(50 + height/3), 255}
}
