package lerc

import (
	"encoding/binary"
	"math"
	"slices"
)

// blocks writes all blocks, each in one of its possible storages.
func (e *bandEncoder) blocks([]float64) {
	for top := 0; top < e.height; top += e.blockSize {
		for left := 0; left < e.width; left += e.blockSize {
			for value := range e.depth {
				e.block(left, top, value)
			}
		}
	}
}

func (e *bandEncoder) block(left, top, value int) {
	var samples, differences []float64
	for y := top; y < min(top+e.blockSize, e.height); y++ {
		for x := left; x < min(left+e.blockSize, e.width); x++ {
			if at := (y*e.width+x)*e.depth + value; e.valid[y*e.width+x] {
				samples = append(samples, e.samples[at])
				if value > 0 {
					differences = append(differences, e.samples[at]-e.samples[at-1])
				}
			}
		}
	}
	position := byte(left>>3) & 15 << 2
	kind := e.kind
	if e.version >= 5 {
		position &^= 4
	}
	if e.relative && value > 0 && e.version >= 5 && len(samples) > 0 {
		samples = differences
		position |= 4
		if kind < Float32 {
			kind = Int32
		}
	}
	e.storedBlock(position, kind, samples)
}

func (e *bandEncoder) storedBlock(position byte, kind Type, samples []float64) {
	if len(samples) == 0 {
		e.byte(position | blockZero)
		return
	}
	low, high := slices.Min(samples), slices.Max(samples)
	step := 2 * e.maxZError
	fits := step > 0 && (high-low)/step < 1<<31
	relative := e.version >= 5 && position&4 != 0
	switch {
	case low == 0 && high == 0:
		e.byte(position | blockZero)
	case low == high:
		code, reduced := e.reduced(kind, low)
		e.byte(position | blockConstant | code<<6)
		e.out = number(e.out, reduced, low)
	case !relative && (!fits || e.random.IntN(5) == 0):
		e.byte(position) // blockRaw is zero
		for _, sample := range samples {
			e.out = number(e.out, e.kind, sample)
		}
	default:
		code, reduced := e.reduced(kind, low)
		e.byte(position | blockStuffed | code<<6)
		e.out = number(e.out, reduced, low)
		quanta := make([]uint32, len(samples))
		for i, sample := range samples {
			quanta[i] = uint32((sample - low) / step)
		}
		e.quanta(quanta)
	}
}

// reduced chooses a type that holds the offset, and returns the code of the reduction.
func (e *bandEncoder) reduced(kind Type, offset float64) (code byte, reduced Type) {
	smaller := map[Type][]Type{
		Int16: {Int16, Uint8, Int8}, Uint16: {Uint16, Uint8}, Int32: {Int32, Uint16, Int16, Uint8},
		Uint32: {Uint32, Uint16, Uint8}, Float32: {Float32, Int16, Uint8}, Float64: {Float64, Float32, Int32, Int16},
	}[kind]
	for code := len(smaller) - 1; code > 0; code-- {
		reader := reader{src: number(nil, smaller[code], offset)}
		if reader.number(smaller[code]) == offset && e.random.IntN(3) > 0 {
			return byte(code), smaller[code]
		}
	}
	return 0, kind
}

// quanta writes numbers directly, or as indexes into a table if few values occur.
func (e *bandEncoder) quanta(quanta []uint32) {
	distinct := slices.Compact(slices.Sorted(slices.Values(quanta)))
	width := bitsFor(slices.Max(quanta))
	if len(distinct) > 1 && len(distinct) < 255 && distinct[0] == 0 && e.random.IntN(2) == 0 {
		e.quantaHead(width|32, len(quanta))
		e.byte(byte(len(distinct)))
		e.stuff(distinct[1:], width)
		indexes := make([]uint32, len(quanta))
		for i, q := range quanta {
			position, _ := slices.BinarySearch(distinct, q)
			indexes[i] = uint32(position)
		}
		e.stuff(indexes, bitsFor(uint32(len(distinct)-1)))
		return
	}
	e.quantaHead(width, len(quanta))
	e.stuff(quanta, width)
}

func bitsFor(highest uint32) int {
	width := 0
	for width < 32 && highest>>width > 0 {
		width++
	}
	return width
}

// quantaHead writes the count in as many bytes as it needs, or more.
func (e *bandEncoder) quantaHead(flags, count int) {
	e.out = appendQuantaHead(e.out, flags, count, e.random.IntN(3))
}

func appendQuantaHead(out []byte, flags, count, wish int) []byte {
	switch {
	case count < 256 && wish == 0:
		return append(out, byte(flags|2<<6), byte(count))
	case count < 65536 && wish == 1:
		return binary.LittleEndian.AppendUint16(append(out, byte(flags|1<<6)), uint16(count))
	}
	return binary.LittleEndian.AppendUint32(append(out, byte(flags)), uint32(count))
}

func (e *bandEncoder) stuff(quanta []uint32, width int) {
	if e.version < 3 {
		e.out = stuffHighFirst(e.out, quanta, width)
		return
	}
	bits, count := uint64(0), 0
	for _, q := range quanta {
		bits |= uint64(q) << count
		for count += width; count >= 8; count -= 8 {
			e.out = append(e.out, byte(bits))
			bits >>= 8
		}
	}
	if count > 0 {
		e.out = append(e.out, byte(bits))
	}
}

// stuffHighFirst fills 32-bit words from the highest bit. Only the highest bytes of the last word
// are kept.
func stuffHighFirst(out []byte, quanta []uint32, width int) []byte {
	begin := len(out)
	w := wordWriter{out: out}
	for _, q := range quanta {
		w.put(q, width)
	}
	used := (len(quanta)*width + 7) / 8
	last := begin + used/4*4
	out = append(w.out[:last:last], w.out[last:]...)
	if tail := used % 4; tail > 0 {
		out = append(out[:last], out[last+4-tail:]...)
	}
	return out
}

// wordWriter writes bits into little-endian 32-bit words, from the highest bit.
type wordWriter struct {
	out  []byte
	free int // free bits of the last word
}

func (w *wordWriter) put(value uint32, width int) {
	for i := width - 1; i >= 0; i-- {
		if w.free == 0 {
			w.out = append(w.out, 0, 0, 0, 0)
			w.free = 32
		}
		w.free--
		if value>>i&1 == 1 {
			w.out[len(w.out)-4+w.free/8] |= 1 << (w.free % 8)
		}
	}
}

// planes writes floats as byte planes.
func (e *bandEncoder) planes() {
	e.byte(e.predictor)
	width := e.width
	if e.depth > 1 {
		width = e.depth
	}
	sampleBytes := e.kind.Bytes()
	words := make([]uint64, len(e.samples))
	mantissa := uint64(1<<52 - 1)
	whole := ^uint64(0)
	for i, sample := range e.samples {
		words[i] = math.Float64bits(sample)
		if e.kind == Float32 {
			v := math.Float32bits(float32(sample))
			words[i] = uint64(v&0x7fffff | v>>23&255<<24 | v>>31<<23)
		}
	}
	if e.kind == Float32 {
		mantissa, whole = 1<<23-1, 1<<32-1
	}
	subtract := func(a, b uint64) uint64 {
		return (a-b)&mantissa | (a&^mantissa-b&^mantissa)&whole
	}
	if e.predictor >= predictLeft {
		for i := len(words) - 1; i > 0; i-- {
			if i%width > 0 {
				words[i] = subtract(words[i], words[i-1])
			}
		}
	}
	if e.predictor == predictLeftAndAbove {
		for i := len(words) - 1; i >= width; i-- {
			words[i] = subtract(words[i], words[i-width])
		}
	}
	for position := range sampleBytes {
		plane := make([]byte, len(words))
		for i, word := range words {
			plane[i] = byte(word >> (8 * position))
		}
		order := e.random.IntN(maxPlaneOrder + 1)
		for from := 1; from <= order; from++ {
			for i := len(plane) - 1; i >= from; i-- {
				plane[i] -= plane[i-1]
			}
		}
		packed := e.packPlane(plane)
		e.out = append(e.out, byte(position), byte(order))
		e.int32(len(packed))
		e.out = append(e.out, packed...)
	}
}

func (e *bandEncoder) packPlane(plane []byte) []byte {
	if slices.Min(plane) == slices.Max(plane) {
		return binary.LittleEndian.AppendUint32([]byte{1, plane[0]}, uint32(len(plane)))
	}
	switch e.random.IntN(3) {
	case 0:
		symbols := bandEncoder{encoder: encoder{version: 5, skewed: e.skewed}, random: e.random, out: []byte{0}}
		symbols.huffman(plane, 0)
		return symbols.out
	case 1:
		return append([]byte{2}, plane...)
	}
	out := []byte{3}
	for at := 0; at < len(plane); {
		end := at + 1
		for end < len(plane) && plane[end] == plane[at] && end-at < 129 {
			end++
		}
		if end-at > 1 {
			out = append(out, byte(126+end-at), plane[at])
		} else {
			end = min(at+1+e.random.IntN(128), len(plane))
			out = append(append(out, byte(end-at-1)), plane[at:end]...)
		}
		at = end
	}
	return out
}
