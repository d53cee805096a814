package hilbert

import (
	"math/rand/v2"
	"testing"
)

// The numbers are those of PMTiles, less that of the first tile of the zoom.
func TestTheOrientationIsThatOfPMTiles(t *testing.T) {
	for order, rows := range [][][]uint64{
		{{0}},
		{
			{0, 3},
			{1, 2},
		},
		{
			{0, 1, 14, 15},
			{3, 2, 13, 12},
			{4, 7, 8, 11},
			{5, 6, 9, 10},
		},
	} {
		for y, row := range rows {
			for x, want := range row {
				if got := Number(order, x, y); got != want {
					t.Errorf("order %d: the cell at %d, %d has number %d, want %d", order, x, y, got, want)
				}
			}
		}
	}
}

func TestEachNumberHasOneCellBesideThatOfTheNumberBefore(t *testing.T) {
	for order := range 8 {
		beforeX, beforeY := 0, -1
		for number := range uint64(1) << (2 * order) {
			x, y := Cell(order, number)
			if x < 0 || y < 0 || x>>order != 0 || y>>order != 0 {
				t.Fatalf("order %d: number %d is the cell at %d, %d, which is not in the square", order, number, x, y)
			}
			if got := Number(order, x, y); got != number {
				t.Fatalf("order %d: number %d is the cell at %d, %d, whose number is %d", order, number, x, y, got)
			}
			if dx, dy := x-beforeX, y-beforeY; dx*dx+dy*dy != 1 {
				t.Fatalf("order %d: number %d steps from %d, %d to %d, %d", order, number, beforeX, beforeY, x, y)
			}
			beforeX, beforeY = x, y
		}
		if beforeX != 1<<order-1 || beforeY != 0 {
			t.Errorf("order %d: the last cell is at %d, %d", order, beforeX, beforeY)
		}
	}
}

func TestCellsOfEveryOrderHaveTheirNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for order := range MaxOrder + 1 {
		last := 1<<order - 1
		check(t, order, 0, 0)
		check(t, order, 0, last)
		check(t, order, last, 0)
		check(t, order, last, last)
		for range 50 {
			check(t, order, random.IntN(last+1), random.IntN(last+1))
		}
	}
}

// check checks that the number of a cell is that of no other, and in a row with those of the same coarser cell.
func check(t *testing.T, order, x, y int) {
	t.Helper()
	number := Number(order, x, y)
	if gotX, gotY := Cell(order, number); gotX != x || gotY != y {
		t.Errorf("order %d: number %d of %d, %d is that of %d, %d", order, number, x, y, gotX, gotY)
	}
	if order == 0 {
		return
	}
	if coarser := Number(order-1, x/2, y/2); coarser != number/4 {
		t.Errorf("order %d: the cell around number %d has number %d", order, number, coarser)
	}
}

func TestNumbersNeedNoMemory(t *testing.T) {
	if count := testing.AllocsPerRun(10, func() {
		x, y := Cell(MaxOrder, 1<<61+12345)
		if Number(MaxOrder, x, y) != 1<<61+12345 {
			t.Error("another number")
		}
	}); count != 0 {
		t.Errorf("%v allocations", count)
	}
}

func TestQuartersFollowTheCurve(t *testing.T) {
	squares := []Square{{}}
	for order := range 6 {
		var quarters []Square
		for number, s := range squares {
			if got := Number(order, s.X, s.Y); got != uint64(number) {
				t.Errorf("order %d: square %d is at %d, %d, whose number is %d", order, number, s.X, s.Y, got)
			}
			for place := range 4 {
				quarters = append(quarters, s.Quarter(place))
			}
		}
		squares = quarters
	}
}
