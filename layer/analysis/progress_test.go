package analysis

import (
	"context"
	"testing"

	"tileserver/admission"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// The next version of a dataset may have a key that begins with that of the one before. Only the next
// version reports the progress of its statistics.
func TestProgressIsThatOfTheDataset(t *testing.T) {
	const superseded, current = "scene@1", "scene@1:again:1"
	s, asked := newScheduler(Config{Gate: admission.New(admission.Config{})}), 0
	p := &rastertest.Synthetic{
		Name: current + ":masked", Has: rastertest.Flat(raster.Uint8, 90, 70, 1, 32, 32),
		Sample: func(_, _, x, _ int) (float64, bool) { return float64(x), true },
		Before: func(context.Context, int, []raster.BlockID, []int) error {
			asked++
			if _, ok := s.progressOf(current); !ok {
				t.Error("the dataset reports no progress")
			}
			if fraction, ok := s.progressOf(superseded); ok {
				t.Errorf("the superseded dataset reports a progress of %v", fraction)
			}
			return nil
		},
	}
	if _, err := s.compute(t.Context(), p, []int{0}, Task{IsOwnStyle: true, Dataset: current}); err != nil || asked == 0 {
		t.Fatalf("%d reads: %v", asked, err)
	}
	if _, ok := s.progressOf(current); ok {
		t.Error("statistics that are complete report progress")
	}
}
