package epsg

import "math"

// Shift is a datum shift to WGS 84 in the position vector convention: meters, arc-seconds, parts
// per million.
type Shift struct {
	Code   int // EPSG transformation
	Values [7]float64
}

// ShiftFor returns the datum shift for an area, or nil if the registry has none there. Of the shifts
// that cover nearly as much of the area as any does, it is the best one: the most accurate, then one
// that changes nothing, then the most local.
func ShiftFor(datum int, area Area) (*Shift, error) {
	r, err := load()
	if err != nil {
		return nil, err
	}
	return r.shift(datum, area)
}

func (r *registry) shift(datum int, area Area) (*Shift, error) {
	lines := r.shifts[datum] // the best one first
	shared, most := make([]float64, len(lines)), 0.0
	for i, line := range lines {
		f := split(line)
		f.integer() // datum
		f.integer() // code
		if a := r.area(f.integer()); a != nil {
			shared[i] = a.overlap(&area)
		}
		most = max(most, shared[i])
	}
	const nearly = 0.98
	for i, line := range lines {
		if most > 0 && shared[i] >= nearly*most {
			return parseShift(line)
		}
	}
	return nil, nil
}

func parseShift(line string) (*Shift, error) {
	f := split(line)
	f.integer() // datum
	s := &Shift{Code: f.integer()}
	f.integer() // area
	for i := range s.Values {
		s.Values[i] = f.number()
	}
	return s, f.err
}

// overlap returns a number proportional to the shared area of two areas on a sphere.
func (a *Area) overlap(b *Area) float64 {
	height := math.Sin(min(a.North, b.North)*math.Pi/180) - math.Sin(max(a.South, b.South)*math.Pi/180)
	width := 0.0
	for _, turn := range []float64{-360, 0, 360} {
		width += max(0, min(a.East, b.East+turn)-max(a.West, b.West+turn))
	}
	return max(0, height) * width
}
