package terrain

import (
	"math"
	"math/rand/v2"
)

// randomGrid returns noisy hills with different distances in each row. With holes, some single
// heights and a block of heights are missing and NaN.
func randomGrid(width, height int, holes bool) *Grid {
	random := rand.New(rand.NewPCG(uint64(width), uint64(height)))
	g := newGrid(width, height, func(x, y float64) float64 {
		return 300*math.Sin(x/17)*math.Cos(y/11) + 20*random.Float64()
	})
	for y := range height {
		g.StepX[y] = 20 + float64(y)/10
		g.StepY[y] = 21 + float64(y)/13
	}
	if !holes {
		return g
	}
	g.Coverage = make([]uint8, width*height)
	for i := range g.Coverage {
		x, y := i%width, i/width
		inBlock := x > width/3 && x < width/2 && y > height/4 && y < height/2
		if !inBlock && random.IntN(50) != 0 {
			g.Coverage[i] = uint8(1 + random.IntN(255))
		} else {
			g.Heights[i] = float32(math.NaN())
		}
	}
	return g
}

// newGrid samples a surface in pixels one unit apart.
func newGrid(width, height int, surface func(x, y float64) float64) *Grid {
	g := &Grid{Width: width, Height: height, Heights: make([]float32, width*height)}
	for i := range g.Heights {
		g.Heights[i] = float32(surface(float64(i%width), float64(i/width)))
	}
	g.StepX, g.StepY = ones(height), ones(height)
	return g
}

func ones(n int) []float64 {
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	return ones
}
