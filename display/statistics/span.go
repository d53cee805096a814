package statistics

import "math"

// A span is a range of samples, both ends included.
type span struct{ low, high float64 }

// clampedTo returns s clamped to o, with a finite width.
func (s span) clampedTo(o span) span {
	const half = math.MaxFloat64 / 2
	low, high := max(o.low, -half), min(o.high, half)
	return span{min(max(s.low, low), high), max(min(s.high, high), low)}
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
