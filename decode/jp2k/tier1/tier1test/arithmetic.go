package tier1test

// probability is a row of table C.2: the estimate for the less probable symbol (LPS), the following
// rows, and whether the more probable symbol (MPS) switches.
type probability struct {
	lps                uint32
	afterMPS, afterLPS int
	switchesMPS        bool
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

// contextState is the state of a context.
type contextState struct{ row, mps int }

// initialContexts returns the states of table D.7.
func initialContexts() (initial [contexts]contextState) {
	initial[0].row = 4
	initial[runContext].row = 3
	initial[uniformContext].row = 46
	return initial
}

// update changes the state after a symbol.
func (l *contextState) update(symbol int) {
	p := &probabilities[l.row]
	if symbol == l.mps {
		l.row = p.afterMPS
		return
	}
	if p.switchesMPS {
		l.mps = 1 - l.mps
	}
	l.row = p.afterLPS
}

// arithmeticEncoder is the encoder of annex C of the standard. Its registers have the names of the
// standard.
type arithmeticEncoder struct {
	a, c     uint32
	ct       int
	bytes    []byte // the first byte is not part of the code
	contexts [contexts]contextState
}

func (e *arithmeticEncoder) begin() { e.a, e.c, e.ct, e.bytes = 0x8000, 0, 12, []byte{0} }

func (e *arithmeticEncoder) encode(context, symbol int) {
	l := &e.contexts[context]
	lps := probabilities[l.row].lps
	e.a -= lps
	isMPS := symbol == l.mps
	if isMPS && e.a&0x8000 != 0 {
		e.c += lps
		return
	}
	if isMPS == (e.a < lps) {
		e.a = lps
	} else {
		e.c += lps
	}
	l.update(symbol)
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

// flush ends the codeword and returns it.
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
	contexts [contexts]contextState
}

// byteAt returns a byte of the codeword. A marker follows the last byte.
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
	lps := probabilities[l.row].lps
	d.a -= lps
	symbol := l.mps
	if d.c>>16 < lps {
		if d.a >= lps {
			symbol = 1 - symbol
		}
		d.a = lps
	} else {
		d.c -= lps << 16
		if d.a&0x8000 != 0 {
			return symbol
		}
		if d.a < lps {
			symbol = 1 - symbol
		}
	}
	l.update(symbol)
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
