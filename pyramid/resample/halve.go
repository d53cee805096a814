package resample

import (
	"encoding/binary"
	"math"

	"tileserver/raster"
)

// Halve computes one pixel from each 2x2: their mean by coverage, or in bands of picks the upper
// left valid one. At an odd edge, the last row or column counts twice, which does not change the
// mean. A pixel depends only on its four, so halving pieces of an image gives pieces of its half.
func Halve(t raster.Tile, picks []bool) raster.Tile {
	half := raster.NewBuffer(t.Type(), (t.Width()+1)/2, (t.Height()+1)/2, t.Bands())
	half.InheritDamage(t)
	for b := range t.Bands() {
		switch t.Type() {
		case raster.Uint8:
			halveBand[uint8](half, t, b, picks[b])
		case raster.Int8:
			halveBand[int8](half, t, b, picks[b])
		case raster.Uint16:
			halveBand[uint16](half, t, b, picks[b])
		case raster.Int16:
			halveBand[int16](half, t, b, picks[b])
		case raster.Uint32:
			halveBand[uint32](half, t, b, picks[b])
		case raster.Int32:
			halveBand[int32](half, t, b, picks[b])
		case raster.Uint64:
			halveBand[uint64](half, t, b, picks[b])
		case raster.Int64:
			halveBand[int64](half, t, b, picks[b])
		case raster.Float32:
			halveBand[float32](half, t, b, picks[b])
		case raster.Float64:
			halveBand[float64](half, t, b, picks[b])
		}
	}
	if t.AllValid() {
		return half.Freeze()
	}
	return half.Freeze().WithBandValidity(halvedValidity(t))
}

// halvedValidity returns the coverage of each band of the halved tile. It halves a shared plane
// once.
func halvedValidity(t raster.Tile) [][]uint8 {
	planes := make([][]uint8, t.Bands())
	for b := range planes {
		switch coverage := t.Validity(b); {
		case coverage == nil:
		case b > 0 && !t.HasOwnValidity():
			planes[b] = planes[0]
		default:
			planes[b] = halveCoverage(coverage, t.Width(), t.Height())
		}
	}
	return planes
}

// halveBand halves the samples of a band.
func halveBand[T raster.Sample](half *raster.Buffer, t raster.Tile, band int, pick bool) {
	source, coverage := raster.Samples[T](t, band), t.Validity(band)
	target := raster.Writable[T](half, band)
	q := quad[T]{round: rounderOf[T](), pick: pick}
	for y := range half.Height() {
		row := target[y*half.Width():][:half.Width()]
		above, below := rowPair(source, t.Width(), t.Height(), y)
		if coverage == nil {
			q.valid(row, above, below)
			continue
		}
		coverageAbove, coverageBelow := rowPair(coverage, t.Width(), t.Height(), y)
		q.covered(row, above, below, coverageAbove, coverageBelow)
	}
}

// rowPair returns the two rows of a plane that become row y of its half.
func rowPair[T any](plane []T, width, height, y int) (above, below []T) {
	lower := min(2*y+1, height-1)
	return plane[2*y*width:][:width], plane[lower*width:][:width]
}

// quad computes one sample from four.
type quad[T raster.Sample] struct {
	round rounder[T]
	pick  bool
}

// valid fills a row from two rows that are fully valid.
func (q *quad[T]) valid(target, above, below []T) {
	if !q.pick {
		halveRow(target, above, below, &q.round)
		return
	}
	for x := range target {
		target[x] = above[2*x]
	}
}

// covered fills a row from two rows with coverage. Coverage is uniform except along the edges of
// valid areas, and uniform runs need no weighing.
func (q *quad[T]) covered(target, above, below []T, coverageAbove, coverageBelow []uint8) {
	for len(target) > 0 {
		same, coverage := uniformRun(coverageAbove, coverageBelow)
		n := same / 2
		switch {
		case n == 0:
			n = min(len(target), uniformStep/2)
			q.mixed(target[:n], above, below, coverageAbove, coverageBelow)
		case coverage == raster.Valid:
			q.valid(target[:n], above[:same], below[:same])
		default:
			clear(target[:n])
		}
		done := min(2*n, len(above))
		target, above, below = target[n:], above[done:], below[done:]
		coverageAbove, coverageBelow = coverageAbove[done:], coverageBelow[done:]
	}
}

// mixed weighs each pixel by its coverage.
func (q *quad[T]) mixed(target, above, below []T, coverageAbove, coverageBelow []uint8) {
	for x := range target {
		left, right := 2*x, min(2*x+1, len(above)-1)
		target[x] = q.mean(
			[4]T{above[left], above[right], below[left], below[right]},
			[4]uint8{coverageAbove[left], coverageAbove[right], coverageBelow[left], coverageBelow[right]})
	}
}

// mean returns the weighted mean of values, or if q.pick the first value with a weight.
func (q *quad[T]) mean(values [4]T, weights [4]uint8) T {
	if weights == [4]uint8{raster.Valid, raster.Valid, raster.Valid, raster.Valid} && !q.pick {
		return meanOf(values, &q.round) // bit-identical to the result for fully valid rows
	}
	var sum, weight float64
	for i, w := range weights {
		if w == 0 {
			continue // the value may be NaN
		}
		if q.pick {
			return values[i]
		}
		sum += float64(w) * float64(values[i])
		weight += float64(w)
	}
	if weight == 0 {
		return 0
	}
	return q.round.to(sum / weight)
}

func meanOf[T raster.Sample](v [4]T, round *rounder[T]) T {
	return round.to((float64(v[0]) + float64(v[1]) + float64(v[2]) + float64(v[3])) / 4)
}

// halveCoverage returns the mean coverage of each 2x2. It is 0 only if all four are.
func halveCoverage(coverage []uint8, width, height int) []uint8 {
	halfWidth, halfHeight := (width+1)/2, (height+1)/2
	half := make([]uint8, halfWidth*halfHeight)
	for y := range halfHeight {
		row := half[y*halfWidth:][:halfWidth]
		above, below := rowPair(coverage, width, height, y)
		halveBytes(row, above, below)
		for x, c := range row {
			if right := min(2*x+1, width-1); c == 0 && above[2*x]|above[right]|below[2*x]|below[right] != 0 {
				row[x] = 1
			}
		}
	}
	return half
}

// uniformStep is the number of pixels of a row that are compared at once.
const uniformStep = 8

// uniformRun returns the number of leading pixels of two rows whose coverage is all Valid or all
// Invalid. The number is a multiple of uniformStep.
func uniformRun(above, below []uint8) (pixels int, coverage uint8) {
	if len(above) < uniformStep {
		return 0, 0
	}
	first := binary.LittleEndian.Uint64(above)
	if first != 0 && first != math.MaxUint64 {
		return 0, 0
	}
	for len(above) >= uniformStep && binary.LittleEndian.Uint64(above) == first && binary.LittleEndian.Uint64(below) == first {
		pixels += uniformStep
		above, below = above[uniformStep:], below[uniformStep:]
	}
	return pixels, uint8(first)
}
