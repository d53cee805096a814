package jp2k

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/raster"
)

const (
	windowsOfEach = 3   // the number of windows to compare per level
	maxWindowSide = 120 // their maximum side

	// maxWholeSamples is the maximum size of a level that is read as a whole. Of a larger one, the corner
	// farthest from the origin is read.
	maxWholeSamples = 1 << 28
	cornerSide      = 4096
)

// Every window of every file, at every resolution, equals that part of the whole level, bit for bit.
// Of the largest level, a corner stands for the whole, all of which TestRealFiles compares.
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
				read := l.Bounds()
				if l.Width*l.Height > maxWholeSamples {
					read.X0, read.Y0 = l.Width-cornerSide, l.Height-cornerSide
				}
				want := mustWindow(t, whole, level, read)
				for range windowsOfEach {
					x, y := read.X0+random.IntN(read.Width()), read.Y0+random.IntN(read.Height())
					rect := raster.Rect{X0: x, Y0: y, X1: x + 1 + random.IntN(maxWindowSide), Y1: y + 1 + random.IntN(maxWindowSide)}.Intersect(read)
					got := mustWindow(t, parts, level, rect)
					if at, ok := firstDifference(area{rect, got}, area{read, want}); ok {
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

// area is a part of a level, or all of it.
type area struct {
	raster.Rect
	tile raster.Tile
}

// firstDifference returns the first position where a window differs from an area that contains it.
func firstDifference(window, whole area) (at [2]int, differs bool) {
	size := window.tile.Type().Size()
	for band := range window.tile.Bands() {
		got, want := window.tile.Plane(band), whole.tile.Plane(band)
		covered, coverage := window.tile.Validity(band), whole.tile.Validity(band)
		isValid := func(plane []uint8, i int) bool { return plane == nil || plane[i] == raster.Valid }
		for y := window.Y0; y < window.Y1; y++ {
			for x := window.X0; x < window.X1; x++ {
				i, j := window.index(x, y), whole.index(x, y)
				if string(got[i*size:(i+1)*size]) != string(want[j*size:(j+1)*size]) || isValid(covered, i) != isValid(coverage, j) {
					return [2]int{x, y}, true
				}
			}
		}
	}
	return at, false
}

// index returns where a pixel of the level is in the planes of the area.
func (a area) index(x, y int) int { return (y-a.Y0)*a.Width() + x - a.X0 }
