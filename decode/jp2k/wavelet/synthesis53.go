package wavelet

// Synthesize53 makes the window to.Rect of a resolution, whole of which is a rectangle of its own grid, with the 5-3
// wavelet. Bands are by their Orientation and hold what Filter53.Needed says at least. A sample has the same value
// whatever window it is made in. What overflows wraps: sums have up to three bits more than samples, so that int32 is for
// components of up to 29 bits. The error is ErrPlane, and is for planes that do not fit.
func Synthesize53[T int32 | int64](scratch *Scratch[T], whole Rect, bands *[4]Plane[T], to Plane[T]) error {
	if err := checkLevel(Filter53, whole, bands, &to); err != nil || to.Rect.Empty() {
		return err
	}
	l := newLevel53(scratch, whole, bands, to.Rect)
	if whole.Height() == 1 {
		l.loneRow(to.Samples, to.Rect.Y0)
		return nil
	}
	down := newLine(Filter53, whole.Y0, whole.Y1, to.Rect.Y0, to.Rect.Y1)
	l.roll(&down, &to)
	return nil
}

// level53 is one synthesis. Its memory are the rows of a turn, and those that a row is gathered in.
type level53[T int32 | int64] struct {
	bands       *[4]Plane[T]
	line        line
	pairs       int  // of a row in memory, some more than touch the window
	lone        bool // a single column
	skip, width int  // of a row in memory, what belongs to the window
	memory      [8][]T
}

func newLevel53[T int32 | int64](scratch *Scratch[T], whole Rect, bands *[4]Plane[T], window Rect) level53[T] {
	l := level53[T]{
		bands: bands,
		line:  newLine(Filter53, whole.X0, whole.X1, window.X0, window.X1),
		pairs: wholeVectors((window.X1+1)>>1 - window.X0>>1),
		lone:  whole.Width() == 1,
		skip:  window.X0 & 1,
		width: window.Width(),
	}
	scratch.rows(l.memory[:], l.pairs)
	return l
}

// loneRow is the only row of a resolution.
func (l *level53[T]) loneRow(to []T, y int) {
	row := l.memory[2]
	l.row(row, Orientation(y&1)<<1, y>>1)
	copy(to[:l.width], row[l.skip:])
	if y&1 != 0 {
		halve(to[:l.width])
	}
}

// roll goes down the window a pair of rows a turn. A turn makes its even row; the odd one lacks the next even row, and
// is made in the turn that follows. Rows outside of the window are made where they are in nobody's way.
func (l *level53[T]) roll(down *line, to *Plane[T]) {
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

// row makes a row of the vertical low or high band, LL or LH, from the first sample of the first pair on.
func (l *level53[T]) row(to []T, vertical Orientation, y int) {
	low, high := l.memory[0], l.memory[1]
	if l.lone {
		l.loneSample(to, vertical, y)
		return
	}
	gather(low, &l.bands[vertical], y, &l.line.low)
	gather(high, &l.bands[vertical+HL], y, &l.line.high)
	across53(to, low, high, l.pairs)
}

// loneSample is a row of a single column.
func (l *level53[T]) loneSample(to []T, vertical Orientation, y int) {
	x := l.line.first
	if l.skip == 0 {
		to[0] = l.bands[vertical].row(y, x, x+1)[0]
		return
	}
	to[1] = l.bands[vertical+HL].row(y, x, x+1)[0] / 2
}

func halve[T int32 | int64](samples []T) {
	for i := range samples {
		samples[i] /= 2
	}
}
