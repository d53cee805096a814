package terrain

import (
	"fmt"
	"math"
	"testing"
)

// The results of tiles equal the tiles of the whole result, byte for byte.
func TestTilesJoin(t *testing.T) {
	const width, height = 701, 83
	for _, holes := range []bool{false, true} {
		whole := randomGrid(width, height, holes)
		for mode := ModeHillshade; mode <= ModeContours; mode++ {
			p := DefaultParameters(mode)
			p.Lines.IndexEvery = 5
			want := render(t, &p, whole)
			for _, size := range [][2]int{{1, 1}, {7, 5}, {13, 64}, {255, 31}, {600, 2}} {
				t.Run(fmt.Sprintf("%s holes %t in tiles of %v", mode, holes, size), func(t *testing.T) {
					got := renderTiles(t, &p, whole, size[0], size[1])
					for i := range want {
						if got[i] != want[i] {
							t.Fatalf("pixel %d is %#x, want %#x", i, got[i], want[i])
						}
					}
				})
			}
		}
	}
}

// render returns the bits of the results.
func render(t *testing.T, p *Parameters, grid *Grid) []uint32 {
	t.Helper()
	bits := make([]uint32, (grid.Width-2)*(grid.Height-2))
	if p.Mode.Output() == OutputGray {
		for i, gray := range grays(t, grid, func(dst []uint8) error { return p.Gray(dst, grid) }) {
			bits[i] = uint32(gray)
		}
		return bits
	}
	for i, value := range values(t, grid, func(dst []float32) error { return p.Values(dst, grid) }) {
		bits[i] = math.Float32bits(value)
	}
	return bits
}

func renderTiles(t *testing.T, p *Parameters, whole *Grid, tileWidth, tileHeight int) []uint32 {
	t.Helper()
	width, height := whole.inner()
	bits := make([]uint32, width*height)
	for top := 0; top < height; top += tileHeight {
		for left := 0; left < width; left += tileWidth {
			w, h := min(tileWidth, width-left), min(tileHeight, height-top)
			tile := render(t, p, cut(whole, left, top, w+2, h+2))
			for y := range h {
				copy(bits[(top+y)*width+left:][:w], tile[y*w:])
			}
		}
	}
	return bits
}

func cut(whole *Grid, left, top, width, height int) *Grid {
	g := &Grid{Width: width, Height: height, StepX: whole.StepX[top:][:height], StepY: whole.StepY[top:][:height]}
	for y := range height {
		first := (top+y)*whole.Width + left
		g.Heights = append(g.Heights, whole.Heights[first:][:width]...)
		if whole.Coverage != nil {
			g.Coverage = append(g.Coverage, whole.Coverage[first:][:width]...)
		}
	}
	return g
}
