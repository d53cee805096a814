package lerc

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
)

// picture is an image that the tests encode and that Decode must reproduce.
type picture struct {
	kind          Type
	width, height int
	depth, bands  int
	samples       []float64
	valid         []bool // per pixel, band after band
}

// encoder writes Lerc2 streams for tests. It does not minimize their size but uses all features of
// the format, in an order that the seed determines. Samples must be multiples of twice the error
// bound.
type encoder struct {
	version   int
	method    method
	maxZError float64
	blockSize int
	relative  bool // use differences between the values of a pixel where possible
	skewed    bool // make Huffman codes as long as possible
	predictor byte
	noData    *noData
	seed      uint64
}

// noData is a nodata value with its stored substitute.
type noData struct{ value, stored float64 }

// bandEncoder encodes one band.
type bandEncoder struct {
	encoder
	picture
	random *rand.Rand
	out    []byte
	before []bool // the mask of the previous band
	more   int
}

func (e encoder) stream(p picture) []byte {
	var out []byte
	pixels := p.width * p.height
	var before []bool
	for band := range p.bands {
		one := p
		one.samples = p.samples[band*pixels*p.depth:][:pixels*p.depth]
		one.valid = p.valid[band*pixels:][:pixels]
		b := bandEncoder{
			encoder: e, picture: one, before: before, more: p.bands - 1 - band,
			random: rand.New(rand.NewPCG(e.seed, uint64(band))),
		}
		out = append(out, b.blob()...)
		before = one.valid
	}
	return out
}

func (e *bandEncoder) count() int {
	count := 0
	for _, v := range e.valid {
		if v {
			count++
		}
	}
	return count
}

// ranges returns the minimum and maximum of each value of the valid pixels.
func (e *bandEncoder) ranges() (lows, highs []float64) {
	lows, highs = make([]float64, e.depth), make([]float64, e.depth)
	for i := range e.depth {
		lows[i], highs[i] = math.Inf(1), math.Inf(-1)
	}
	for i, sample := range e.samples {
		if e.valid[i/e.depth] {
			lows[i%e.depth] = min(lows[i%e.depth], sample)
			highs[i%e.depth] = max(highs[i%e.depth], sample)
		}
	}
	return lows, highs
}

func (e *bandEncoder) blob() []byte {
	if e.noData != nil {
		e.samples = append([]float64(nil), e.samples...)
		for i, sample := range e.samples {
			if sample == e.noData.value {
				e.samples[i] = e.noData.stored
			}
		}
	}
	lows, highs := e.ranges()
	low, high := 0.0, 0.0
	if e.count() > 0 {
		low, high = lows[0], highs[0]
		for i := range lows {
			low, high = min(low, lows[i]), max(high, highs[i])
		}
	}
	sizeAt := e.header(low, high)
	e.mask()
	e.content(lows, highs, low == high)
	binary.LittleEndian.PutUint32(e.out[sizeAt:], uint32(len(e.out)))
	if e.version >= 3 {
		binary.LittleEndian.PutUint32(e.out[10:], slowFletcher32(e.out[checksumFrom:]))
	}
	return e.out
}

// slowFletcher32 computes the checksum word by word.
func slowFletcher32(data []byte) uint32 {
	first, second := uint32(0xffff), uint32(0xffff)
	words := len(data) / 2
	for i := 0; i < words; i++ {
		first += uint32(data[2*i])<<8 + uint32(data[2*i+1])
		second += first
		if i%359 == 358 || i == words-1 {
			first, second = first&0xffff+first>>16, second&0xffff+second>>16
		}
	}
	if len(data)%2 == 1 {
		first += uint32(data[len(data)-1]) << 8
		second += first
	}
	first, second = first&0xffff+first>>16, second&0xffff+second>>16
	return second<<16 | first
}

func (e *bandEncoder) int32(v int) { e.out = binary.LittleEndian.AppendUint32(e.out, uint32(v)) }
func (e *bandEncoder) byte(b byte) { e.out = append(e.out, b) }

// number appends a number of the given type.
func number(out []byte, kind Type, v float64) []byte {
	switch kind {
	case Int8:
		return append(out, byte(int8(v)))
	case Uint8:
		return append(out, byte(v))
	case Int16:
		return binary.LittleEndian.AppendUint16(out, uint16(int16(v)))
	case Uint16:
		return binary.LittleEndian.AppendUint16(out, uint16(v))
	case Int32:
		return binary.LittleEndian.AppendUint32(out, uint32(int32(v)))
	case Uint32:
		return binary.LittleEndian.AppendUint32(out, uint32(v))
	case Float32:
		return binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(v)))
	}
	return binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
}

// header writes the header, and returns the index of the blob size.
func (e *bandEncoder) header(low, high float64) (sizeAt int) {
	e.out = []byte(blobMagic)
	e.int32(e.version)
	if e.version >= 3 {
		e.int32(0)
	}
	e.int32(e.height)
	e.int32(e.width)
	if e.version >= 4 {
		e.int32(e.depth)
	}
	e.int32(e.count())
	e.int32(e.blockSize)
	sizeAt = len(e.out)
	e.int32(0)
	e.int32(int(e.kind))
	if e.version >= 6 {
		e.int32(e.more)
		e.out = append(e.out, 0, 0, 0, 0)
		if e.noData != nil {
			e.out[len(e.out)-4] = 1
		}
	}
	numbers := []float64{e.maxZError, low, high}
	if e.version >= 6 {
		numbers = append(numbers, 0, 0)
		if e.noData != nil {
			numbers[3], numbers[4] = e.noData.stored, e.noData.value
		}
	}
	for _, v := range numbers {
		e.out = number(e.out, Float64, v)
	}
	return sizeAt
}

func (e *bandEncoder) mask() {
	same := len(e.before) > 0
	for i := range e.before {
		same = same && e.before[i] == e.valid[i]
	}
	if count := e.count(); count == 0 || count == len(e.valid) || same {
		e.int32(0)
		return
	}
	packed := packMask(e.valid)
	e.int32(len(packed))
	e.out = append(e.out, packed...)
}

// packMask encodes a mask in runs of bytes of eight pixels each.
func packMask(valid []bool) []byte {
	bits := make([]byte, (len(valid)+7)/8)
	for i, v := range valid {
		if v {
			bits[i/8] |= 128 >> (i % 8)
		}
	}
	var out []byte
	for at := 0; at < len(bits); {
		end := at + 1
		for end < len(bits) && bits[end] == bits[at] && end-at < 32767 {
			end++
		}
		if end-at > 4 {
			out = append(binary.LittleEndian.AppendUint16(out, uint16(-(end-at))), bits[at])
		} else {
			out = append(binary.LittleEndian.AppendUint16(out, uint16(end-at)), bits[at:end]...)
		}
		at = end
	}
	end := int16(runEnd)
	return binary.LittleEndian.AppendUint16(out, uint16(end))
}

func (e *bandEncoder) content(lows, highs []float64, isConstant bool) {
	if e.count() == 0 || isConstant {
		return
	}
	if e.version >= 4 {
		from := len(e.out)
		for _, v := range append(lows, highs...) {
			e.out = number(e.out, e.kind, v)
		}
		half := (len(e.out) - from) / 2
		if bytes.Equal(e.out[from:from+half], e.out[from+half:]) {
			return
		}
	}
	if e.method == methodRaw {
		e.byte(1)
		for i, sample := range e.samples {
			if e.valid[i/e.depth] {
				e.out = number(e.out, e.kind, sample)
			}
		}
		return
	}
	e.byte(0)
	if e.version >= 2 && e.kind <= Uint8 && e.maxZError == 0.5 || e.version >= 6 && e.kind >= Float32 && e.maxZError == 0 {
		e.byte(byte(e.method))
	}
	switch e.method {
	case methodDeltaHuffman:
		e.deltas()
	case methodHuffman:
		e.symbols()
	case methodPlanes:
		e.planes()
	default:
		e.blocks(highs)
	}
}
