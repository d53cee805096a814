package kerneltest

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

	"tileserver/codec/jpeg"
)

// Picture describes a stream for tests.
type Picture struct {
	Width, Height int
	Factors       [][2]int // of each component
	Interval      int      // units between restart markers
	Largest       int      // first coefficient; others are smaller
	Quantizer     uint16
}

// Stream returns a stream of random coefficients, with typical tables of codes.
func (p *Picture) Stream(random *rand.Rand) []byte {
	s := &stream{bytes: []byte{0xFF, byte(jpeg.MarkerStart)}}
	s.segment(jpeg.MarkerQuantizer, p.quantizers(random))
	s.segment(jpeg.MarkerFrame, p.frame())
	for i := range jpeg.TypicalHuffman {
		t := &jpeg.TypicalHuffman[i]
		s.segment(jpeg.MarkerHuffman, append(append([]byte{t.Class}, t.Counts[:]...), t.Symbols...))
		s.codes[i] = codesOf(t)
	}
	s.segment(jpeg.MarkerInterval, binary.BigEndian.AppendUint16(nil, uint16(p.Interval)))
	s.segment(jpeg.MarkerScan, p.scan())
	p.writeUnits(s, random)
	return append(s.bytes, 0xFF, byte(jpeg.MarkerEnd))
}

func (p *Picture) quantizers(random *rand.Rand) []byte {
	body := []byte{0x10}
	for range jpeg.BlockSize {
		body = binary.BigEndian.AppendUint16(body, p.Quantizer-uint16(random.IntN(int(p.Quantizer))))
	}
	return body
}

func (p *Picture) frame() []byte {
	body := binary.BigEndian.AppendUint16([]byte{8}, uint16(p.Height))
	body = binary.BigEndian.AppendUint16(body, uint16(p.Width))
	body = append(body, byte(len(p.Factors)))
	for i, f := range p.Factors {
		body = append(body, byte(i+1), byte(f[0]<<4|f[1]), 0)
	}
	return body
}

func (p *Picture) scan() []byte {
	body := []byte{byte(len(p.Factors))}
	for i := range p.Factors {
		body = append(body, byte(i+1), byte(min(i, 1))*0x11)
	}
	return append(body, 0, jpeg.BlockSize-1, 0)
}

// writeUnits writes the data of the scan.
func (p *Picture) writeUnits(s *stream, random *rand.Rand) {
	maxH, maxV, factors := 1, 1, p.Factors
	if len(factors) == 1 {
		factors = [][2]int{{1, 1}} // they have no effect
	}
	for _, f := range factors {
		maxH, maxV = max(maxH, f[0]), max(maxV, f[1])
	}
	wide, high := (p.Width+8*maxH-1)/(8*maxH), (p.Height+8*maxV-1)/(8*maxV)
	var last [4]int
	for unit := range wide * high {
		if unit > 0 && unit%p.Interval == 0 {
			s.restart(unit/p.Interval - 1)
			last = [4]int{}
		}
		for c, f := range factors {
			for range f[0] * f[1] {
				first := random.IntN(2*p.Largest+1) - p.Largest
				s.block(min(c, 1), first-last[c], p.Largest, random)
				last[c] = first
			}
		}
	}
	s.flush()
}

// stream is a JPEG that is being written.
type stream struct {
	bytes []byte
	codes [4]map[byte]code
	bits  uint64 // that fill no byte yet
	count int
}

// code is a code of some bits.
type code struct {
	bits  uint64
	count int
}

// codesOf returns the codes of symbols: those of a length are consecutive numbers.
func codesOf(t *jpeg.HuffmanTable) map[byte]code {
	codes, next, at := make(map[byte]code), uint64(0), 0
	for i, count := range t.Counts {
		for range count {
			codes[t.Symbols[at]] = code{next, i + 1}
			next, at = next+1, at+1
		}
		next <<= 1
	}
	return codes
}

func (s *stream) segment(m jpeg.Marker, body []byte) {
	s.bytes = append(s.bytes, 0xFF, byte(m))
	s.bytes = binary.BigEndian.AppendUint16(s.bytes, uint16(len(body)+2))
	s.bytes = append(s.bytes, body...)
}

// block writes a block of random coefficients. Most have few, some have all.
func (s *stream) block(tables, first, largest int, random *rand.Rand) {
	s.value(tables*2, 0, first)
	several := random.IntN(6)
	if random.IntN(8) == 0 {
		several = jpeg.BlockSize - 1
	}
	k := 1
	for range several {
		step := random.IntN(jpeg.BlockSize / several)
		if k+step >= jpeg.BlockSize {
			break
		}
		for k += step; step > 15; step -= 16 {
			s.value(tables*2+1, 15, 0)
		}
		size := 1 << random.IntN(bits.Len(uint(min(largest, 1<<10-1))))
		s.value(tables*2+1, step, size-2*size*random.IntN(2)+random.IntN(size))
		k++
	}
	if k < jpeg.BlockSize {
		s.value(tables*2+1, 0, 0)
	}
}

// value writes a code for zeros and the size of a value, and the value.
func (s *stream) value(table, zeros, v int) {
	size := bits.Len(uint(max(v, -v)))
	c := s.codes[table][byte(zeros<<4|size)]
	s.put(c.bits, c.count)
	if v < 0 {
		v += 1<<size - 1
	}
	s.put(uint64(v), size)
}

// put writes bits, and a zero behind each byte of ones.
func (s *stream) put(bits uint64, count int) {
	s.bits = s.bits<<count | bits
	for s.count += count; s.count >= 8; s.count -= 8 {
		b := byte(s.bits >> (s.count - 8))
		if s.bytes = append(s.bytes, b); b == 0xFF {
			s.bytes = append(s.bytes, 0)
		}
	}
}

// flush fills the last byte with ones.
func (s *stream) flush() { s.put(1<<(-s.count&7)-1, -s.count&7) }

func (s *stream) restart(number int) {
	s.flush()
	s.bytes = append(s.bytes, 0xFF, byte(jpeg.MarkerRestart)+byte(number%8))
}
