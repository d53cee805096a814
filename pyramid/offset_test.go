package pyramid_test

import (
	"fmt"
	"math"
	"testing"

	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/pyramid/overview"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
	"tileserver/raster/wrap"
)

// resolutions returns an image whose samples are their positions, with three JPEG 2000 resolutions
// and the given number of built levels.
func resolutions(width, height, left, top int) *overview.Provider {
	info := rastertest.WithResolutions(rastertest.Flat(raster.Float64, width, height, 2, 128, 64), 2, left, top)
	source := &rastertest.Synthetic{Name: "s", Has: info, Sample: rastertest.Ramp(info)}
	return overview.New(blockcache.Wrap(source, blocks()), blocks(), overview.Config{BlockSize: 32, MinSize: 32})
}

// Each resolution lies where its samples do, and so do the levels built from the coarsest. Pixels
// are valid exactly where the image is, whether a level ends before the image or after it.
func TestResolutionsRegister(t *testing.T) {
	for _, size := range [][2]int{{512, 384}, {301, 209}, {257, 34}, {200, 1}} {
		for _, origin := range [][2]int{{0, 0}, {1, 1}, {37, 54}, {1023, 2}} {
			d := resolutions(size[0], size[1], origin[0], origin[1])
			for level, l := range d.Info().Levels {
				for _, resampling := range everyResampling {
					t.Run(fmt.Sprint(size, origin, level, resampling), func(t *testing.T) {
						checkRamp(t, pyramid.New(d), l.ScaleX, level, resampling)
						checkRamp(t, pyramid.New(d), 1.3*l.ScaleX, level, resampling)
					})
				}
			}
		}
	}
}

// checkRamp checks the image and its surroundings in pixels that span the given number of pixels of
// level 0.
func checkRamp(t *testing.T, p *pyramid.Pyramid, span float64, level int, resampling resample.Method) {
	t.Helper()
	levels := p.Provider().Info().Levels
	finest, l := levels[0], levels[level]
	end := func(size int) int { return int(math.Ceil(float64(size)/span)) + 3 }
	view := pyramid.View{
		Lattice: geo.Lattice{ResolutionX: span, ResolutionY: -span}, Resampling: resampling, Alpha: -1,
		Rect: raster.Rect{X0: -3, Y0: -3, X1: end(finest.Width), Y1: end(finest.Height)},
	}
	plan, err := p.Plan(t.Context(), view)
	if err != nil {
		t.Fatal(err)
	}
	if plan.Level != level {
		t.Fatalf("pixels that span %v are read from level %d, want %d", span, plan.Level, level)
	}
	tile := mustRead(t, p, view)
	across := axis{l.Width, l.OffsetX, l.ScaleX, resampling, span != l.ScaleX}
	down := axis{l.Height, l.OffsetY, l.ScaleY, resampling, span != l.ScaleX}
	for row := range tile.Height() {
		for column := range tile.Width() {
			x, y := (float64(view.Rect.X0+column)+0.5)*span, (float64(view.Rect.Y0+row)+0.5)*span
			gotX, coverage := tile.At(0, column, row)
			gotY, _ := tile.At(1, column, row)
			if inside := x >= 0 && y >= 0 && x < float64(finest.Width) && y < float64(finest.Height); inside != (coverage == raster.Valid) || !inside && coverage != 0 {
				t.Fatalf("what lies at %v,%v of %dx%d is covered by %d", x, y, finest.Width, finest.Height, coverage)
			} else if inside && (math.Abs(gotX-x) > across.tolerance(x) || math.Abs(gotY-y) > down.tolerance(y)) {
				t.Fatalf("what lies at %v,%v seems to lie at %v,%v", x, y, gotX, gotY)
			}
		}
	}
}

// axis is one axis of a level.
type axis struct {
	pixels        int
	offset, scale float64
	resampling    resample.Method
	widened       bool // kernels are widened
}

// tolerance returns a hundredth of a level pixel for kernels that reproduce straight lines, as long
// as all pixels under the kernel exist.
func (a axis) tolerance(at float64) float64 {
	const reach = 6 // of the widest kernel, plus half a pixel, since the last pixel of a level may cover a single column
	position := (at - a.offset) / a.scale
	switch {
	case position < reach || position > float64(a.pixels)-reach:
		return 1.5 * a.scale
	case a.resampling == resample.Nearest || a.resampling == resample.Average:
		return 0.51 * a.scale
	case a.resampling == resample.Lanczos || a.resampling == resample.Cubic && a.widened:
		return 0.03 * a.scale
	}
	return 0.01 * a.scale
}

// The stored orientation does not shift positions.
func TestTurnedResolutionsRegister(t *testing.T) {
	for orientation := uint8(1); orientation <= 8; orientation++ {
		t.Run(fmt.Sprint(orientation), func(t *testing.T) {
			info := rastertest.WithResolutions(rastertest.Flat(raster.Float64, 301, 222, 2, 64, 32), 3, 37, 2)
			info.Orientation = orientation
			ramp := rastertest.Ramp(info)
			source := &rastertest.Synthetic{Name: "s", Has: info, Sample: func(level, band, x, y int) (float64, bool) {
				across, _ := ramp(level, 0, x, y)
				down, _ := ramp(level, 1, x, y)
				shownX, shownY := shownPlace(orientation, across, down, 301, 222)
				return []float64{shownX, shownY}[band], true
			}}
			p := pyramid.New(wrap.Orient(source))
			for level, l := range p.Provider().Info().Levels {
				checkRamp(t, p, l.ScaleX, level, resample.Bilinear)
				checkRamp(t, p, l.ScaleX, level, resample.Cubic)
			}
		})
	}
}

// shownPlace is shownAt for positions between pixels.
func shownPlace(orientation uint8, x, y, width, height float64) (float64, float64) {
	fromRight, fromBottom := width-x, height-y
	return [...]float64{0, x, fromRight, fromRight, x, y, fromBottom, fromBottom, y}[orientation],
		[...]float64{0, y, y, fromBottom, fromBottom, x, x, fromRight, fromRight}[orientation]
}

// Levels that begin and end with the image also do so when mirrored, although 13 times 27/13
// differs from 27 in the last bit.
func TestTurnedOverviewsHaveNoOffset(t *testing.T) {
	for orientation := uint8(1); orientation <= 8; orientation++ {
		info := rastertest.Flat(raster.Uint8, 27, 29, 1, 16, 8)
		info.Levels = append(info.Levels, raster.Level{Width: 13, Height: 14, BlockWidth: 8, BlockHeight: 4, ScaleX: 27.0 / 13, ScaleY: 29.0 / 14})
		info.Orientation = orientation
		for n, l := range wrap.Orient(&rastertest.Synthetic{Name: "s", Has: info}).Info().Levels {
			if l.OffsetX != 0 || l.OffsetY != 0 {
				t.Errorf("orientation %d: level %d lies at %v,%v", orientation, n, l.OffsetX, l.OffsetY)
			}
		}
	}
}

// Resolutions also cover a view with Whole completely, and the view ends with the image.
func TestWholePixelsOfResolutions(t *testing.T) {
	for _, size := range [][2]int{{601, 499}, {608, 512}, {1025, 3}, {1, 1}, {1, 700}, {513, 33}} {
		for _, origin := range [][2]int{{0, 0}, {1, 1}, {37, 53}, {7, 1023}} {
			info := rastertest.WithResolutions(rastertest.Flat(raster.Uint8, size[0], size[1], 1, 128, 64), 3, origin[0], origin[1])
			if last := info.Levels[3]; last.Width == 0 || last.Height == 0 {
				continue
			}
			solid := &rastertest.Synthetic{Name: "solid", Has: info, Sample: func(int, int, int, int) (float64, bool) { return 77, true }}
			p := pyramid.New(solid)
			for _, halvings := range []int{0, 1, 2, 3, 6, 11} {
				for _, resampling := range everyResampling {
					t.Run(fmt.Sprint(size, origin, halvings, resampling), func(t *testing.T) {
						view := wholeView(size[0], size[1], halvings, resampling)
						checkSolid(t, mustRead(t, p, view), 77)
						checkEnd(t, p, view)
						view.Rect.X0, view.Rect.Y0 = view.Rect.X1-1, view.Rect.Y1-1
						checkSolid(t, mustRead(t, p, view), 77)
					})
				}
			}
		}
	}
}

// checkEnd fails if anything is visible beyond the pixels of a view.
func checkEnd(t *testing.T, p *pyramid.Pyramid, view pyramid.View) {
	t.Helper()
	for name, rect := range map[string]raster.Rect{
		"right": {X0: view.Rect.X1, X1: view.Rect.X1 + 3, Y1: view.Rect.Y1},
		"below": {Y0: view.Rect.Y1, Y1: view.Rect.Y1 + 3, X1: view.Rect.X1},
		"left":  {X0: -3, X1: 0, Y1: view.Rect.Y1},
	} {
		view.Rect = rect
		tile := mustRead(t, p, view)
		for y := range tile.Height() {
			for x := range tile.Width() {
				if _, coverage := tile.At(0, x, y); coverage != 0 {
					t.Fatalf("%s of the image, pixel %d,%d is covered by %d", name, x, y, coverage)
				}
			}
		}
	}
}

// The area inside the image but outside the level's pixels is a small view of its own. It must use
// the nearest block.
func TestRimsOfResolutions(t *testing.T) {
	for _, origin := range []int{0, 1, 3, 4, 5, 7} {
		info := rastertest.WithResolutions(rastertest.Flat(raster.Uint8, 129, 129, 1, 16, 16), 3, origin, origin)
		solid := &rastertest.Synthetic{Name: "solid", Has: info, Sample: func(int, int, int, int) (float64, bool) { return 77, true }}
		p := pyramid.New(solid)
		for _, resampling := range everyResampling {
			for _, at := range []float64{0.01, 0.3, 128.7, 128.99} {
				view := pyramid.View{
					Lattice: geo.Lattice{OriginX: at - 4, OriginY: at - 4, ResolutionX: 8, ResolutionY: -8}, Resampling: resampling, Alpha: -1,
					Rect: raster.Rect{X1: 1, Y1: 1},
				}
				if value, coverage := mustRead(t, p, view).At(0, 0, 0); value != 77 || coverage != raster.Valid {
					t.Errorf("%v, image at %d: what lies at %v is %v, covered by %d", resampling, origin, at, value, coverage)
				}
			}
		}
	}
}
