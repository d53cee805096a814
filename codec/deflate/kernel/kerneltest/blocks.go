package kerneltest

// What an invocation does next.
const (
	atBlock = iota
	inStored
	atLengths
	atTable
	inCodes
	inMatch
	atEnd
)

// Which table is built next.
const (
	ofLengths = iota
	ofLiterals
	ofDistances
)

// place is where an invocation is in the stream.
type place struct {
	mode      uint32
	isFinal   uint32 // whether this is the last block
	left      uint32 // bytes of a stored block or of a match
	distance  uint32 // of the match
	nextTable uint32 // which table is built next
	literals  uint32 // codes for literals and lengths
	distances uint32
}

const headerSymbols = 19

// beginBlock reads the beginning of a block.
func (v *invocation) beginBlock() {
	v.isFinal = v.take(1)
	switch v.take(2) {
	case 0:
		v.position = (v.position + 7) / 8 * 8
		v.left = v.take(16)
		if v.take(16) != v.left^0xFFFF {
			v.isDamaged = true
		}
		v.mode = inStored
	case 1:
		for i := range uint32(maxLengths) {
			v.Scratch[v.job.scratch+lengthsAt+i] = fixedLength(i)
		}
		v.literals, v.distances = 288, 32
		v.nextTable = ofLiterals
		v.mode = atTable
	case 2:
		v.literals = 257 + v.take(5)
		v.distances = 1 + v.take(5)
		v.readHeaderLengths(4 + v.take(4))
		if v.literals > 286 || v.distances > 30 {
			v.isDamaged = true
		}
		v.nextTable = ofLengths
		v.mode = atTable
	default:
		v.isDamaged = true
	}
}

// fixedLength returns the length of a fixed code.
func fixedLength(symbol uint32) uint32 {
	switch {
	case symbol < 144:
		return 8
	case symbol < 256:
		return 9
	case symbol < 280:
		return 7
	case symbol < 288:
		return 8
	}
	return 5 // a distance
}

// readHeaderLengths reads the code that code lengths are coded with. Its lengths come in an order in which
// the last ones are often 0 and left out.
func (v *invocation) readHeaderLengths(count uint32) {
	order := [headerSymbols]uint32{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
	for i, symbol := range order {
		length := uint32(0)
		if uint32(i) < count {
			length = v.take(3)
		}
		v.Scratch[v.job.scratch+lengthsAt+symbol] = length
	}
}

// readLengths reads the lengths of the codes for literals and distances.
func (v *invocation) readLengths() {
	last := uint32(0)
	for i := uint32(0); i < v.literals+v.distances && !v.isDamaged; {
		symbol := v.decode(distanceTable)
		repeated, times := symbol, uint32(1)
		switch symbol {
		case 16:
			if i == 0 {
				v.isDamaged = true
			}
			repeated, times = last, 3+v.take(2)
		case 17:
			repeated, times = 0, 3+v.take(3)
		case 18:
			repeated, times = 0, 11+v.take(7)
		}
		if times > v.literals+v.distances-i {
			v.isDamaged = true
			return
		}
		for end := i + times; i < end; i++ {
			v.Scratch[v.job.scratch+lengthsAt+i] = repeated
		}
		last = repeated
	}
	v.nextTable = ofLiterals
	v.mode = atTable
}

// buildNext builds one table.
func (v *invocation) buildNext() {
	table, first, count := distanceTable, uint32(lengthsAt), uint32(headerSymbols)
	if v.nextTable == ofLiterals {
		table, count = literalTable, v.literals
	}
	if v.nextTable == ofDistances {
		first, count = first+v.literals, v.distances
	}
	v.build(table, first, count, v.nextTable == ofDistances)
	switch v.nextTable {
	case ofLengths:
		v.mode = atLengths
	case ofLiterals:
		v.nextTable = ofDistances
	default:
		v.mode = inCodes
	}
}

// takeSymbol takes a literal, a match or the end of a block.
func (v *invocation) takeSymbol() {
	symbol := v.decode(literalTable)
	if symbol < 256 {
		v.put(symbol)
		return
	}
	if symbol == 256 {
		v.endBlock()
		return
	}
	v.left = v.lengthOf(symbol - 257)
	v.distance = v.distanceOf(v.decode(distanceTable))
	if v.distance > v.made {
		v.isDamaged = true
	}
	v.mode = inMatch
}

// lengthOf returns the length of a match. From the ninth on, four symbols each share a number of extra bits.
func (v *invocation) lengthOf(symbol uint32) uint32 {
	switch {
	case symbol < 8:
		return 3 + symbol
	case symbol == 28:
		return 258
	case symbol > 28:
		v.isDamaged = true
		return 3
	}
	extra := symbol/4 - 1
	return 3 + (4+symbol%4)<<extra + v.take(extra)
}

// distanceOf returns the distance of a match. From the fifth on, two symbols each share a number of extra
// bits.
func (v *invocation) distanceOf(symbol uint32) uint32 {
	switch {
	case symbol < 4:
		return 1 + symbol
	case symbol > 29:
		v.isDamaged = true
		return 1
	}
	extra := symbol/2 - 1
	return 1 + (2+symbol%2)<<extra + v.take(extra)
}

// endBlock goes on with the next block, if there is one.
func (v *invocation) endBlock() {
	v.mode = atBlock
	if v.isFinal == 1 {
		v.mode = atEnd
	}
}

// copyStored copies some bytes of a stored block.
func (v *invocation) copyStored() {
	for i := 0; i < bytesPerRound && v.left > 0; i++ {
		v.put(v.take(8))
		v.left--
	}
	if v.left == 0 {
		v.endBlock()
	}
}

// copyMatch copies some bytes of a match.
func (v *invocation) copyMatch() {
	for i := 0; i < bytesPerRound && v.left > 0; i++ {
		v.put(v.before(v.distance))
		v.left--
	}
	if v.left == 0 {
		v.mode = inCodes
	}
}
