package wavelet

// Synthesize97 is like Synthesize53, with the 9-7 wavelet. Coefficients are scaled as in the
// standard: the quantization steps of high-pass bands include their gain. A sample has the same
// bits for any window, on every machine.
func Synthesize97(scratch *Scratch[float32], whole Rect, bands *[4]Plane[float32], to Plane[float32]) error {
	if err := checkLevel(Filter97, whole, bands, &to); err != nil || to.Rect.Empty() {
		return err
	}
	l := newLevel97(scratch, whole, bands, to.Rect)
	if whole.Height() == 1 {
		l.singleRow(to.Samples, to.Rect.Y0)
		return nil
	}
	down := newAxis(Filter97, whole.Y0, whole.Y1, to.Rect.Y0, to.Rect.Y1)
	l.synthesize(&down, &to)
	return nil
}

// level97 is the state of one synthesis. memory holds the rows of a vertical step, and before
// them the rows of two bands that are gathered.
type level97 struct {
	bands       *[4]Plane[float32]
	axis        axis
	pairs       int  // of a row in memory; covers the window
	single      bool // the resolution has a single column
	skip, width int  // samples of a row in memory before the window and in it
	memory      [12][]float32
}

func newLevel97(scratch *Scratch[float32], whole Rect, bands *[4]Plane[float32], window Rect) level97 {
	l := level97{
		bands:  bands,
		axis:   newAxis(Filter97, whole.X0, whole.X1, window.X0, window.X1),
		pairs:  wholeVectors((window.X1+1)>>1 - window.X0>>1),
		single: whole.Width() == 1,
		skip:   window.X0 & 1,
		width:  window.Width(),
	}
	scratch.rows(l.memory[:], l.pairs)
	return l
}

// singleRow computes a resolution with a single row.
func (l *level97) singleRow(to []float32, y int) {
	row := l.memory[2]
	if y&1 == 0 {
		l.row(row, LL, y>>1, &onlyEvenRow)
	} else {
		l.row(row, LH, y>>1, &onlyOddRow)
	}
	copy(to[:l.width], row[l.skip:])
}

// synthesize goes down the window, a pair of rows at a time. A step lifts the low row of its pair
// for the first time, then the high row before it, and so on. It completes the even row of the pair
// before and the odd row of the pair before that. Rows outside of the window go to scratch memory.
func (l *level97) synthesize(down *axis, to *Plane[float32]) {
	rows := l.memory[2:]
	low, before, after := rows[0], rows[1], rows[2]
	outside, outsideNext, outsideOdd := rows[3], rows[4], rows[5]
	t := rowStep97{previousLow: rows[6], previousHigh: rows[7], previousEven: outside}
	nextLow, nextHigh := rows[8], rows[9]
	l.row(before, LH, down.high.original(down.high.from), &highRow)
	for n := down.low.from; n <= to.Rect.Y1>>1+1; n++ {
		l.row(low, LL, down.low.original(n), &lowRow)
		l.row(after, LH, down.high.original(n), &highRow)
		t.low, t.before, t.after = low[l.skip:], before[l.skip:], after[l.skip:]
		t.liftedLow, t.liftedHigh = nextLow, nextHigh
		t.even, t.odd = to.rowOr(2*n-2, outsideNext), to.rowOr(2*n-3, outsideOdd)
		down97(&t, l.width)
		nextLow, t.previousLow = t.previousLow, nextLow
		nextHigh, t.previousHigh = t.previousHigh, nextHigh
		outside, outsideNext = outsideNext, outside
		t.previousEven = t.even
		before, after = after, before
	}
}

// row computes a row of the vertical low or high band (LL or LH), from the first sample of the
// first pair on.
func (l *level97) row(to []float32, vertical Orientation, y int, by *scale) {
	if l.single {
		l.singleSample(to, vertical, y, by)
		return
	}
	low := rowOf(&l.bands[vertical], y, &l.axis.low, l.pairs+3, l.memory[0])
	high := rowOf(&l.bands[vertical+HL], y, &l.axis.high, l.pairs+4, l.memory[1])
	across97(to, low, high, l.pairs, by)
}

// singleSample computes a row of a single column.
func (l *level97) singleSample(to []float32, vertical Orientation, y int, by *scale) {
	x := l.axis.first
	if l.skip == 0 {
		to[0] = l.bands[vertical].row(y, x, x+1)[0] * by.single
		return
	}
	to[1] = l.bands[vertical+HL].row(y, x, x+1)[0] * (by.single / 2)
}
