package kerneltest

import "math"

func float(word uint32) float32 { return math.Float32frombits(word) }
func bits(v float32) uint32     { return math.Float32bits(v) }

// span is the samples from the first on, before the last.
type span struct{ first, last int32 }

func (s span) length() uint32 { return uint32(s.last - s.first) }

// pairs returns the number of pairs that a span has samples of.
func (s span) pairs() uint32 { return uint32((s.last+1)>>1 - s.first>>1) }

// level is a level of a component: its resolution, the window of it, and the samples of the bands that are
// there. The windows of LL, HL, LH and HH follow each other.
type level struct {
	wholeX, wholeY, windowX, windowY span
	lowX, highX, lowY, highY         span
	bands, rows, made                uint32
}

func (j *job) levelOf(number uint32) *level {
	r := j.Input[j.levelsAt()+levelWords*number:]
	pair := func(first, last int) span { return span{int32(r[first]), int32(r[last])} }
	return &level{
		wholeX: pair(0, 2), wholeY: pair(1, 3), windowX: pair(4, 6), windowY: pair(5, 7),
		lowX: pair(8, 9), highX: pair(10, 11), lowY: pair(12, 13), highY: pair(14, 15),
		bands: j.scratch + r[16], rows: j.scratch + r[17], made: j.scratch + r[18],
	}
}

// line is a row or a column of a resolution, of which low and high bands have samples.
type line struct {
	*job
	whole, low, high     span
	lowAt, highAt, every uint32
}

func (l *line) lowOf(n int32) uint32  { return l.sampleOf(l.low, l.lowAt, 2*n) }
func (l *line) highOf(n int32) uint32 { return l.sampleOf(l.high, l.highAt, 2*n+1) }

const mirrorings = 8 // as many as the shortest line needs

// sampleOf returns the sample of a band at a position of the line. Beyond its ends a line is mirrored.
func (l *line) sampleOf(band span, first uint32, at int32) uint32 {
	for i := 0; i < mirrorings && (at < l.whole.first || at >= l.whole.last); i++ {
		if at < l.whole.first {
			at = 2*l.whole.first - at
		} else {
			at = 2*(l.whole.last-1) - at
		}
	}
	return l.Scratch[first+uint32(max(min(at>>1, band.last-1)-band.first, 0))*l.every]
}

// scale has the factors of the two bands of a line, the weight of the high band in the first lifting step,
// and the factor of a line of one sample.
type scale struct{ low, high, weight, single float32 }

const (
	alpha float32 = -1.5861343
	beta  float32 = -0.052980117
	gamma float32 = 0.8829111
)

// scaleOf returns the factors of a row. They combine those of both directions.
func (l *level) scaleOf(isHigh bool) scale {
	switch isOne := l.wholeY.length() == 1; {
	case isOne && isHigh:
		return scale{0.61508703, 0.40644655, 0.18026184, 0.5}
	case isOne:
		return scale{1.2301741, 0.8128931, 0.36052367, 1}
	case isHigh:
		return scale{1, 0.66079515, 0.2930672, 0.8128931}
	}
	return scale{1.5133283, 1, 0.44350687, 1.2301741}
}

// scaleDown has the factors of a column.
var scaleDown = scale{1, 1, 0.44350687, 1}

// pairOf returns a pair of samples.
func (l *line) pairOf(n int32, s scale) [2]uint32 {
	if l.isReversible {
		return l.pair53(n)
	}
	return l.pair97(n, s)
}

func (l *line) pair53(n int32) [2]uint32 {
	before, here, after := int32(l.highOf(n-1)), int32(l.highOf(n)), int32(l.highOf(n+1))
	even := int32(l.lowOf(n)) - (before+here+2)>>2
	next := int32(l.lowOf(n+1)) - (here+after+2)>>2
	return [2]uint32{uint32(even), uint32(here + (even+next)>>1)}
}

// pair97 takes four lifting steps: of low, of high, of low, and of high.
func (l *line) pair97(n int32, s scale) [2]uint32 {
	var high [5]float32
	var low [4]float32
	for i := range high {
		high[i] = float(l.highOf(n - 2 + int32(i)))
	}
	for i := range low {
		low[i] = lifted(float(l.lowOf(n-1+int32(i))), s.low, s.weight, high[i]+high[i+1])
	}
	var again [3]float32
	for i := range again {
		again[i] = lifted(high[i+1], s.high, gamma, low[i]+low[i+1])
	}
	even := lifted(low[1], 1, beta, again[0]+again[1])
	next := lifted(low[2], 1, beta, again[1]+again[2])
	return [2]uint32{bits(even), bits(lifted(again[1], 1, alpha, even+next))}
}

// lifted returns a sample after a lifting step. The products are not fused with the difference.
func lifted(sample, factor, weight, sumOfNeighbors float32) float32 {
	return float32(factor*sample) - float32(weight*sumOfNeighbors)
}

// singleOf returns the only sample of a line, from the low band if its position is even, or the high one.
func (l *line) singleOf(s scale) uint32 {
	switch isOdd := l.whole.first&1 != 0; {
	case isOdd && l.isReversible:
		return uint32(int32(l.Scratch[l.highAt]) / 2)
	case isOdd:
		return bits(float(l.Scratch[l.highAt]) * (s.single / 2))
	case l.isReversible:
		return l.Scratch[l.lowAt]
	}
	return bits(float(l.Scratch[l.lowAt]) * s.single)
}

// across computes the rows of the next level.
func (j *job) across() {
	number := j.Scratch[j.scratch+levelsDown]
	j.Scratch[j.scratch+levelsAcross] = number + 1
	j.eachLevel(number, func(l *level) {
		pairs := l.windowX.pairs()
		for i := range pairs * (l.lowY.length() + l.highY.length()) {
			j.acrossPair(l, i/pairs, int32(i%pairs))
		}
	})
}

// eachLevel calls do with a level of each component that has as many.
func (j *job) eachLevel(number uint32, do func(*level)) {
	for component := range j.components {
		if at := j.componentsAt() + componentWords*component; number < j.Input[at] {
			do(j.levelOf(j.Input[at+1] + number))
		}
	}
}

func (j *job) acrossPair(l *level, row uint32, pair int32) {
	lowWidth, highWidth, lowRows, highRows := l.lowX.length(), l.highX.length(), l.lowY.length(), l.highY.length()
	line := line{job: j, whole: l.wholeX, low: l.lowX, high: l.highX, lowAt: l.bands, every: 1}
	isHigh := row >= lowRows
	if isHigh {
		line.lowAt += lowRows*(lowWidth+highWidth) + (row-lowRows)*lowWidth
		line.highAt = l.bands + lowRows*(lowWidth+highWidth) + highRows*lowWidth + (row-lowRows)*highWidth
	} else {
		line.lowAt += row * lowWidth
		line.highAt = l.bands + lowRows*lowWidth + row*highWidth
	}
	n := l.windowX.first>>1 + pair
	var made [2]uint32
	if l.wholeX.length() == 1 {
		single := line.singleOf(l.scaleOf(isHigh))
		made = [2]uint32{single, single}
	} else {
		made = line.pairOf(n, l.scaleOf(isHigh))
	}
	j.keep(l.windowX, n, made, l.rows+row*l.windowX.length(), 1)
}

// keep stores the samples of a pair that lie in a window.
func (j *job) keep(window span, n int32, made [2]uint32, to, every uint32) {
	for i, sample := range made {
		if at := 2*n + int32(i) - window.first; at >= 0 && at < window.last-window.first {
			j.Scratch[to+uint32(at)*every] = sample
		}
	}
}

// down computes the columns of the level whose rows were computed.
func (j *job) down() {
	number := j.Scratch[j.scratch+levelsAcross] - 1
	j.Scratch[j.scratch+levelsDown] = number + 1
	j.eachLevel(number, func(l *level) {
		width := l.windowX.length()
		for i := range l.windowY.pairs() * width {
			j.downPair(l, int32(i/width), i%width)
		}
	})
}

func (j *job) downPair(l *level, pair int32, x uint32) {
	width, lowAt := l.windowX.length(), l.rows+x
	line := line{job: j, whole: l.wholeY, low: l.lowY, high: l.highY, lowAt: lowAt, highAt: lowAt + l.lowY.length()*width, every: width}
	n := l.windowY.first>>1 + pair
	var made [2]uint32
	switch isOne := l.wholeY.length() == 1; {
	case isOne && j.isReversible:
		single := line.singleOf(scaleDown)
		made = [2]uint32{single, single}
	case isOne:
		made = [2]uint32{j.Scratch[lowAt], j.Scratch[lowAt]} // the row was scaled for both directions
	default:
		made = line.pairOf(n, scaleDown)
	}
	j.keep(l.windowY, n, made, l.made+x, width)
}
