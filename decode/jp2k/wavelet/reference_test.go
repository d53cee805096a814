package wavelet_test

import "tileserver/decode/jp2k/wavelet"

// The transforms as written in the standard (annex F): a whole resolution, rows first, each
// extended at its ends and then lifted at all positions in turn.

// extended is a signal that is mirrored beyond its ends.
type extended[T any] struct {
	samples map[int]T
}

// extend is the standard's periodic symmetric extension of the samples, of which the first is at
// begin.
func extend[T any](samples []T, begin int) extended[T] {
	const reach = 6
	end := begin + len(samples)
	e := extended[T]{map[int]T{}}
	for i := begin - reach; i < end+reach; i++ {
		period := 2 * (len(samples) - 1)
		place := ((i-begin)%period + period) % period
		e.samples[i] = samples[min(place, period-place)]
	}
	return e
}

// lift applies one step at all positions of a parity that have both neighbors.
func (e extended[T]) lift(odd int, made func(here, before, after T) T) {
	for i, here := range e.samples {
		before, hasBefore := e.samples[i-1]
		after, hasAfter := e.samples[i+1]
		if i&1 == odd && hasBefore && hasAfter {
			e.samples[i] = made(here, before, after)
		}
	}
}

func (e extended[T]) copyTo(samples []T, begin int) {
	for i := range samples {
		samples[i] = e.samples[begin+i]
	}
}

// line53 is 1D_SR of the standard with the reversible filter.
func line53[T wavelet.Integer](samples []T, begin int) {
	if len(samples) == 1 {
		if begin&1 != 0 {
			samples[0] /= 2
		}
		return
	}
	e := extend(samples, begin)
	e.lift(0, func(here, before, after T) T { return here - (before+after+2)>>2 })
	e.lift(1, func(here, before, after T) T { return here + (before+after)>>1 })
	e.copyTo(samples, begin)
}

// line97 is 1D_SR of the standard with the irreversible filter.
func line97(samples []float64, begin int) {
	const (
		alpha, beta  = -1.586134342059924, -0.052980118572961
		gamma, delta = 0.882911075530934, 0.443506852043971
		k            = 1.230174104914001
	)
	if len(samples) == 1 {
		if begin&1 != 0 {
			samples[0] /= 2
		}
		return
	}
	e := extend(samples, begin)
	for i := range e.samples {
		if i&1 == 0 {
			e.samples[i] *= k
		} else {
			e.samples[i] /= k
		}
	}
	for step, weight := range []float64{delta, gamma, beta, alpha} {
		e.lift(step&1, func(here, before, after float64) float64 { return here - weight*(before+after) })
	}
	e.copyTo(samples, begin)
}

// reference is 2D_SR of the standard.
func reference[N wavelet.Integer | float64, T wavelet.Number](whole wavelet.Rect, bands *[4]wavelet.Plane[T], line func([]N, int)) []N {
	width, height := whole.Width(), whole.Height()
	all := make([]N, width*height)
	for y := range height {
		row := all[y*width:][:width]
		for x := range width {
			column, line := whole.X0+x, whole.Y0+y
			band := &bands[column&1|line&1<<1]
			row[x] = N(band.Samples[(line>>1-band.Rect.Y0)*band.Stride+column>>1-band.Rect.X0])
		}
		line(row, whole.X0)
	}
	for x := range width {
		column := make([]N, height)
		for y := range column {
			column[y] = all[y*width+x]
		}
		line(column, whole.Y0)
		for y, sample := range column {
			all[y*width+x] = sample
		}
	}
	return all
}
