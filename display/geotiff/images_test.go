package geotiff

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
)

// noiseBytes returns random bytes.
func noiseBytes(n int, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 1))
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(random.Uint32())
	}
	return out
}

// patchyCoverage returns coverage of all values, in runs.
func patchyCoverage(n int, seed uint64) []uint8 {
	plane := noiseBytes(n, seed)
	for i := range plane {
		switch i / 5 % 3 {
		case 0:
			plane[i] = 0
		case 1:
			plane[i] = 255
		}
	}
	return plane
}

func noisyImage(kind Type, width, height, bands int) *Image {
	img := &Image{Type: kind, Width: width, Height: height}
	for i := range bands {
		img.Bands = append(img.Bands, Band{Samples: noiseBytes(width*height*kind.Size(), uint64(i)+1)})
	}
	return img
}

// terrain returns Float32 heights with measurement noise, like those of an elevation model.
func terrain(side int, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 2))
	var out []byte
	for y := range side {
		for x := range side {
			height := 800 + 300*math.Sin(float64(x)/97+float64(seed)) + 200*math.Cos(float64(y)/61) + 0.2*random.NormFloat64()
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(height)))
		}
	}
	return out
}

// reflectances returns Uint16 samples like those of a satellite band.
func reflectances(side int, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 3))
	var out []byte
	for y := range side {
		for x := range side {
			value := 2000 + 700*math.Sin(float64(x)/13+float64(seed)) + 500*math.Cos(float64(y)/17) + 40*random.NormFloat64()
			out = binary.LittleEndian.AppendUint16(out, uint16(value))
		}
	}
	return out
}
