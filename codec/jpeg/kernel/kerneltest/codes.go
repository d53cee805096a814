package kerneltest

// data is where an invocation is in the input.
type data struct {
	dataAt   uint32 // the byte of the input where the data begin
	start    uint32 // of the data of the interval, in bytes
	end      uint32 // in bits from there
	position uint32 // of the next bit from there
}

// quantizerWords have the position of a coefficient in a block, times 65536, and its factor.
const quantizerWords = 64

// wordAt returns a word of the input. Zeros follow its end.
func (v *invocation) wordAt(at uint32) uint32 {
	if 4*at >= v.job.inputBytes {
		return 0
	}
	return v.Input[v.job.input+at]
}

// peek returns the next 32 bits, the first one highest. What follows the end of the interval means nothing.
func (v *invocation) peek() uint32 {
	at := v.dataAt + v.start + v.position/8
	shift := 8*(at%4) + v.position%8
	return bigEndian(v.wordAt(at/4))<<shift | bigEndian(v.wordAt(at/4+1))>>(32-shift)
}

// A table has two symbols in a word for what the next lookupBits may be: a symbol times 256, and the length
// of its code, or 0 if that is longer. For each longer length it has a limit of 16 bits that its codes are
// below, and what to add to a code for the number of its symbol. Then it has all symbols, four in a word.
const (
	lookupBits = 9
	maxBits    = 16
	limitsAt   = 256
	symbolsAt  = 270
	tableWords = 334
)

// decode returns the symbol at the beginning of bits, times 256, and the length of its code. It returns 0 if
// there is none.
func (v *invocation) decode(table, bits uint32) uint32 {
	head := bits >> (32 - lookupBits)
	if found := v.Input[table+head/2] >> (16 * (head % 2)) & 0xFFFF; found != 0 {
		return found
	}
	for length := uint32(lookupBits + 1); length <= maxBits; length++ {
		limit := table + limitsAt + 2*(length-lookupBits-1)
		if bits>>16 < v.Input[limit] {
			number := (v.Input[limit+1] + bits>>(32-length)) & 255
			symbol := v.Input[table+symbolsAt+number/4] >> (8 * (number % 4)) & 0xFF
			return symbol<<8 | length
		}
	}
	return 0
}

// valueOf returns the value at the beginning of bits. One that begins with 0 is negative.
func valueOf(bits, size uint32) int32 {
	value := int32(bits >> (32 - size))
	if size > 0 && bits>>31 == 0 {
		return value + 1 - 1<<size
	}
	return value
}
