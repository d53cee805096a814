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
// high with two samples before it. Each has two more after the pairs.
func across97(to, low, high []float32, pairs int, by *scale) {
	done := across97Vectors(to, low, high, pairs, by)
	across97InGo(to[2*done:], low[done:], high[done:], pairs-done, by)
}

// across97InGo lifts each sample of low for the first time, then the sample of high before it, and
// so on, like a vertical step. A pair is complete three samples later.
//
// The products are converted to float32. This forbids fusing them with a sum, which would round
// differently.
func across97InGo(to, low, high []float32, pairs int, by *scale) {
	if pairs == 0 {
		return
	}
	low, high = low[:pairs+3], high[:pairs+4]
	weight := delta * by.high
	var previousLow, previousHigh, even float32
	for i := range low {
		low := float32(by.low*low[i]) - float32(weight*(high[i]+high[i+1]))
		high := float32(by.high*high[i]) - float32(gamma*(previousLow+low))
		here := previousLow - float32(beta*(previousHigh+high))
		if pair := i - 3; pair >= 0 {
			to[2*pair] = even
			to[2*pair+1] = previousHigh - float32(alpha*(even+here))
		}
		previousLow, previousHigh, even = low, high, here
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
