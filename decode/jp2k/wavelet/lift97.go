package wavelet

// The constants of the standard. Lifting steps take away what analysis added, in the opposite order.
const (
	alpha   float32 = -1.586134342059924
	beta    float32 = -0.052980118572961
	gamma   float32 = 0.882911075530934
	delta   float32 = 0.443506852043971
	scaling         = 1.230174104914001 // K
)

// scale is by what the samples of the two bands of a row are multiplied: what both directions ask for at once, so that going
// down multiplies nothing.
type scale struct {
	low, high float32
	lone      float32 // where a row is a single sample, and nothing is done across
}

var (
	lowRow      = scale{scaling * scaling, 1, scaling}
	highRow     = scale{1, 1 / (scaling * scaling), 1 / scaling}
	onlyEvenRow = scale{scaling, 1 / scaling, 1}
	onlyOddRow  = scale{scaling / 2, 1 / scaling / 2, 0.5}
)

// across97 makes pairs of samples of a row. low begins with what lies before the first pair, and has two more than pairs
// beyond that; high begins with two, and has as many more. Both are lifted in place, some more of them than that so that
// vectors are whole.
func across97(to, low, high []float32, pairs int, by *scale) {
	steps := wholeVectors(pairs + 3)
	lift(low[:steps], low, high, by.low, delta*by.high)
	lift(high[1:1+steps], high[1:], low, by.high, gamma)
	lift(low[1:1+steps], low[1:], high[1:], 1, beta)
	across97Last(to, low[1:], high[2:], pairs)
}

// lift is a lifting step: of each sample, times its scale, it takes away weight times the sum of its two neighbours in
// the other band.
func lift(to, from, neighbours []float32, scale, weight float32) {
	done := liftVectors(to, from, neighbours, scale, weight)
	liftInGo(to[done:], from[done:], neighbours[done:], scale, weight)
}

// Products are converted, which forbids to fuse them with a sum: that would make other bits.
func liftInGo(to, from, neighbours []float32, scale, weight float32) {
	if len(to) == 0 {
		return
	}
	from, neighbours = from[:len(to)], neighbours[:len(to)+1]
	before := neighbours[0]
	for i, after := range neighbours[1:] {
		to[i] = float32(scale*from[i]) - float32(weight*(before+after))
		before = after
	}
}

// across97Last is the last lifting step, of high, which lays the samples out as pairs.
func across97Last(to, low, high []float32, pairs int) {
	done := across97LastVectors(to, low, high, pairs)
	across97LastInGo(to[2*done:], low[done:], high[done:], pairs-done)
}

func across97LastInGo(to, low, high []float32, pairs int) {
	if pairs == 0 {
		return
	}
	to, high, low = to[:2*pairs], high[:pairs], low[:pairs+1]
	even := low[0]
	for i, next := range low[1:] {
		to[2*i] = even
		to[2*i+1] = high[i] - float32(alpha*(even+next))
		even = next
	}
}

// turn97 are the rows of a turn down, which lifts each of four rows one above the other a step further. No row that is
// made shares memory with one that is taken, so that some columns may be made twice.
type turn97 struct {
	before, low, after []float32 // a row of the low band between its neighbours of the high one

	// Lifted once: low, and the high row before it. The turn before did the same a pair of rows further up.
	previousLow, liftedLow   []float32
	previousHigh, liftedHigh []float32

	// Lifted twice, which is all: the rows that previousLow and previousHigh become.
	previousEven, even []float32
	odd                []float32
}

// down97 does a turn.
func down97(t *turn97, width int) {
	t.from(down97Vectors(t, width), width)
}

// from does the columns from one on.
func (t *turn97) from(first, width int) {
	low, before, after := t.low[:width], t.before[:width], t.after[:width]
	previousLow, previousHigh, previousEven := t.previousLow[:width], t.previousHigh[:width], t.previousEven[:width]
	liftedLow, liftedHigh, even, odd := t.liftedLow[:width], t.liftedHigh[:width], t.even[:width], t.odd[:width]
	for i := first; i < width; i++ {
		low := low[i] - float32(delta*(before[i]+after[i]))
		high := before[i] - float32(gamma*(previousLow[i]+low))
		here := previousLow[i] - float32(beta*(previousHigh[i]+high))
		liftedLow[i], liftedHigh[i], even[i] = low, high, here
		odd[i] = previousHigh[i] - float32(alpha*(previousEven[i]+here))
	}
}
