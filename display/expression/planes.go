package expression

import "math"

// A Plane holds the samples of a band in the order of the pixels.
type Plane interface {
	Len() int
	// Load fills to with the samples from pixel at on.
	Load(to []float64, at int)
}

// A Result takes the values of an output in the order of the pixels.
type Result interface {
	Len() int
	// Store stores the values of the pixels from at on. It must not modify values.
	Store(values []float64, at int)
}

// Sample lists the types of stored samples.
type Sample interface {
	~uint8 | ~int8 | ~uint16 | ~int16 | ~uint32 | ~int32 | ~uint64 | ~int64 | ~float32 | ~float64
}

// Samples is a Plane of stored samples. A pointer to it is a Plane as well, and converts to one
// without an allocation.
type Samples[T Sample] []T

func (s Samples[T]) Len() int { return len(s) }

func (s Samples[T]) Load(to []float64, at int) {
	from := s[at : at+len(to)]
	done := loadVectors(to, from)
	to, from = to[done:], from[done:]
	for i, sample := range from[:len(to)] {
		to[i] = float64(sample)
	}
}

// Scaled is a Plane whose values are those of another Plane times Scale, plus Offset.
type Scaled struct {
	Plane         Plane
	Scale, Offset float64
}

func (s *Scaled) Len() int { return s.Plane.Len() }

func (s *Scaled) Load(to []float64, at int) {
	s.Plane.Load(to, at)
	for i := scaleVectors(to, s.Scale, s.Offset); i < len(to); i++ {
		to[i] = float64(to[i]*s.Scale) + s.Offset
	}
}

// Values is a Result. All NaNs are stored with the same bits.
type Values[T float32 | float64] struct {
	Values []T

	// Validity, if not nil, is set to 0 where the stored value is not finite, and is unchanged
	// elsewhere. Results may share it.
	Validity []uint8
}

func (v *Values[T]) Len() int {
	if v.Validity != nil {
		return min(len(v.Values), len(v.Validity))
	}
	return len(v.Values)
}

func (v *Values[T]) Store(values []float64, at int) {
	to := v.Values[at : at+len(values)]
	if v.Validity == nil {
		done := storeVectors(to, values)
		storeEach(to[done:], values[done:])
		return
	}
	validity := v.Validity[at : at+len(values)]
	done := storeValidVectors(to, values, validity)
	storeValidEach(to[done:], values[done:], validity[done:])
}

func storeEach[T float32 | float64](to []T, values []float64) {
	to = to[:len(values)]
	for i, value := range values {
		to[i] = T(canonicalNaN(value))
	}
}

func storeValidEach[T float32 | float64](to []T, values []float64, validity []uint8) {
	to, validity = to[:len(values)], validity[:len(values)]
	for i, value := range values {
		stored := T(canonicalNaN(value))
		to[i] = stored
		if !isFinite(float64(stored)) {
			validity[i] = 0
		}
	}
}

func isFinite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// canonicalNaN returns v. All NaNs get one pattern, since patterns differ between machines.
func canonicalNaN(v float64) float64 {
	if v != v {
		return math.NaN()
	}
	return v
}
