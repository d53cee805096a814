package jp2k

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/raster"
)

// windowsOfEach is the number of windows to compare per level, and maxWindowSide is their maximum
// side.
const (
	windowsOfEach = 3
	maxWindowSide = 120
)

// Every window of every file, at every resolution, equals that part of the whole level, bit for
// bit.
func TestWindowsOfEveryFile(t *testing.T) {
	root := realFolder(t)
	for _, file := range expectedFiles(t, root, "jp2k") {
		if _, rejected := rejectedFiles[file.Path]; rejected {
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
					rect := raster.Rect{X0: x, Y0: y, X1: x + 1 + random.IntN(maxWindowSide), Y1: y + 1 + random.IntN(maxWindowSide)}.Intersect(l.Bounds())
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

// firstDifference returns the first position where a window differs from the whole level, whose
// rows have the given width.
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
