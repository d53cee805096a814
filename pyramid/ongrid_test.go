package pyramid

import (
	"math/rand/v2"
	"testing"

	"tileserver/raster"
)

// Every cell that isSurelyOnGrid accepts is on the grid, row by row. It accepts the cells of real
// views that are on the grid.
func TestPlainlyOnGrid(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 8))
	slowly := func(k *cell) bool {
		for y := k.rect.Y0; y < k.rect.Y1; y++ {
			l := k.line(y)
			for x := k.rect.X0; x < k.rect.X1; x++ {
				u, v := l.at(x - k.x)
				if offGrid(u-halfPixel) >= halfPhase || offGrid(v-halfPixel) >= halfPhase {
					return false
				}
			}
		}
		return true
	}
	plain := 0
	for range 20000 {
		shift := uint(random.IntN(9))
		side := 1 << shift
		corner := func(x, y float64) node { return node{u: x, v: y} }
		x0, y0 := float64(random.IntN(1000))+0.5, float64(random.IntN(1000))+0.5
		noise := func() float64 {
			return [...]float64{0, 1e-9, 1e-5, 0.01, 0.5}[random.IntN(5)] * (random.Float64() - 0.5)
		}
		size := float64(side)
		var nine [9]node
		nine[0], nine[2] = corner(x0+noise(), y0+noise()), corner(x0+size+noise(), y0+noise())
		nine[6], nine[8] = corner(x0+noise(), y0+size+noise()), corner(x0+size+noise(), y0+size+noise())
		left, top := random.IntN(side), random.IntN(side)
		rect := raster.Rect{X0: 100 + left, Y0: 50 + top, X1: 100 + left + 1 + random.IntN(side-left), Y1: 50 + top + 1 + random.IntN(side-top)}
		k := newCell(rect, 100, 50, shift, &nine)
		if !k.isSurelyOnGrid() {
			continue
		}
		plain++
		if !slowly(&k) {
			t.Fatalf("%+v is plainly on the grid, and is not on it", k)
		}
	}
	if plain < 100 {
		t.Errorf("only %d cells are plainly on the grid", plain)
	}
	nine := [9]node{0: {u: 512.5, v: 1024.5}, 2: {u: 768.5, v: 1024.5}, 6: {u: 512.5, v: 1280.5}, 8: {u: 768.5, v: 1280.5}}
	exact := newCell(raster.Rect{X1: 256, Y1: 256}, 0, 0, 8, &nine)
	if !exact.isSurelyOnGrid() {
		t.Error("a block of the image's own pixels is not plainly on the grid")
	}
}
