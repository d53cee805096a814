package raster

import (
	"math"
	"testing"
)

func TestIntervalsOfValidSamples(t *testing.T) {
	bytes := NewBuffer(Uint8, 5, 3, 2)
	copy(bytes.Plane(0), []byte{9, 200, 3, 17, 9, 0, 5, 5, 5, 5, 5, 5, 5, 5, 255})
	copy(bytes.Plane(1), []byte{7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7})
	copy(bytes.OwnValidity(0), []uint8{255, 0, 255, 1, 255, 0, 255, 255, 255, 255, 255, 255, 255, 255, 0})
	clear(bytes.OwnValidity(1))
	tile := bytes.Freeze()
	if got := tile.ValidSamples(0); got != (Interval{3, 17}) {
		t.Errorf("the valid samples are in %v", got)
	}
	if got := tile.ValidSamples(1); got != NoNumbers() || got.Contains(7) {
		t.Errorf("samples of which none is valid are in %v", got)
	}
	large := NewBuffer(Int64, 2, 1, 1)
	copy(Writable[int64](large, 0), []int64{math.MinInt64, math.MaxInt64})
	if got := large.Freeze().ValidSamples(0); got != (Interval{-1 << 63, 1 << 63}) {
		t.Errorf("the largest samples are in %v", got)
	}
}

// Nothing is known of samples that are no numbers.
func TestIntervalsWithNaN(t *testing.T) {
	for at := range 3 {
		b := NewBuffer(Float32, 3, 1, 1)
		samples := Writable[float32](b, 0)
		samples[0], samples[1], samples[2] = 1, 2, 3
		samples[at] = float32(math.NaN())
		got := b.Freeze().ValidSamples(0).Join(Interval{5, 6}).Join(NoNumbers())
		if !got.Contains(-100) || !got.Contains(100) {
			t.Errorf("with NaN at %d, the samples are in %v", at, got)
		}
	}
}

func TestIntervalsOfBandsStayWithThem(t *testing.T) {
	of := []Interval{{1, 2}, {3, 4}, {5, 6}}
	tile := NewBuffer(Uint8, 2, 2, 3).Freeze().WithMadeOf(of)
	if got := tile.WithBands(1, 2).MadeOf(); len(got) != 2 || got[0] != of[1] || got[1] != of[2] {
		t.Errorf("bands 2 and 3 are made of %v", got)
	}
	if got := tile.WithValidity(make([]uint8, 4)).MadeOf(); len(got) != 3 {
		t.Errorf("the masked tile is made of %v", got)
	}
}
