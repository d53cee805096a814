package decoder

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"tileserver/codec/jpeg"
)

// stream is a JPEG that is being written. The entropy-coded data are collected as tokens, so that
// the Huffman tables can be fitted to them.
type stream struct {
	bytes    []byte
	interval int // restart interval in units
}

// token is a symbol with its value bits, bits without a symbol (table is nil), or a restart.
type token struct {
	table     *codes
	symbol    byte
	value     uint32
	bits      int
	isRestart bool
}

// codes is a Huffman table that is being built.
type codes struct {
	class, number byte
	frequency     map[byte]int
	code          map[byte]uint32
	length        map[byte]int
}

func newCodes(class, number byte) *codes {
	return &codes{class, number, make(map[byte]int), make(map[byte]uint32), make(map[byte]int)}
}

// assign gives frequent symbols short codes. Rare symbols get codes of the maximum length.
func (c *codes) assign() (counts [16]byte, symbols []byte) {
	symbols = slices.SortedFunc(maps.Keys(c.frequency), func(a, b byte) int {
		return cmp.Or(c.frequency[b]-c.frequency[a], int(a)-int(b))
	})
	lengths := []int{2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 14, 15}
	code, last := uint32(0), 0
	for i, symbol := range symbols {
		n := 16
		if i < len(lengths) {
			n = lengths[i]
		}
		code <<= n - last
		c.code[symbol], c.length[symbol] = code, n
		counts[n-1]++
		code, last = code+1, n
	}
	return counts, symbols
}

func (s *stream) segment(m jpeg.Marker, body ...byte) {
	s.bytes = append(s.bytes, 0xFF, byte(m))
	s.bytes = binary.BigEndian.AppendUint16(s.bytes, uint16(len(body)+2))
	s.bytes = append(s.bytes, body...)
}

func (s *stream) bareMarker(m jpeg.Marker) { s.bytes = append(s.bytes, 0xFF, byte(m)) }

// scan writes the tables for tokens, the scan header, and the tokens.
func (s *stream) scan(header []byte, tokens []token) {
	tables := make(map[*codes]bool)
	for _, t := range tokens {
		if t.table != nil {
			t.table.frequency[t.symbol]++
			tables[t.table] = true
		}
	}
	for _, t := range slices.SortedFunc(maps.Keys(tables), func(a, b *codes) int {
		return cmp.Or(int(a.class)-int(b.class), int(a.number)-int(b.number))
	}) {
		counts, symbols := t.assign()
		s.segment(jpeg.MarkerHuffman, slices.Concat([]byte{t.class<<4 | t.number}, counts[:], symbols)...)
	}
	s.segment(jpeg.MarkerScan, header...)
	w := bitWriter{}
	restart := jpeg.MarkerRestart
	for _, t := range tokens {
		if t.isRestart {
			w.flush()
			w.bytes = append(w.bytes, 0xFF, byte(restart))
			restart = jpeg.MarkerRestart + (restart+1-jpeg.MarkerRestart)%8
			continue
		}
		if t.table != nil {
			w.put(t.table.code[t.symbol], t.table.length[t.symbol])
		}
		w.put(t.value, t.bits)
	}
	w.flush()
	s.bytes = append(s.bytes, w.bytes...)
}

// bitWriter writes bits and stuffs a zero after each 0xFF.
type bitWriter struct {
	bytes   []byte
	samples uint64
	count   int
}

func (w *bitWriter) put(v uint32, n int) {
	w.samples = w.samples<<n | uint64(v&(1<<n-1))
	for w.count += n; w.count >= 8; w.count -= 8 {
		b := byte(w.samples >> (w.count - 8))
		if w.bytes = append(w.bytes, b); b == 0xFF {
			w.bytes = append(w.bytes, 0)
		}
	}
}

func (w *bitWriter) flush() {
	if w.count > 0 {
		w.put(1<<(8-w.count)-1, 8-w.count)
	}
}

// magnitude returns the size class of a value, and its bits.
func magnitude(v int) (size int, bits uint32) {
	a := max(v, -v)
	for a>>size > 0 {
		size++
	}
	if v < 0 {
		v += 1<<size - 1
	}
	return size, uint32(v)
}
