package archive

import (
	"errors"
	"math"
	"testing"
)

// The numbers are those of the specification of PMTiles.
func TestNumbersAreThoseOfPMTiles(t *testing.T) {
	tests := map[Position]uint64{
		{0, 0, 0}:        0,
		{1, 0, 0}:        1,
		{1, 0, 1}:        2,
		{1, 1, 1}:        3,
		{1, 1, 0}:        4,
		{2, 0, 0}:        5,
		{12, 3423, 1763}: 19078479,
	}
	for position, want := range tests {
		if got := position.Number(); got != want {
			t.Errorf("%v has number %d, want %d", position, got, want)
		}
	}
}

func TestEachNumberHasOnePositionBesideThatOfTheNumberBefore(t *testing.T) {
	var before Position
	for number := range FirstNumber(8) {
		position, err := PositionOf(number)
		if err != nil || position.Check() != nil {
			t.Fatalf("number %d: %v, %v", number, position, err)
		}
		if got := position.Number(); got != number {
			t.Fatalf("number %d is that of %v, whose number is %d", number, position, got)
		}
		steps := math.Abs(float64(position.X)-float64(before.X)) + math.Abs(float64(position.Y)-float64(before.Y))
		if position.Zoom == before.Zoom && number > 0 && steps != 1 {
			t.Fatalf("number %d is %v, which is not beside %v", number, position, before)
		}
		before = position
	}
}

func TestTilesBelowATileHaveNumbersInARow(t *testing.T) {
	top := Position{4, 11, 6}
	least, most := uint64(math.MaxUint64), uint64(0)
	for x := top.X << 3; x < (top.X+1)<<3; x++ {
		for y := top.Y << 3; y < (top.Y+1)<<3; y++ {
			number := Position{top.Zoom + 3, x, y}.Number()
			least, most = min(least, number), max(most, number)
		}
	}
	if most-least != 63 {
		t.Errorf("64 tiles below %v have the numbers %d to %d", top, least, most)
	}
}

func TestTheLargestNumbers(t *testing.T) {
	for _, number := range []uint64{MaxNumber, MaxNumber - 1, FirstNumber(MaxZoom), FirstNumber(MaxZoom) - 1} {
		position, err := PositionOf(number)
		if err != nil || position.Check() != nil || position.Number() != number {
			t.Errorf("number %d is %v, %v, with number %d", number, position, err, position.Number())
		}
	}
	for _, number := range []uint64{MaxNumber + 1, math.MaxUint64} {
		if _, err := PositionOf(number); !errors.Is(err, ErrNoPosition) {
			t.Errorf("number %d: %v", number, err)
		}
	}
}

func TestPositionsOutsideOfTheQuadTree(t *testing.T) {
	for _, position := range []Position{{0, 1, 0}, {0, 0, 1}, {3, 8, 0}, {3, 0, 8}, {MaxZoom + 1, 0, 0}, {255, 0, 0}} {
		if err := position.Check(); !errors.Is(err, ErrNoPosition) {
			t.Errorf("%v: %v", position, err)
		}
	}
}
