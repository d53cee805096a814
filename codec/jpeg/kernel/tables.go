package kernel

import (
	"bytes"
	"encoding/binary"
	"slices"

	"tileserver/codec/jpeg/decoder"
	"tileserver/gpu"
)

// What the source says of a table of codes, too.
const (
	lookupBits = 9
	maxBits    = 16
	limitsAt   = 256
	symbolsAt  = 270
	tableWords = 334
)

// tables are the distinct tables of codes of a stream.
type tables struct {
	definitions [][]byte
	dc, ac      []int // of each component
}

func tablesOf(s *decoder.Intervals) tables {
	var t tables
	for _, c := range s.Components {
		t.dc, t.ac = append(t.dc, t.numberOf(c.DC)), append(t.ac, t.numberOf(c.AC))
	}
	return t
}

// numberOf returns the number of the table with a definition.
func (t *tables) numberOf(definition []byte) int {
	number := slices.IndexFunc(t.definitions, func(d []byte) bool { return bytes.Equal(d, definition) })
	if number < 0 {
		number, t.definitions = len(t.definitions), append(t.definitions, definition)
	}
	return number
}

// writeTable writes a table of codes. A definition has the number of codes of each length, and their symbols.
// Codes of a length are consecutive numbers.
func writeTable(definition, to []byte) {
	clear(to)
	counts, symbols := definition[:maxBits], definition[maxBits:]
	code, at := 0, 0
	for length := 1; length <= maxBits; length++ {
		count := int(counts[length-1])
		if length > lookupBits {
			limit := to[gpu.WordBytes*(limitsAt+2*(length-lookupBits-1)):]
			binary.LittleEndian.PutUint32(limit, uint32(code+count)<<(maxBits-length))
			binary.LittleEndian.PutUint32(limit[gpu.WordBytes:], uint32(at-code))
		} else {
			writeLookup(to, symbols[at:at+count], code, length)
		}
		code, at = (code+count)<<1, at+count
	}
	copy(to[gpu.WordBytes*symbolsAt:], symbols)
}

// writeLookup writes symbols with consecutive codes of a length to whatever begins with them.
func writeLookup(to, symbols []byte, code, length int) {
	const entryBytes = 2
	entries := to[entryBytes*code<<(lookupBits-length):]
	for _, symbol := range symbols {
		for range 1 << (lookupBits - length) {
			binary.LittleEndian.PutUint16(entries, uint16(symbol)<<8|uint16(length))
			entries = entries[entryBytes:]
		}
	}
}
