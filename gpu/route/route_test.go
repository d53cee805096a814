package route_test

import (
	"testing"
	"testing/synctest"
	"time"

	"tileserver/gpu"
	"tileserver/gpu/route"
)

// On one core a unit takes a microsecond. The device takes a millisecond, and from a thousand units on a
// tenth of that of one core.
var costs = route.Costs{
	OnDevice: route.Curve{{1000, time.Millisecond}, {100_000, 10 * time.Millisecond}},
	OnCore:   time.Second,
}

func measured(mode route.Mode, cores int) *route.Router {
	r := route.New(mode, cores)
	r.SetCosts("kernel", costs)
	return r
}

func TestAutoTakesTheDeviceWhereItWins(t *testing.T) {
	for _, test := range []struct {
		name  string
		cores int
		work  int64
		after time.Duration
		want  route.Place
	}{
		{"a small batch", 1, 500, 0, route.Cores},
		{"one that the device does as soon as a core", 1, 1000, 0, route.Cores},
		{"one that it does sooner", 1, 2000, 0, route.Device},
		{"the same beside two cores", 2, 2000, 0, route.Cores},
		{"a large batch", 4, 1_000_000, 0, route.Device},
		{"a large batch beside many cores", 8, 1_000_000, 0, route.Cores},
		{"one that has to wait for the device", 4, 100_000, 15 * time.Millisecond, route.Cores},
	} {
		if got, why := measured(route.Auto, test.cores).Choose("kernel", test.work, test.after); got != test.want {
			t.Errorf("%s goes to the %s (%s), want %s", test.name, got, why, test.want)
		}
	}
}

func TestReasons(t *testing.T) {
	software := measured(route.Auto, 1)
	software.SetAdapter(gpu.Adapter{IsSoftware: true})
	for _, test := range []struct {
		router *route.Router
		kernel string
		place  route.Place
		why    route.Reason
	}{
		{measured(route.Strict, 1), "kernel", route.Device, route.Wanted},
		{measured(route.Strict, 1), "another", route.Device, route.Wanted},
		{measured(route.Auto, 1), "kernel", route.Device, route.Faster},
		{measured(route.Auto, 100), "kernel", route.Cores, route.Slower},
		{measured(route.Auto, 1), "another", route.Cores, route.Unmeasured},
		{software, "kernel", route.Cores, route.Software},
	} {
		if place, why := test.router.Choose(test.kernel, 100_000, 0); place != test.place || why != test.why {
			t.Errorf("%s: %s, because %s; want %s, %s", test.kernel, place, why, test.place, test.why)
		}
	}
}

// A device that wins by 1.2 keeps the work that it has, and gets none that it has not. That is so for each
// size of batches.
func TestWorkStaysWhereItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := measured(route.Auto, 1)
		const between = 1250 // about 1.02 ms there, 1.25 ms here
		goes := func(work int64, want route.Place, when string) {
			t.Helper()
			if place, _ := r.Choose("kernel", work, 0); place != want {
				t.Errorf("%s, work %d goes to the %s", when, work, place)
			}
		}
		goes(between, route.Cores, "at first")
		goes(100_000, route.Device, "at first")
		goes(between, route.Cores, "after a large batch")
		goes(2000, route.Device, "at first")
		goes(between, route.Device, "after one that is a little larger")
		goes(10, route.Cores, "at first")
		goes(between, route.Device, "after a small batch")
		goes(1050, route.Cores, "at first")
		goes(between, route.Cores, "after one that the cores do as fast")
	})
}

// One batch that took long for once changes little, and what was learned fades.
func TestADeviceGetsAnotherChance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := measured(route.Auto, 4)
		for range 50 {
			r.RanOnDevice("kernel", 100_000, 10*time.Millisecond)
		}
		r.RanOnDevice("kernel", 100_000, time.Minute)
		if place, _ := r.Choose("kernel", 100_000, 0); place != route.Device {
			t.Errorf("after one slow batch, work goes to the %s", place)
		}
		for range 50 {
			r.RanOnDevice("kernel", 100_000, 100*time.Millisecond)
		}
		if place, _ := r.Choose("kernel", 100_000, 0); place != route.Cores {
			t.Errorf("a device that has become slow gets work: it goes to the %s", place)
		}
		time.Sleep(10 * time.Minute)
		if place, _ := r.Choose("kernel", 100_000, 0); place != route.Device {
			t.Errorf("ten minutes later, work goes to the %s", place)
		}
	})
}

func TestCostsAreCorrectedWhileBatchesRun(t *testing.T) {
	synctest.Test(t, testCorrections)
}

func testCorrections(t *testing.T) {
	r := measured(route.Auto, 4)
	for range 100 {
		r.RanOnDevice("kernel", 100_000, 25*time.Millisecond)
		r.RanOnDevice("another", 1, time.Hour)
	}
	if place, _ := r.Choose("kernel", 100_000, 0); place != route.Cores {
		t.Errorf("a device that has become slow gets work: it goes to the %s", place)
	}
	if took := r.DeviceTime("kernel", 100_000); took < 24*time.Millisecond || took > 26*time.Millisecond {
		t.Errorf("the device is expected to take %v, want 25ms", took)
	}
	for range 100 {
		r.RanOnCores("kernel", 1000, 3*time.Millisecond)
		r.RanOnCores("another", 1, time.Hour)
	}
	if place, _ := r.Choose("kernel", 100_000, 0); place != route.Device {
		t.Errorf("cores that have become slow get work: it goes to the %s", place)
	}
}

// What a device leaves to the cores counts on its side.
func TestOutputsHaveToBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		withReading := costs
		withReading.Reading = 450 * time.Millisecond // 45 ms for 100,000 units, beside 10 ms on the device
		r := route.New(route.Auto, 1)
		r.SetCosts("kernel", withReading)
		goes := func(want route.Place, when string) {
			t.Helper()
			if place, _ := r.Choose("kernel", 100_000, 0); place != want {
				t.Errorf("%s, work goes to the %s", when, place)
			}
		}
		if got := r.Estimates()[0]; got.OnDevice != 55*time.Millisecond || got.OnCores != 100*time.Millisecond {
			t.Errorf("the estimates are %+v", got)
		}
		if got := r.DeviceTime("kernel", 100_000); got != 10*time.Millisecond {
			t.Errorf("the device itself is expected to take %v", got)
		}
		goes(route.Device, "at first")
		for range 50 {
			r.ReadOnCores("kernel", 100_000, 90*time.Millisecond)
			r.ReadOnCores("another", 1, time.Hour)
		}
		goes(route.Cores, "when it takes twice as long to read outputs")
		for range 100 {
			r.ReadOnCores("kernel", 100_000, 45*time.Millisecond)
		}
		goes(route.Device, "when it takes as long as at first")
	})
}

func TestEstimates(t *testing.T) {
	got := measured(route.Auto, 2).Estimates()
	if len(got) != 1 || got[0].Work != 100_000 || got[0].OnDevice != 10*time.Millisecond || got[0].OnCores != 50*time.Millisecond {
		t.Fatalf("the estimates are %+v", got)
	}
	// 1.3 × (1 ms + (work - 1000) × 91 ns) = work × 500 ns
	if even := got[0].BreakEven; even < 3050 || even > 3150 {
		t.Errorf("it breaks even at %d, want about 3100", even)
	}
	if even := measured(route.Auto, 100).Estimates()[0].BreakEven; even != 0 {
		t.Errorf("a device that never wins breaks even at %d", even)
	}
}

func TestCurve(t *testing.T) {
	r := measured(route.Auto, 1)
	for work, want := range map[int64]time.Duration{
		0: time.Millisecond, 1000: time.Millisecond, 50_500: 5500 * time.Microsecond, 100_000: 10 * time.Millisecond, 200_000: 20 * time.Millisecond,
	} {
		if got := r.DeviceTime("kernel", work); got != want {
			t.Errorf("work %d takes %v, want %v", work, got, want)
		}
	}
}
