package walk

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/geo"
)

// whole is the limits of a square of twice as many tiles for each zoom.
func whole(zoom int) (Box, bool) { return Box{X1: 1 << zoom, Y1: 1 << zoom}, zoom <= 12 }

// A viewer shows a view of a map, and asks for what it has not.
type viewer struct {
	walk   Walk
	limits Limits
	random *rand.Rand
	has    map[geo.TileID]bool
}

func newViewer() *viewer {
	return &viewer{limits: whole, random: rand.New(rand.NewPCG(1, 2)), has: make(map[geo.TileID]bool)}
}

// show asks for the tiles of a view in any order, and returns those asked for and those predicted after them.
func (v *viewer) show(zoom int, b Box) (asked, predicted []geo.TileID) {
	there, _ := v.limits(zoom)
	b.intersect(there).each(func(x, y int) {
		if t := (geo.TileID{Z: zoom, X: x, Y: y}); !v.has[t] {
			asked = append(asked, t)
		}
	})
	v.random.Shuffle(len(asked), func(i, j int) { asked[i], asked[j] = asked[j], asked[i] })
	for _, t := range asked {
		v.has[t] = true
		v.walk.Ask(t)
	}
	return asked, v.walk.Pause(v.limits)
}

// hits returns how many of the tiles were predicted.
func hits(asked, predicted []geo.TileID) (count int) {
	for _, t := range asked {
		if slices.Contains(predicted, t) {
			count++
		}
	}
	return count
}

func TestAPanIsPredictedOnceItsDirectionIsKnown(t *testing.T) {
	for _, step := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}, {2, 0}, {-3, 0}, {0, 2}, {0, -3}, {2, 1}, {-3, -2}} {
		t.Run(fmt.Sprint(step), func(t *testing.T) {
			v, view := newViewer(), Box{500, 600, 505, 604}
			_, predicted := v.show(10, view)
			if len(predicted) != 0 {
				t.Errorf("%v are predicted before anything moves", predicted)
			}
			for pan := range 6 {
				view = view.shifted(step[0], step[1])
				var asked []geo.TileID
				before := predicted
				asked, predicted = v.show(10, view)
				if n := hits(asked, before); pan > 0 && (n != len(asked) || len(before) != len(asked)) {
					t.Errorf("pan %d: %d of %d tiles were predicted, by %d predictions", pan+1, n, len(asked), len(before))
				}
			}
		})
	}
}

func TestAfterATurnTheNewDirectionIsPredicted(t *testing.T) {
	v, view := newViewer(), Box{500, 600, 505, 604}
	v.show(10, view)
	_, predicted := v.show(10, view.shifted(1, 0))
	if want := tiles(10, Box{506, 600, 507, 604}); !sameTiles(predicted, want) {
		t.Errorf("after a pan to the right %v are predicted, want %v", predicted, want)
	}
	_, predicted = v.show(10, view.shifted(1, 2))
	if want := tiles(10, Box{501, 606, 506, 608}); !sameTiles(predicted, want) {
		t.Errorf("after a pan down %v are predicted, want %v", predicted, want)
	}
	if first := predicted[0].Y; first != 606 {
		t.Errorf("the first one is in row %d, but the next row is 606", first)
	}
}

func TestAfterZoomingInTheMiddleOfTheNextZoomIsPredicted(t *testing.T) {
	v := newViewer()
	_, predicted := v.show(8, Box{100, 100, 105, 104})
	for zoom, view := 9, (Box{100, 100, 105, 104}).magnified(); zoom < 12; zoom, view = zoom+1, view.magnified() {
		before := predicted
		var asked []geo.TileID
		asked, predicted = v.show(zoom, view)
		if n := hits(asked, before); zoom > 9 && n != len(asked) {
			t.Errorf("zoom %d: %d of %d tiles were predicted", zoom, n, len(asked))
		}
		if len(predicted) != 20 || predicted[0].Z != zoom+1 {
			t.Errorf("zoom %d: %v are predicted", zoom, predicted)
		}
	}
	if _, predicted = v.show(11, Box{900, 900, 905, 904}); len(predicted) != 0 {
		t.Errorf("after a jump %v are predicted", predicted)
	}
}

func TestZoomingOutPredictsNothing(t *testing.T) {
	v := newViewer()
	v.show(9, Box{100, 100, 105, 104})
	if _, predicted := v.show(8, Box{49, 49, 54, 53}); len(predicted) != 0 {
		t.Errorf("%v are predicted", predicted)
	}
}

// A view may come in pieces, if the network is slow.
func TestAViewInTwoBurstsIsOne(t *testing.T) {
	v := newViewer()
	v.show(10, Box{501, 601, 504, 603})
	if _, predicted := v.show(10, Box{500, 600, 505, 604}); len(predicted) != 0 {
		t.Errorf("%v are predicted", predicted)
	}
	if _, predicted := v.show(10, Box{501, 600, 506, 604}); !sameTiles(predicted, tiles(10, Box{506, 600, 507, 604})) {
		t.Errorf("%v are predicted", predicted)
	}
}

// At the edge of the map there is nothing beyond.
func TestNothingIsPredictedBeyondTheLimits(t *testing.T) {
	v := newViewer()
	v.show(4, Box{9, 0, 14, 4})
	if _, predicted := v.show(4, Box{10, 0, 15, 4}); !sameTiles(predicted, tiles(4, Box{15, 0, 16, 4})) {
		t.Errorf("before the last column %v are predicted", predicted)
	}
	if _, predicted := v.show(4, Box{11, 0, 16, 4}); len(predicted) != 0 {
		t.Errorf("at the last column %v are predicted", predicted)
	}
	v = newViewer()
	v.show(11, Box{100, 100, 105, 104})
	v.show(12, Box{100, 100, 105, 104}.magnified().shifted(0, 0))
	if _, predicted := v.show(12, (Box{100, 100, 105, 104}).magnified()); len(predicted) != 0 {
		t.Errorf("at the last zoom %v are predicted", predicted)
	}
}

func TestWhatDoesNotLookLikeAViewerIsNotPredicted(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for name, burst := range map[string]func(i int) []geo.TileID{
		"one tile at random": func(int) []geo.TileID { return []geo.TileID{{Z: 10, X: random.IntN(1024), Y: random.IntN(1024)}} },
		"ten tiles at random": func(int) []geo.TileID {
			var all []geo.TileID
			for range 10 {
				all = append(all, geo.TileID{Z: 10, X: random.IntN(1024), Y: random.IntN(1024)})
			}
			return all
		},
		"row by row, a tile at a time":    func(i int) []geo.TileID { return []geo.TileID{{Z: 10, X: i % 1024, Y: i / 1024}} },
		"row by row, ten at a time":       func(i int) []geo.TileID { return tiles(10, Box{i * 10 % 1000, i / 100, i*10%1000 + 10, i/100 + 1}) },
		"row by row, whole rows":          func(i int) []geo.TileID { return tiles(10, Box{0, i, 1024, i + 1}) },
		"column by column, ten at a time": func(i int) []geo.TileID { return tiles(10, Box{i / 100, i * 10 % 1000, i/100 + 1, i*10%1000 + 10}) },
		"squares of eight by eight":       func(i int) []geo.TileID { return tiles(10, Box{i * 8 % 1024, i / 128 * 8, i*8%1024 + 8, i/128*8 + 8}) },
		"a whole zoom":                    func(i int) []geo.TileID { return tiles(i%6+5, Box{0, 0, 1 << (i%6 + 5), 1 << (i%6 + 5)}) },
	} {
		var w Walk
		for i := range 50 {
			for _, tile := range burst(i) {
				w.Ask(tile)
			}
			if predicted := w.Pause(whole); len(predicted) != 0 {
				t.Errorf("%s: after burst %d, %v are predicted", name, i+1, predicted)
				break
			}
		}
	}
}

func TestWhatIsElsewhereIsNotExpected(t *testing.T) {
	v := newViewer()
	v.show(10, Box{500, 600, 505, 604})
	v.show(10, Box{501, 600, 506, 604})
	for _, test := range []struct {
		tile geo.TileID
		want bool
	}{
		{geo.TileID{Z: 10, X: 506, Y: 602}, true}, {geo.TileID{Z: 10, X: 503, Y: 602}, true}, {geo.TileID{Z: 10, X: 507, Y: 602}, false},
		{geo.TileID{Z: 10, X: 503, Y: 604}, false}, {geo.TileID{Z: 11, X: 503, Y: 602}, false},
	} {
		if got := v.walk.Ask(test.tile); got != test.want {
			t.Errorf("%v is expected: %t", test.tile, got)
		}
	}
}

// Whatever is asked for, what is predicted was not asked for lately, is within the limits, and is little.
func TestPredictionsAreNewAndWithinTheLimits(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	limits := func(zoom int) (Box, bool) {
		if zoom > 7 {
			return Box{}, false
		}
		return Box{1, 2, 1<<zoom - 1, 1 << zoom}, true
	}
	predictions := 0
	for range 200 {
		v := newViewer()
		v.limits = limits
		zoom, view := 4+random.IntN(3), Box{0, 0, 2 + random.IntN(6), 2 + random.IntN(6)}.shifted(random.IntN(9), random.IntN(9))
		for range 30 {
			if random.IntN(5) == 0 {
				v.walk.Ask(geo.TileID{Z: random.IntN(8), X: random.IntN(20), Y: random.IntN(20)})
			}
			switch random.IntN(6) {
			case 0:
				zoom, view = zoom+1, view.magnified()
			default:
				view = view.shifted(random.IntN(5)-2, random.IntN(5)-2)
			}
			_, predicted := v.show(zoom, view)
			predictions += len(predicted)
			checkPredictions(t, &v.walk, limits, predicted)
		}
	}
	if predictions == 0 {
		t.Error("nothing was predicted")
	}
}

func checkPredictions(t *testing.T, w *Walk, limits Limits, predicted []geo.TileID) {
	t.Helper()
	if len(predicted) > maxTiles {
		t.Errorf("%d tiles are predicted", len(predicted))
	}
	for i, tile := range predicted {
		there, ok := limits(tile.Z)
		if !ok || !there.contains(tile.X, tile.Y) || w.HasAsked(tile) || slices.Contains(predicted[:i], tile) {
			t.Fatalf("%v is predicted", tile)
		}
	}
}

func tiles(zoom int, b Box) (all []geo.TileID) {
	b.each(func(x, y int) { all = append(all, geo.TileID{Z: zoom, X: x, Y: y}) })
	return all
}

func sameTiles(a, b []geo.TileID) bool { return len(a) == len(b) && hits(a, b) == len(a) }

func BenchmarkAsk(b *testing.B) {
	var w Walk
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		w.Ask(geo.TileID{Z: 10, X: 500 + i&3, Y: 600 + i>>2&3})
	}
}
