package pixels

import (
	"testing"

	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// An image has the levels that all of its components can be reduced to. Coarse components need
// fewer wavelet levels for that.
func TestLevelsOfCoarseComponents(t *testing.T) {
	for _, test := range []struct {
		name       string
		dx, dy     int // of the second component
		levels     int // of its wavelet; the first component has three
		wantLevels int
		reductions []int // of the second component, by level
	}{
		{"as fine", 1, 1, 3, 4, []int{0, 1, 2, 3}},
		{"as fine, with fewer levels", 1, 1, 2, 3, []int{0, 1, 2}},
		{"halved, with one level less", 2, 2, 2, 4, []int{0, 0, 1, 2}},
		{"halved across only", 2, 1, 2, 3, []int{0, 0, 1}},
		{"a quarter, with no level", 4, 4, 0, 3, []int{0, 0, 0}},
	} {
		m := codestreamtest.Header{
			Image: wavelet.Rect{X1: 200, Y1: 100}, Components: jp2ktest.Components(2, 8), Steps: codestreamtest.ReversibleSteps(8, 3),
			Coding: codestreamtest.Coding{Levels: 3},
		}
		m.Components[1].DX, m.Components[1].DY = test.dx, test.dy
		m.Segments = [][]byte{codestreamtest.COC(1, 2, codestreamtest.Coding{Levels: test.levels})}
		o := open(t, codestreamtest.Codestream(m, codestreamtest.TilePart{}))
		if got := len(o.Info().Levels); got != test.wantLevels {
			t.Errorf("%s: %d levels, want %d", test.name, got, test.wantLevels)
		}
		for level, want := range test.reductions {
			if got := o.grid.sampling(1, level).reduction; got != want {
				t.Errorf("%s: level %d uses reduction %d, want %d", test.name, level, got, want)
			}
		}
	}
}

// A tile with fewer levels than the image uses its own samples on the missing levels: for each
// pixel the one at its position.
func TestTilesOfFewerLevels(t *testing.T) {
	m := jp2ktest.RGB()
	m.Components, m.Steps = jp2ktest.Components(1, 8), codestreamtest.ReversibleSteps(8, 2)
	m.Coding.MultipleComponentTransform = false
	const tile = 4
	m.OfTile = map[int]codestreamtest.Coding{tile: {Levels: 0}}
	o := open(t, m.Codestream())
	inside := o.stream.Header().TileRect(tile)
	for level, l := range o.Info().Levels {
		whole, err := o.Window(t.Context(), level, l.Bounds(), nil)
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		for y := range l.Height {
			for x := range l.Width {
				at := o.grid.pixels(level, raster.Rect{X0: x, Y0: y, X1: x + 1, Y1: y + 1})
				gridX, gridY := at.X0<<level, at.Y0<<level
				if gridX < inside.X0 || gridX >= inside.X1 || gridY < inside.Y0 || gridY >= inside.Y1 {
					continue
				}
				compared++
				if got, _ := whole.At(0, x, y); got != float64(m.Sample(0, gridX, gridY)) {
					t.Fatalf("level %d, pixel %d,%d is %v, want %d", level, x, y, got, m.Sample(0, gridX, gridY))
				}
			}
		}
		if minCount := inside.Width() * inside.Height() >> (2*level + 1); compared < minCount {
			t.Errorf("level %d: %d pixels were compared, want more than %d", level, compared, minCount)
		}
	}
}
