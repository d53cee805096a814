package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"path/filepath"
	"runtime"
	"testing"
)

// smallWidth is a width at which all parts of the map exist and generation is quick.
const smallWidth = 324

func TestGenerateIsTheSameOnAnyNumberOfCores(t *testing.T) {
	generated := func(cores int) (files [][]byte) {
		before := runtime.GOMAXPROCS(cores)
		defer runtime.GOMAXPROCS(before)
		for _, file := range newScene(smallWidth).files()[:2] { // the sheet is slow
			data, err := file.encode()
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, data)
		}
		return files
	}
	one, many := generated(1), generated(5)
	for i := range one {
		if !bytes.Equal(one[i], many[i]) {
			t.Errorf("file %d: one core made %d bytes and five made %d, or other ones", i, len(one[i]), len(many[i]))
		}
		if got, want := binary.LittleEndian.Uint32(one[i]), uint32(0x002A4949); got != want {
			t.Errorf("file %d begins with %#x, want that of a TIFF, %#x", i, got, want)
		}
	}
}

func TestGenerateSaysWhyItCannotWrite(t *testing.T) {
	if err := generate(filepath.Join(t.TempDir(), "missing", "map.tif"), 64); err == nil {
		t.Error("no error for a folder that does not exist")
	}
}

func TestWaterFlowsDownToTheSea(t *testing.T) {
	world := wear(finestCells(smallWidth))
	total := 0.0
	for cell := range world.sea {
		if own := world.flow.receiver[cell]; own == int32(cell) != world.sea[cell] {
			t.Fatalf("cell %d: sea is %v, and it drains to %d", cell, world.sea[cell], own)
		}
		steps := 0
		for at := cell; !world.sea[at]; steps++ {
			next := int(world.flow.receiver[at])
			if world.filled.values[next] >= world.filled.values[at] {
				t.Fatalf("from cell %d, water goes up from %v to %v", cell, world.filled.values[at], world.filled.values[next])
			}
			at = next
		}
		if world.sea[cell] {
			total += float64(world.flow.drained[cell])
		}
	}
	// All rain reaches the sea.
	if got, want := total, ground.width*ground.height; math.Abs(got/want-1) > 1e-3 {
		t.Errorf("the sea gets the water of %v square meters, want %v", got, want)
	}
}

func TestMountainsAndEdges(t *testing.T) {
	world := wear(finestCells(smallWidth))
	highest := float32(0)
	land := 0
	for cell, height := range world.height.values {
		x, y := cell%world.height.width, cell/world.height.width
		if edge := x == 0 || y == 0 || x == world.height.width-1 || y == world.height.height-1; edge && !world.sea[cell] {
			t.Fatalf("land at the edge: %d, %d", x, y)
		}
		highest = max(highest, height)
		if !world.sea[cell] {
			land++
		}
	}
	if highest < 1000 || highest > 4000 {
		t.Errorf("the highest mountain has %v m, want some thousands", highest)
	}
	if share := float64(land) / float64(len(world.sea)); share < 0.2 || share > 0.6 {
		t.Errorf("%v of the map is land, want a good third", share)
	}
}

func TestTownsStandOnLandApart(t *testing.T) {
	world := wear(smallWidth)
	towns := settle(world, 12)
	if len(towns) != 12 {
		t.Fatalf("got %d towns, want 12", len(towns))
	}
	for i, town := range towns {
		if cell := world.height.nearest(town.center); world.sea[cell] || world.isLake(cell) {
			t.Errorf("town %d is in the water", i)
		}
		for j, other := range towns[:i] {
			if meters := town.center.to(other.center); meters < 4000 {
				t.Errorf("towns %d and %d are %v m apart", i, j, meters)
			}
		}
	}
}

func TestRoadsStayOnTheirIsland(t *testing.T) {
	world := wear(smallWidth)
	roads := build(world, settle(world, 12))
	if len(roads) == 0 {
		t.Fatal("no roads")
	}
	island := islands(world)
	for i, road := range roads {
		first, last := world.height.nearest(road[0]), world.height.nearest(road[len(road)-1])
		if island[first] == 0 || island[first] != island[last] {
			t.Errorf("road %d goes from island %d to island %d", i, island[first], island[last])
		}
	}
}

func TestFloodQueueGivesTheLowestFirst(t *testing.T) {
	var queue floodQueue
	const count = 500
	for i := range count {
		queue.push(flooded{float32(int(random(i, 0, 1) * 50)), int32(i)})
	}
	last := flooded{-1, -1}
	for range count {
		next := queue.pop()
		if !last.before(next) {
			t.Fatalf("%v came after %v", next, last)
		}
		last = next
	}
	if len(queue) != 0 {
		t.Errorf("%d are left", len(queue))
	}
}

func TestDrawnLines(t *testing.T) {
	small := extent{160, 90}
	tests := map[string]struct {
		from, to point
		meters   float64
		want     float64 // covered area in square meters
	}{
		"wide":                 {point{40, 45}, point{120, 45}, 20, 80*20 + 100*math.Pi},
		"slanting":             {point{40, 30}, point{100, 75}, 20, 75*20 + 100*math.Pi},
		"thinner than a pixel": {point{40, 45}, point{120, 45}, 4, (80 + 10) * 4}, // half a pixel at either end
		"across the edge":      {point{-100, 45}, point{80, 45}, 20, 80*20 + 50*math.Pi},
		"beyond the edge":      {point{40, -60}, point{120, -60}, 20, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			drawn := newCoverage(16, small)
			drawn.draw(test.from, test.to, test.meters, test.meters)
			area := 0.0
			for y := range drawn.height {
				for x := range drawn.width {
					area += drawn.at(x, y) * drawn.metersPerPixel * drawn.metersPerPixel
				}
			}
			if math.Abs(area-test.want) > 0.12*test.want+1e-9 {
				t.Errorf("it covers %.0f m², want %.0f", area, test.want)
			}
		})
	}
}

func TestHalvedPictureOfOddSize(t *testing.T) {
	p := picture{3, 1, []uint8{10, 20, 30, 40, 20, 30, 41, 80, 7, 8, 9, 10}}
	half := p.halved()
	if got, want := half.samples, []uint8{15, 25, 36, 60, 7, 8, 9, 10}; half.width != 2 || half.height != 1 || !bytes.Equal(got, want) {
		t.Errorf("got %d × %d %v, want 2 × 1 %v", half.width, half.height, got, want)
	}
}

func TestRamp(t *testing.T) {
	r := ramp{{0, color{0, 0, 0}}, {10, color{100, 50, 0}}, {20, color{200, 50, 0}}}
	for at, want := range map[float64]color{-5: {0, 0, 0}, 0: {0, 0, 0}, 5: {50, 25, 0}, 15: {150, 50, 0}, 99: {200, 50, 0}} {
		if got := r.color(at); got != want {
			t.Errorf("at %v: got %v, want %v", at, got, want)
		}
	}
}

func TestHeightsAreRoundedWhereNobodySeesIt(t *testing.T) {
	heights := newScene(64).elevation(96)
	if half := heights.halved(); half.width != 48 || half.height != heights.height/2 || half.metersPerCell != 2*heights.metersPerCell {
		t.Errorf("of %d × %d, the half is %d × %d", heights.width, heights.height, half.width, half.height)
	}
	low, high := float32(0), float32(0)
	for i, height := range heights.values {
		low, high = min(low, height), max(high, height)
		if steps := height * 2; steps != float32(math.Round(float64(steps))) {
			t.Fatalf("height %d is %v m, want whole or half meters", i, height)
		}
	}
	if low > -100 || low < -400 || high < 500 || high > 4000 {
		t.Errorf("heights go from %v to %v m", low, high)
	}
}

func TestGlyphsAreWithinTheirRows(t *testing.T) {
	for letter, strokes := range glyphs {
		for _, code := range strokes {
			for _, at := range pointsOf(code) {
				if at.x < 0 || at.x > capitalRows || at.y < 0 || at.y > capitalRows+2 {
					t.Errorf("%c has a point at %v", letter, at)
				}
			}
		}
	}
	plain := pen{height: 24, spacing: 0.5}
	if _, length := plain.strokesOf("II"); length != 12 {
		t.Errorf("two letters without width are %v long, want the space between them, 12", length)
	}
	if _, length := plain.strokesOf("A A"); length != 16+12+12+12+16 {
		t.Errorf("A A is %v long", length)
	}
}

func TestPaperLiesAskew(t *testing.T) {
	l := newPaperPose(3, point{20, 30})
	for _, p := range []point{{0, 0}, {100, 0}, {37, 411}} {
		if back := l.onPaper(l.onPage(p)); back.to(p) > 1e-9 {
			t.Errorf("%v is found at %v", p, back)
		}
	}
	if at := l.onPage(point{100, 0}); at.y <= 30 || math.Abs(at.to(point{20, 30})-100) > 1e-9 {
		t.Errorf("a point to the right is at %v", at)
	}
}
