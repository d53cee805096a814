package wavelet

// Synthesize53 computes the window to.Rect of a resolution with the 5-3 wavelet. whole is the
// rectangle of the resolution in its own grid. bands are indexed by Orientation and hold at least
// what Filter53.Needed returns. The value of a sample does not depend on the window. Overflows
// wrap: sums have up to three bits more than samples, so int32 is for components of up to 29 bits.
// The error is ErrPlane if the planes do not fit.
func Synthesize53[T Integer](scratch *Scratch[T], whole Rect, bands *[4]Plane[T], to Plane[T]) error {
	if err := checkLevel(Filter53, whole, bands, &to); err != nil || to.Rect.Empty() {
		return err
	}
	l := newLevel53(scratch, whole, bands, to.Rect)
	if whole.Height() == 1 {
		l.singleRow(to.Samples, to.Rect.Y0)
		return nil
	}
	down := newAxis(Filter53, whole.Y0, whole.Y1, to.Rect.Y0, to.Rect.Y1)
	l.synthesize(&down, &to)
	return nil
}

// level53 is the state of one synthesis. memory holds the rows of a vertical step, and before
// them the rows of two bands that are gathered.
type level53[T Integer] struct {
	bands       *[4]Plane[T]
	axis        axis
	pairs       int  // of a row in memory; covers the window
	single      bool // the resolution has a single column
	skip, width int  // samples of a row in memory before the window and in it
	memory      [8][]T
}

func newLevel53[T Integer](scratch *Scratch[T], whole Rect, bands *[4]Plane[T], window Rect) level53[T] {
	l := level53[T]{
		bands:  bands,
		axis:   newAxis(Filter53, whole.X0, whole.X1, window.X0, window.X1),
		pairs:  wholeVectors53[T]((window.X1+1)>>1 - window.X0>>1),
		single: whole.Width() == 1,
		skip:   window.X0 & 1,
		width:  window.Width(),
	}
	scratch.rows(l.memory[:], l.pairs)
	return l
}

// singleRow computes a resolution with a single row.
func (l *level53[T]) singleRow(to []T, y int) {
	row := l.memory[2]
	l.row(row, Orientation(y&1)<<1, y>>1)
	copy(to[:l.width], row[l.skip:])
	if y&1 != 0 {
		halve(to[:l.width])
	}
}

// synthesize goes down the window, a pair of rows at a time. A step computes its even row. The odd
// row needs the next even row and is computed by the next step. Rows outside of the window go to
// scratch memory.
func (l *level53[T]) synthesize(down *axis, to *Plane[T]) {
	low, before, after := l.memory[2], l.memory[3], l.memory[4]
	outside, outsideNext, outsideOdd := l.memory[5], l.memory[6], l.memory[7]
	previous := outside
	l.row(before, LH, down.high.original(down.first-1))
	for n := down.first; n <= to.Rect.Y1>>1; n++ {
		l.row(low, LL, down.low.original(n))
		l.row(after, LH, down.high.original(n))
		even, odd := to.rowOr(2*n, outsideNext), to.rowOr(2*n-1, outsideOdd)
		down53(even[:l.width], odd, low[l.skip:], before[l.skip:], after[l.skip:], previous)
		previous, before, after = even, after, before
		outside, outsideNext = outsideNext, outside
	}
}

// row computes a row of the vertical low or high band (LL or LH), from the first sample of the
// first pair on.
func (l *level53[T]) row(to []T, vertical Orientation, y int) {
	if l.single {
		l.singleSample(to, vertical, y)
		return
	}
	low := rowOf(&l.bands[vertical], y, &l.axis.low, l.pairs+1, l.memory[0])
	high := rowOf(&l.bands[vertical+HL], y, &l.axis.high, l.pairs+2, l.memory[1])
	across53(to, low, high, l.pairs)
}

// singleSample computes a row of a single column.
func (l *level53[T]) singleSample(to []T, vertical Orientation, y int) {
	x := l.axis.first
	if l.skip == 0 {
		to[0] = l.bands[vertical].row(y, x, x+1)[0]
		return
	}
	to[1] = l.bands[vertical+HL].row(y, x, x+1)[0] / 2
}

func halve[T Integer](samples []T) {
	for i := range samples {
		samples[i] /= 2
	}
}
