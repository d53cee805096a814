package raster_test

import (
	"slices"
	"testing"

	"tileserver/raster"
)

func TestLevelGrid(t *testing.T) {
	l := raster.Level{Width: 100, Height: 41, BlockWidth: 32, BlockHeight: 20}
	if l.Columns() != 4 || l.Rows() != 3 {
		t.Fatalf("the grid is %dx%d, want 4x3", l.Columns(), l.Rows())
	}
	blocks := map[raster.BlockID]raster.Rect{
		{Col: 0, Row: 0}: {X0: 0, Y0: 0, X1: 32, Y1: 20},
		{Col: 3, Row: 0}: {X0: 96, Y0: 0, X1: 100, Y1: 20},
		{Col: 3, Row: 2}: {X0: 96, Y0: 40, X1: 100, Y1: 41},
	}
	for id, want := range blocks {
		if got := l.Block(id); got != want || !l.Contains(id) {
			t.Errorf("block %v is %v, want %v", id, got, want)
		}
	}
	for _, id := range []raster.BlockID{{Col: 4}, {Row: 3}, {Col: -1}, {Row: -1}} {
		if l.Contains(id) {
			t.Errorf("block %v is in the grid", id)
		}
	}
}

func TestCovering(t *testing.T) {
	l := raster.Level{Width: 100, Height: 41, BlockWidth: 32, BlockHeight: 20}
	tests := []struct {
		name string
		rect raster.Rect
		want []raster.BlockID
	}{
		{"a pixel", raster.Rect{X0: 31, Y0: 19, X1: 32, Y1: 20}, []raster.BlockID{{Col: 0, Row: 0}}},
		{"a corner of four", raster.Rect{X0: 31, Y0: 19, X1: 33, Y1: 21}, []raster.BlockID{{Col: 0, Row: 0}, {Col: 1, Row: 0}, {Col: 0, Row: 1}, {Col: 1, Row: 1}}},
		{"over the edges", raster.Rect{X0: 90, Y0: 39, X1: 500, Y1: 500}, []raster.BlockID{{Col: 2, Row: 1}, {Col: 3, Row: 1}, {Col: 2, Row: 2}, {Col: 3, Row: 2}}},
		{"left of the image", raster.Rect{X0: -9, Y0: 0, X1: 0, Y1: 9}, nil},
		{"nothing", raster.Rect{X0: 5, Y0: 5, X1: 5, Y1: 9}, nil},
	}
	for _, test := range tests {
		if got := l.Covering(test.rect); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestRunsWidensBlocksToARun(t *testing.T) {
	l := raster.Level{Width: 900, Height: 50, BlockWidth: 400, BlockHeight: 16}
	if got := l.Runs(); got != l {
		t.Errorf("blocks by themselves: %+v, want %+v", got, l)
	}
	l.RunWidth = 900
	if got := l.Runs(); got.BlockWidth != 900 || got.Columns() != 1 || got.Rows() != l.Rows() {
		t.Errorf("blocks of runs: %+v", got)
	}
}
