package tier1test

// probability is a row of table C.2: the estimate of the less probable symbol, the rows that follow, and whether the more
// probable symbol changes.
type probability struct {
	less                 uint32
	afterMore, afterLess int
	changes              bool
}

var probabilities = []probability{
	{0x5601, 1, 1, true}, {0x3401, 2, 6, false}, {0x1801, 3, 9, false}, {0x0AC1, 4, 12, false},
	{0x0521, 5, 29, false}, {0x0221, 38, 33, false}, {0x5601, 7, 6, true}, {0x5401, 8, 14, false},
	{0x4801, 9, 14, false}, {0x3801, 10, 14, false}, {0x3001, 11, 17, false}, {0x2401, 12, 18, false},
	{0x1C01, 13, 20, false}, {0x1601, 29, 21, false}, {0x5601, 15, 14, true}, {0x5401, 16, 14, false},
	{0x5101, 17, 15, false}, {0x4801, 18, 16, false}, {0x3801, 19, 17, false}, {0x3401, 20, 18, false},
	{0x3001, 21, 19, false}, {0x2801, 22, 19, false}, {0x2401, 23, 20, false}, {0x2201, 24, 21, false},
	{0x1C01, 25, 22, false}, {0x1801, 26, 23, false}, {0x1601, 27, 24, false}, {0x1401, 28, 25, false},
	{0x1201, 29, 26, false}, {0x1101, 30, 27, false}, {0x0AC1, 31, 28, false}, {0x09C1, 32, 29, false},
	{0x08A1, 33, 30, false}, {0x0521, 34, 31, false}, {0x0441, 35, 32, false}, {0x02A1, 36, 33, false},
	{0x0221, 37, 34, false}, {0x0141, 38, 35, false}, {0x0111, 39, 36, false}, {0x0085, 40, 37, false},
	{0x0049, 41, 38, false}, {0x0025, 42, 39, false}, {0x0015, 43, 40, false}, {0x0009, 44, 41, false},
	{0x0005, 45, 42, false}, {0x0001, 45, 43, false}, {0x5601, 46, 46, false},
}

// learned is the state of a context.
type learned struct{ row, more int }

// freshContexts are by table D.7.
func freshContexts() (fresh [contexts]learned) {
	fresh[0].row = 4
	fresh[runContext].row = 3
	fresh[uniformContext].row = 46
	return fresh
}

// learn changes the state after a symbol.
func (l *learned) learn(symbol int) {
	p := &probabilities[l.row]
	if symbol == l.more {
		l.row = p.afterMore
		return
	}
	if p.changes {
		l.more = 1 - l.more
	}
	l.row = p.afterLess
}

// arithmeticEncoder is the encoder of the standard's annex C, its registers under their names there.
type arithmeticEncoder struct {
	a, c     uint32
	ct       int
	bytes    []byte // the first is none of the code
	contexts [contexts]learned
}

func (e *arithmeticEncoder) begin() { e.a, e.c, e.ct, e.bytes = 0x8000, 0, 12, []byte{0} }

func (e *arithmeticEncoder) encode(context, symbol int) {
	l := &e.contexts[context]
	less := probabilities[l.row].less
	e.a -= less
	isMore := symbol == l.more
	if isMore && e.a&0x8000 != 0 {
		e.c += less
		return
	}
	if isMore == (e.a < less) {
		e.a = less
	} else {
		e.c += less
	}
	l.learn(symbol)
	for e.a&0x8000 == 0 {
		e.a <<= 1
		e.c <<= 1
		e.ct--
		if e.ct == 0 {
			e.byteOut()
		}
	}
}

func (e *arithmeticEncoder) byteOut() {
	last := &e.bytes[len(e.bytes)-1]
	if *last != 0xFF && e.c >= 0x8000000 {
		*last++
		e.c &= 0x7FFFFFF
	}
	bits := 8
	if *last == 0xFF {
		bits = 7
	}
	e.bytes = append(e.bytes, byte(e.c>>(27-bits)))
	e.c &= 1<<(27-bits) - 1
	e.ct = bits
}

// flush ends the codeword and gives it.
func (e *arithmeticEncoder) flush() []byte {
	end := e.c + e.a
	e.c |= 0xFFFF
	if e.c >= end {
		e.c -= 0x8000
	}
	for range 2 {
		e.c <<= e.ct
		e.byteOut()
	}
	if e.bytes[len(e.bytes)-1] == 0xFF {
		e.bytes = e.bytes[:len(e.bytes)-1]
	}
	return e.bytes[1:]
}

// arithmeticDecoder is the decoder of annex C.
type arithmeticDecoder struct {
	a, c     uint32
	ct, at   int
	bytes    []byte
	contexts [contexts]learned
}

// byteAt is a byte of the codeword, behind which there is a marker.
func (d *arithmeticDecoder) byteAt(i int) uint32 {
	if i < len(d.bytes) {
		return uint32(d.bytes[i])
	}
	return 0xFF
}

func (d *arithmeticDecoder) begin(codeword []byte) {
	d.bytes, d.at = codeword, 0
	d.c = d.byteAt(0) << 16
	d.byteIn()
	d.c <<= 7
	d.ct -= 7
	d.a = 0x8000
}

func (d *arithmeticDecoder) byteIn() {
	next := d.byteAt(d.at + 1)
	switch {
	case d.byteAt(d.at) != 0xFF:
		d.at++
		d.c += next << 8
		d.ct = 8
	case next > 0x8F:
		d.c += 0xFF00
		d.ct = 8
	default:
		d.at++
		d.c += next << 9
		d.ct = 7
	}
}

func (d *arithmeticDecoder) decode(context int) int {
	l := &d.contexts[context]
	less := probabilities[l.row].less
	d.a -= less
	symbol := l.more
	if d.c>>16 < less {
		if d.a >= less {
			symbol = 1 - symbol
		}
		d.a = less
	} else {
		d.c -= less << 16
		if d.a&0x8000 != 0 {
			return symbol
		}
		if d.a < less {
			symbol = 1 - symbol
		}
	}
	l.learn(symbol)
	for d.a&0x8000 == 0 {
		if d.ct == 0 {
			d.byteIn()
		}
		d.a <<= 1
		d.c <<= 1
		d.ct--
	}
	return symbol
}
