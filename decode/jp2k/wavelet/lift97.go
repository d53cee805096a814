package wavelet

// The constants of the standard. Lifting steps subtract what the analysis added, in the opposite
// order.
const (
	alpha   float32 = -1.586134342059924
	beta    float32 = -0.052980118572961
	gamma   float32 = 0.882911075530934
	delta   float32 = 0.443506852043971
	scaling         = 1.230174104914001 // K
)

// scale holds the factors of the two bands of a row. They combine the scaling of both directions,
// so that the vertical direction multiplies nothing.
type scale struct {
	low, high float32
	single    float32 // for rows of a single sample, which are not lifted
}

var (
	lowRow      = scale{scaling * scaling, 1, scaling}
	highRow     = scale{1, 1 / (scaling * scaling), 1 / scaling}
	onlyEvenRow = scale{scaling, 1 / scaling, 1}
	onlyOddRow  = scale{scaling / 2, 1 / scaling / 2, 0.5}
)

// across97 computes pairs of samples of a row. low begins with the sample before the first pair,
// high with two samples before it; each has two more after the pairs. Both are lifted in place, a
// few samples further than needed, so that vectors are whole.
func across97(to, low, high []float32, pairs int, by *scale) {
	steps := wholeVectors(pairs + 3)
	lift(low[:steps], low, high, by.low, delta*by.high)
	lift(high[1:1+steps], high[1:], low, by.high, gamma)
	lift(low[1:1+steps], low[1:], high[1:], 1, beta)
	across97Last(to, low[1:], high[2:], pairs)
}

// lift computes a lifting step: to = scale * from - weight * (the sum of the two neighbors in the
// other band).
func lift(to, from, neighbors []float32, scale, weight float32) {
	done := liftVectors(to, from, neighbors, scale, weight)
	liftInGo(to[done:], from[done:], neighbors[done:], scale, weight)
}

// The products are converted to float32. This forbids fusing them with a sum, which would round
// differently.
func liftInGo(to, from, neighbors []float32, scale, weight float32) {
	if len(to) == 0 {
		return
	}
	from, neighbors = from[:len(to)], neighbors[:len(to)+1]
	before := neighbors[0]
	for i, after := range neighbors[1:] {
		to[i] = float32(scale*from[i]) - float32(weight*(before+after))
		before = after
	}
}

// across97Last computes the last lifting step, of high, and interleaves the samples as pairs.
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

// rowStep97 holds the rows of one vertical step, which lifts each of four successive rows one
// lifting step further. The output rows share no memory with the input rows, so that columns may be
// computed twice.
type rowStep97 struct {
	before, low, after []float32 // a row of the low band between its neighbors of the high band

	// Rows after one lifting step: low, and the high row before it. The previous step computed the
	// same, one pair of rows higher.
	previousLow, liftedLow   []float32
	previousHigh, liftedHigh []float32

	// Rows after all lifting steps: the results of previousLow and previousHigh.
	previousEven, even []float32
	odd                []float32
}

// down97 computes a vertical step.
func down97(t *rowStep97, width int) {
	t.from(down97Vectors(t, width), width)
}

// from computes the columns from first on.
func (t *rowStep97) from(first, width int) {
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
