package encoder

import "math/bits"

// Example quantization tables of ITU-T T.81, annex K.1, in natural order. They correspond to a
// quality of 50.
var (
	lumaSteps = [64]uint8{
		16, 11, 10, 16, 24, 40, 51, 61,
		12, 12, 14, 19, 26, 58, 60, 55,
		14, 13, 16, 24, 40, 57, 69, 56,
		14, 17, 22, 29, 51, 87, 80, 62,
		18, 22, 37, 56, 68, 109, 103, 77,
		24, 35, 55, 64, 81, 104, 113, 92,
		49, 64, 78, 87, 103, 121, 120, 101,
		72, 92, 95, 98, 112, 100, 103, 99,
	}
	chromaSteps = [64]uint8{
		17, 18, 24, 47, 99, 99, 99, 99,
		18, 21, 26, 66, 99, 99, 99, 99,
		24, 26, 56, 99, 99, 99, 99, 99,
		47, 66, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
	}
)

// huffmanCode holds the total length of a code and its value bits in the lowest 5 bits, and above
// them the code, followed by room for the value bits.
type huffmanCode uint32

func (c huffmanCode) length() uint { return uint(c & 31) }
func (c huffmanCode) bits() uint64 { return uint64(c >> 5) }

// with returns the code with its value bits filled in: the lowest bits of value, or of value-1 if
// it is negative.
func (c huffmanCode) with(value int32) huffmanCode {
	return c | huffmanCode(uint32(value+value>>31)&(1<<magnitudeBits(value)-1))<<5
}

// magnitudeBits returns the number of bits of the absolute value.
func magnitudeBits(value int32) uint {
	sign := value >> 31
	return uint(bits.Len32(uint32(value ^ sign - sign)))
}

// huffmanSpec is a table as stored in the stream: the number of codes of 1 to 16 bits, and their
// symbols.
type huffmanSpec struct {
	class   byte // upper half: 0 for DC, 1 for AC; lower half: table number
	counts  [16]byte
	symbols string
}

// codes returns the codes by symbol. The lower half of a symbol is the number of value bits, for DC
// and AC alike.
func (s *huffmanSpec) codes() (codes [256]huffmanCode) {
	code, next := uint32(0), 0
	for i, count := range s.counts {
		for range count {
			symbol := s.symbols[next]
			valueBits := uint32(symbol & 15)
			codes[symbol] = huffmanCode(code<<valueBits<<5 | uint32(i) + 1 + valueBits)
			code++
			next++
		}
		code <<= 1
	}
	return codes
}

// codeTables holds the codes of one kind of component, and complete codes for small values.
type codeTables struct {
	dc, ac [256]huffmanCode
	// By the run of zeros, then by the value plus smallValues/2.
	small [16 * smallValues]huffmanCode
}

// smallValues is the number of values around zero with complete codes.
const smallValues = 64

// Code tables; read-only.
var (
	lumaCodes   = newCodeTables(&huffmanSpecs[0], &huffmanSpecs[1])
	chromaCodes = newCodeTables(&huffmanSpecs[2], &huffmanSpecs[3])
)

func newCodeTables(dc, ac *huffmanSpec) codeTables {
	tables := codeTables{dc: dc.codes(), ac: ac.codes()}
	for i := range tables.small {
		run, value := uint(i/smallValues), int32(i%smallValues-smallValues/2)
		if value != 0 {
			tables.small[i] = tables.ac[run<<4|magnitudeBits(value)].with(value)
		}
	}
	return tables
}

// huffmanSpecs holds the typical tables of ITU-T T.81, annex K.3.
var huffmanSpecs = [4]huffmanSpec{
	{0x00, [16]byte{0, 1, 5, 1, 1, 1, 1, 1, 1}, dcSymbols},
	{0x10, [16]byte{0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125}, lumaACSymbols},
	{0x01, [16]byte{0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1}, dcSymbols},
	{0x11, [16]byte{0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119}, chromaACSymbols},
}

const (
	dcSymbols     = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b"
	lumaACSymbols = "" +
		"\x01\x02\x03\x00\x04\x11\x05\x12\x21\x31\x41\x06\x13\x51\x61\x07\x22\x71\x14\x32\x81\x91\xa1\x08\x23\x42\xb1" +
		"\xc1\x15\x52\xd1\xf0\x24\x33\x62\x72\x82\x09\x0a\x16\x17\x18\x19\x1a\x25\x26\x27\x28\x29\x2a\x34\x35\x36\x37" +
		"\x38\x39\x3a\x43\x44\x45\x46\x47\x48\x49\x4a\x53\x54\x55\x56\x57\x58\x59\x5a\x63\x64\x65\x66\x67\x68\x69\x6a" +
		"\x73\x74\x75\x76\x77\x78\x79\x7a\x83\x84\x85\x86\x87\x88\x89\x8a\x92\x93\x94\x95\x96\x97\x98\x99\x9a\xa2\xa3" +
		"\xa4\xa5\xa6\xa7\xa8\xa9\xaa\xb2\xb3\xb4\xb5\xb6\xb7\xb8\xb9\xba\xc2\xc3\xc4\xc5\xc6\xc7\xc8\xc9\xca\xd2\xd3" +
		"\xd4\xd5\xd6\xd7\xd8\xd9\xda\xe1\xe2\xe3\xe4\xe5\xe6\xe7\xe8\xe9\xea\xf1\xf2\xf3\xf4\xf5\xf6\xf7\xf8\xf9\xfa"
	chromaACSymbols = "" +
		"\x00\x01\x02\x03\x11\x04\x05\x21\x31\x06\x12\x41\x51\x07\x61\x71\x13\x22\x32\x81\x08\x14\x42\x91\xa1\xb1\xc1" +
		"\x09\x23\x33\x52\xf0\x15\x62\x72\xd1\x0a\x16\x24\x34\xe1\x25\xf1\x17\x18\x19\x1a\x26\x27\x28\x29\x2a\x35\x36" +
		"\x37\x38\x39\x3a\x43\x44\x45\x46\x47\x48\x49\x4a\x53\x54\x55\x56\x57\x58\x59\x5a\x63\x64\x65\x66\x67\x68\x69" +
		"\x6a\x73\x74\x75\x76\x77\x78\x79\x7a\x82\x83\x84\x85\x86\x87\x88\x89\x8a\x92\x93\x94\x95\x96\x97\x98\x99\x9a" +
		"\xa2\xa3\xa4\xa5\xa6\xa7\xa8\xa9\xaa\xb2\xb3\xb4\xb5\xb6\xb7\xb8\xb9\xba\xc2\xc3\xc4\xc5\xc6\xc7\xc8\xc9\xca" +
		"\xd2\xd3\xd4\xd5\xd6\xd7\xd8\xd9\xda\xe2\xe3\xe4\xe5\xe6\xe7\xe8\xe9\xea\xf2\xf3\xf4\xf5\xf6\xf7\xf8\xf9\xfa"
)
