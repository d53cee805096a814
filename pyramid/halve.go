package pyramid

import (
	"encoding/binary"
	"math"

	"tileserver/raster"
)

// halve makes one pixel of each 2x2, or of what there is of them at an edge.
func halve(t raster.Tile, first bool) raster.Tile {
	half := raster.NewBuffer(t.Type(), (t.Width()+1)/2, (t.Height()+1)/2, t.Bands())
	for b := range t.Bands() {
		switch t.Type() {
		case raster.Uint8:
			halveBand[uint8](half, t, b, first)
		case raster.Int8:
			halveBand[int8](half, t, b, first)
		case raster.Uint16:
			halveBand[uint16](half, t, b, first)
		case raster.Int16:
			halveBand[int16](half, t, b, first)
		case raster.Uint32:
			halveBand[uint32](half, t, b, first)
		case raster.Int32:
			halveBand[int32](half, t, b, first)
		case raster.Uint64:
			halveBand[uint64](half, t, b, first)
		case raster.Int64:
			halveBand[int64](half, t, b, first)
		case raster.Float32:
			halveBand[float32](half, t, b, first)
		case raster.Float64:
			halveBand[float64](half, t, b, first)
		}
	}
	return half.Freeze()
}

func halveBand[T raster.Sample](half *raster.Buffer, t raster.Tile, band int, first bool) {
	source, coverage := raster.Samples[T](t, band), t.Validity(band)
	target := raster.Writable[T](half, band)
	if coverage == nil && !first {
		halveValid(target, half.Width(), source, t.Width())
		return
	}
	var targetCoverage []uint8
	if coverage != nil {
		targetCoverage = half.OwnValidity(band)
	}
	q := quad[T]{round: rounderOf[T](), first: first}
	for y := range half.Height() {
		for x := range half.Width() {
			q.count = 0
			for sy := 2 * y; sy < min(2*y+2, t.Height()); sy++ {
				for sx := 2 * x; sx < min(2*x+2, t.Width()); sx++ {
					q.add(source, coverage, sy*t.Width()+sx)
				}
			}
			value, c := q.mean()
			target[y*half.Width()+x] = value
			if targetCoverage != nil {
				targetCoverage[y*half.Width()+x] = c
			}
		}
	}
}

// quad is up to four pixels that become one.
type quad[T raster.Sample] struct {
	round   rounder[T]
	first   bool
	count   int
	values  [4]T
	weights [4]float64
}

func (q *quad[T]) add(source []T, coverage []uint8, at int) {
	q.values[q.count], q.weights[q.count] = source[at], raster.Valid
	if coverage != nil {
		q.weights[q.count] = float64(coverage[at])
	}
	q.count++
}

// mean is the weighted mean, or the first valid value, and the mean coverage.
func (q *quad[T]) mean() (value T, coverage uint8) {
	var sum, weight float64
	for i, w := range q.weights[:q.count] {
		if w == 0 {
			continue // such a value may be NaN
		}
		if weight == 0 {
			value = q.values[i]
		}
		sum += w * float64(q.values[i])
		weight += w
	}
	if weight == 0 {
		return 0, raster.Invalid
	}
	coverage = max(1, uint8(math.Round(weight/float64(q.count))))
	if q.first {
		return value, coverage
	}
	return q.round.to(sum / weight), coverage
}

// halveValid is halveBand where all pixels are valid. A row or a column that is
// left over is taken twice, which leaves the mean as it is.
func halveValid[T raster.Sample](target []T, targetWidth int, source []T, width int) {
	round := rounderOf[T]()
	for len(target) > 0 {
		above, below := source[:width], source[:width]
		source = source[width:]
		if len(source) > 0 {
			below, source = source[:width], source[width:]
		}
		halveRow(target[:targetWidth], above, below, &round)
		target = target[targetWidth:]
	}
}

func halveRow[T raster.Sample](target, above, below []T, round *rounder[T]) {
	if bytes, ok := any(target).([]uint8); ok {
		halveBytes(bytes, any(above).([]uint8), any(below).([]uint8))
		return
	}
	pairs := len(above) / 2
	for x := range target[:pairs] {
		a, b := above[2*x:2*x+2], below[2*x:2*x+2]
		target[x] = round.to((float64(a[0]) + float64(a[1]) + float64(b[0]) + float64(b[1])) / 4)
	}
	if last := len(above) - 1; pairs < len(target) {
		target[pairs] = round.to((float64(above[last]) + float64(below[last])) / 2)
	}
}

// halveBytes makes four bytes of two times eight at once: their sums have 16 bits
// each to grow in.
func halveBytes(target, above, below []uint8) {
	const evens, half = 0x00ff00ff00ff00ff, 0x0002000200020002
	for ; len(above) >= 8; above, below, target = above[8:], below[8:], target[4:] {
		a, b := binary.LittleEndian.Uint64(above), binary.LittleEndian.Uint64(below)
		sums := a&evens + a>>8&evens + b&evens + b>>8&evens + half
		means := sums >> 2 & evens
		means = (means | means>>8) & 0x0000ffff0000ffff
		binary.LittleEndian.PutUint32(target, uint32(means|means>>16))
	}
	for x := range target {
		right := min(2*x+1, len(above)-1)
		sum := int(above[2*x]) + int(above[right]) + int(below[2*x]) + int(below[right])
		target[x] = uint8((sum + 2) / 4)
	}
}
