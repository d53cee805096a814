package admission_test

import (
	"math"
	"testing"
	"time"

	"tileserver/admission"
)

// measured returns a rate of a guess of a microsecond that has learned from measurements of a unit.
func measured(perUnit ...time.Duration) *admission.Rate {
	rate := admission.NewRate(time.Microsecond)
	for _, took := range perUnit {
		rate.Measure(1, took)
	}
	return rate
}

// times returns a number of equal measurements.
func times(count int, took time.Duration) []time.Duration {
	all := make([]time.Duration, count)
	for i := range all {
		all[i] = took
	}
	return all
}

// wantAbout fails unless the rate is a time for a unit, up to a factor.
func wantAbout(t *testing.T, what string, rate *admission.Rate, want time.Duration, factor float64) {
	t.Helper()
	got := rate.Time(1)
	if off := math.Abs(math.Log(float64(got) / float64(want))); !(off <= math.Log(factor)) {
		t.Errorf("%s: %v a unit, want %v up to a factor of %v", what, got, want, factor)
	}
}

// A guess may be replaced until something is measured, and then counts no more, however wrong it was.
func TestAMeasurementReplacesTheGuess(t *testing.T) {
	for _, took := range []time.Duration{100 * time.Nanosecond, 10 * time.Microsecond} {
		rate := admission.NewRate(time.Second)
		rate.Guess(time.Microsecond)
		wantAbout(t, "a guess", rate, time.Microsecond, 1)
		rate.Measure(50, 50*took)
		rate.Guess(time.Second)
		wantAbout(t, "a wrong guess", rate, took, 1)
		if got := rate.Time(30); got != 30*took {
			t.Errorf("30 units: %v, want %v", got, 30*took)
		}
	}
}

// An average that is wrong by ten times, since another file is slower or faster, is corrected by few
// measurements.
func TestAWrongAverageIsCorrected(t *testing.T) {
	const slow, fast = 10 * time.Microsecond, time.Microsecond
	wantAbout(t, "of faster work", measured(append(times(100, slow), times(8, fast)...)...), fast, 2)
	wantAbout(t, "of faster work, later", measured(append(times(100, slow), times(20, fast)...)...), fast, 1.1)
	wantAbout(t, "of slower work", measured(append(times(100, fast), times(12, slow)...)...), slow, 2)
	wantAbout(t, "of slower work, later", measured(append(times(100, fast), times(40, slow)...)...), slow, 1.1)
}

// Unusual measurements move the average little. Those that are too long are forgotten soon, since what
// disturbs a measurement makes it longer.
func TestUnusualMeasurementsMoveTheAverageLittle(t *testing.T) {
	const usual, disturbed = time.Microsecond, 10 * time.Microsecond
	rate := measured(append(times(10, usual), disturbed)...)
	wantAbout(t, "after one that is long", rate, usual, 1.6)
	for range 10 {
		rate.Measure(1, usual)
	}
	wantAbout(t, "after usual ones again", rate, usual, 1.05)
	wantAbout(t, "after one that is short", measured(append(times(10, usual), usual/10)...), usual, 1.3)
	wantAbout(t, "after a first one that is long", measured(append([]time.Duration{disturbed}, times(16, usual)...)...), usual, 1.1)

	for range 100 {
		for range 9 {
			rate.Measure(1, usual)
		}
		wantAbout(t, "with each tenth one long", rate, usual, 1.1)
		rate.Measure(1, disturbed)
	}
}

// A picture whose samples were all cached measures nothing.
func TestWorkWithoutUnitsSaysNothing(t *testing.T) {
	for _, rate := range []*admission.Rate{admission.NewRate(time.Microsecond), measured(time.Microsecond)} {
		rate.Measure(0, time.Hour)
		rate.Measure(-1, time.Hour)
		rate.Measure(1, 0)
		rate.Measure(1, -time.Hour)
		wantAbout(t, "after work without units", rate, time.Microsecond, 1)
	}
	untouched := admission.NewRate(time.Microsecond)
	untouched.Measure(0, time.Hour)
	untouched.Guess(time.Second)
	wantAbout(t, "with a guess after work without units", untouched, time.Second, 1)
}
