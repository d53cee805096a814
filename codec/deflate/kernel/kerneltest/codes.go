package kerneltest

// table has the number of codes of each length, the symbols in the order of their codes, and what follows
// from the next bits: a symbol times 16, and the length of its code. There it has 0 for codes that are
// longer.
type table struct{ counts, symbols, lookup, lookupBits uint32 } // places in the scratch memory of the job

const (
	lengthsAt  = 8 // of the codes for literals, then for distances
	maxLengths = 320
	maxBits    = 15
)

var (
	literalTable  = table{328, 344, 632, 9}
	distanceTable = table{1144, 1160, 1192, 8} // first that of code lengths
)

// build builds the table for codes of some lengths. Codes must be complete, except that a single distance
// has a code of one bit.
func (v *invocation) build(t table, first, count uint32, mayBeSingle bool) {
	scratch := v.Scratch[v.job.scratch:]
	counts, symbols, lookup, lengths := scratch[t.counts:], scratch[t.symbols:], scratch[t.lookup:], scratch[first:]
	clear(counts[:maxBits+1])
	clear(lookup[:1<<t.lookupBits])
	for i := range count {
		counts[lengths[i]]++
	}
	codes := count - counts[0]
	counts[0] = 0

	// next is the first code of a length, and starts where its symbols begin.
	var next, starts [maxBits + 1]uint32
	code, start := uint32(0), uint32(0)
	for bits := 1; bits <= maxBits; bits++ {
		code = (code + counts[bits-1]) << 1
		next[bits], starts[bits] = code, start
		start += counts[bits]
		if code+counts[bits] > 1<<bits {
			v.isDamaged = true
			return
		}
	}
	isComplete := code+counts[maxBits] == 1<<maxBits
	if !isComplete && !(mayBeSingle && codes <= 1 && codes == counts[1]) {
		v.isDamaged = true
		return
	}
	for i := range count {
		bits := lengths[i]
		if bits == 0 {
			continue
		}
		symbols[starts[bits]] = i
		starts[bits]++
		if bits <= t.lookupBits {
			for at := reversed(next[bits], bits); at < 1<<t.lookupBits; at += 1 << bits {
				lookup[at] = i<<4 | bits
			}
		}
		next[bits]++
	}
}

// decode takes a symbol.
func (v *invocation) decode(t table) uint32 {
	bits := v.peek()
	found := v.Scratch[v.job.scratch+t.lookup+bits&(1<<t.lookupBits-1)]
	if found != 0 {
		v.position += found & 15
		return found >> 4
	}
	return v.decodeLong(t, bits)
}

// decodeLong takes a symbol bit by bit: the codes of a length are consecutive numbers.
func (v *invocation) decodeLong(t table, bits uint32) uint32 {
	code, first, symbol := uint32(0), uint32(0), v.job.scratch+t.symbols // first is the first code of the length, symbol its place
	for length := uint32(1); length <= maxBits; length++ {
		code |= bits >> (length - 1) & 1
		count := v.Scratch[v.job.scratch+t.counts+length]
		if code-first < count {
			v.position += length
			return v.Scratch[symbol+code-first]
		}
		symbol += count
		first = (first + count) << 1
		code <<= 1
	}
	v.isDamaged = true
	return 0
}
