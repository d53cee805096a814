package analysis

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// Statistics that wait for a disk that stalls leave their slot to those of files on other disks.
func TestAStalledDiskStopsNoOtherStatistics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(Config{Gate: admission.New(admission.Config{})})
		of := func(name string, read func(ctx context.Context)) raster.Provider {
			return &rastertest.Synthetic{
				Name: name, Has: rastertest.Flat(raster.Uint8, 90, 70, 1, 32, 32),
				Sample: func(_, _, x, _ int) (float64, bool) { return float64(x), true },
				Before: func(ctx context.Context, _ int, _ []raster.BlockID, _ []int) error {
					read(ctx)
					return context.Cause(ctx)
				},
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		go s.compute(ctx, of("stalled", func(ctx context.Context) {
			defer admission.Wait(ctx)()
			<-ctx.Done()
		}), []int{0}, Task{Dataset: "stalled", Source: admission.Source{Name: "stalled"}})
		synctest.Wait()
		began := time.Now()
		_, err := s.compute(t.Context(), of("sound", func(context.Context) {}), []int{0}, Task{Dataset: "sound", Source: admission.Source{Name: "sound"}})
		if took := time.Since(began); err != nil || took > time.Minute {
			t.Errorf("other statistics took %v: %v", took, err)
		}
		cancel()
	})
}
