package pyramid_test

import (
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// While many cached answers pass, a large view gives way to them again and again.
func TestAReadGivesWayToCachedAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pyramid.New(&rastertest.Synthetic{Name: "s", Has: rastertest.Flat(raster.Uint8, 1000, 1000, 1, 256, 256), Sample: ramp(0.1)})
		plan, err := p.Plan(t.Context(), pyramid.View{Lattice: geo.Lattice{ResolutionX: 1, ResolutionY: -1}, Rect: raster.Rect{X1: 512, Y1: 512}, Alpha: -1})
		if err != nil {
			t.Fatal(err)
		}
		yields := 0
		gate := admission.New(admission.Config{Yield: func() { yields++ }})
		ctx, leave, err := gate.Enter(t.Context(), admission.Work{Cost: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
		admission.MustLeaveCore(ctx) // a period begins
		for range 400 {
			gate.CountCached()
		}
		time.Sleep(time.Second)
		if _, _, err := p.Read(ctx, &plan, new(raster.MemoryPool).Get(p.BytesOf(&plan))); err != nil || yields < 512/32 {
			t.Errorf("512 rows yield %d times; %v", yields, err)
		}
	})
}
