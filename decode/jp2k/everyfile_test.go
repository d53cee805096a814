package jp2k

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/raster"
)

// windowsOfEach is how many windows of each level are compared, and mostWindowSide how large they are.
const (
	windowsOfEach  = 3
	mostWindowSide = 120
)

// Every window of every file, at every resolution, is the part of the whole that it is, bit for bit: whatever
// there is beside it to be decoded.
func TestWindowsOfEveryFile(t *testing.T) {
	root := realFolder(t)
	for _, file := range expectedFiles(t, root, "jp2k") {
		if _, refused := refusedFiles[file.Path]; refused {
			continue
		}
		t.Run(strings.ReplaceAll(file.Path, "/", " "), func(t *testing.T) {
			t.Parallel()
			open := func() *Image {
				f, err := openReal(t.Context(), t, filepath.Join(root, filepath.FromSlash(file.Path)))
				if err != nil {
					t.Fatal(err)
				}
				return f.image
			}
			random := rand.New(rand.NewPCG(11, uint64(len(file.Path))))
			whole, parts := open(), open() // which share nothing
			for level, l := range whole.Info().Levels {
				want := mustWindow(t, whole, level, l.Bounds())
				for range windowsOfEach {
					x, y := random.IntN(l.Width), random.IntN(l.Height)
					rect := raster.Rect{X0: x, Y0: y, X1: x + 1 + random.IntN(mostWindowSide), Y1: y + 1 + random.IntN(mostWindowSide)}.Intersect(l.Bounds())
					got := mustWindow(t, parts, level, rect)
					if at, ok := firstDifference(got, want, rect, l.Width); ok {
						t.Fatalf("level %d, pixels %v: pixel %d,%d is another one than in the whole", level, rect, at[0], at[1])
					}
				}
			}
		})
	}
}

func mustWindow(t *testing.T, m *Image, level int, rect raster.Rect) raster.Tile {
	t.Helper()
	tile, err := m.Window(t.Context(), level, rect, nil)
	if err != nil {
		t.Fatalf("level %d, pixels %v: %v", level, rect, err)
	}
	return tile
}

// firstDifference is where a window is not the part of a whole, whose rows are so wide, that it lies in.
func firstDifference(window, whole raster.Tile, rect raster.Rect, width int) (at [2]int, differs bool) {
	size := window.Type().Size()
	for band := range window.Bands() {
		got, want := window.Plane(band), whole.Plane(band)
		covered, coverage := window.Validity(band), whole.Validity(band)
		isValid := func(plane []uint8, i int) bool { return plane == nil || plane[i] == raster.Valid }
		for y := range rect.Height() {
			for x := range rect.Width() {
				i, j := y*rect.Width()+x, (rect.Y0+y)*width+rect.X0+x
				if string(got[i*size:(i+1)*size]) != string(want[j*size:(j+1)*size]) || isValid(covered, i) != isValid(coverage, j) {
					return [2]int{rect.X0 + x, rect.Y0 + y}, true
				}
			}
		}
	}
	return at, false
}
