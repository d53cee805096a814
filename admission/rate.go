package admission

import (
	"sync"
	"time"
)

// A Rate is the time that a unit of work takes on one core, an average of what was measured. It is
// safe for concurrent use.
type Rate struct {
	mu         sync.Mutex
	perUnit    float64 // nanoseconds
	isMeasured bool
}

// NewRate returns a rate that is guessed until the first measurement.
func NewRate(guess time.Duration) *Rate { return &Rate{perUnit: float64(guess)} }

// The weights of measurements below and above the average. It falls faster than it rises, since what
// disturbs a measurement makes it longer.
const (
	fallingWeight = 1. / 4
	risingWeight  = 1. / 16
)

// Guess replaces the guess, unless something was measured.
func (r *Rate) Guess(guess time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.isMeasured {
		r.perUnit = float64(guess)
	}
}

// Time returns the time that a number of units takes.
func (r *Rate) Time(units float64) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Duration(units * r.perUnit)
}

// Measure learns from work that took some time. Work without any units, or that took no time, says
// nothing.
func (r *Rate) Measure(units float64, took time.Duration) {
	if units <= 0 || took <= 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch measured := float64(took) / units; {
	case !r.isMeasured:
		r.perUnit, r.isMeasured = measured, true
	case measured < r.perUnit:
		r.perUnit += (measured - r.perUnit) * fallingWeight
	default:
		r.perUnit += (measured - r.perUnit) * risingWeight
	}
}
