package decoder

import (
	"encoding/binary"
	"math/rand/v2"

	"tileserver/codec/jpeg"
)

// drawing is a picture of quantized coefficients that can be written in any process.
type drawing struct {
	width, height, bits int
	factors             [][2]int
	layers              []layer
	quantizers          [jpeg.BlockSize]uint16 // in zigzag order
}

// layer holds the blocks of a component, padded to whole units.
type layer struct {
	h, v         int
	wide, high   int                   // in units of an interleaved scan
	ownW, ownH   int                   // blocks that hold samples
	w, hgt       int                   // in samples
	coefficients [][jpeg.BlockSize]int // in zigzag order
}

// newDrawing generates random coefficients. Most blocks have few of them, some have many.
func newDrawing(width, height, bits int, factors [][2]int, seed uint64) *drawing {
	random := rand.New(rand.NewPCG(seed, 1))
	d := &drawing{width: width, height: height, bits: bits, factors: factors}
	for k := range d.quantizers {
		d.quantizers[k] = uint16(3 + k/2)
	}
	maxH, maxV := 1, 1
	for _, f := range factors {
		maxH, maxV = max(maxH, f[0]), max(maxV, f[1])
	}
	for _, f := range factors {
		h, v := f[0], f[1]
		if len(factors) == 1 {
			maxH, maxV, h, v = 1, 1, 1, 1
		}
		l := layer{h: h, v: v, wide: ceilDivide(width, 8*maxH) * h, high: ceilDivide(height, 8*maxV) * v}
		l.w, l.hgt = ceilDivide(width*h, maxH), ceilDivide(height*v, maxV)
		l.ownW, l.ownH = ceilDivide(l.w, 8), ceilDivide(l.hgt, 8)
		l.coefficients = make([][jpeg.BlockSize]int, l.wide*l.high)
		for i := range l.coefficients {
			fillBlock(&l.coefficients[i], random, 1<<(bits-8))
		}
		d.layers = append(d.layers, l)
	}
	return d
}

// fillBlock keeps the samples well within their range, so that clamping has no effect.
func fillBlock(b *[jpeg.BlockSize]int, random *rand.Rand, scale int) {
	b[0] = (random.IntN(201) - 100) * scale
	n := random.IntN(6)
	if random.IntN(8) == 0 {
		n = 40
	}
	for range n {
		k := 1 + random.IntN(63)
		b[k] = (random.IntN(9) - 4) * scale
		if k < 4 {
			b[k] *= 3
		}
	}
}

// begin writes everything before the first scan.
func (d *drawing) begin(frame jpeg.Marker, interval int) *stream {
	s := &stream{interval: interval}
	s.bareMarker(jpeg.MarkerStart)
	table := []byte{0x10} // 16-bit factors
	for _, q := range d.quantizers {
		table = binary.BigEndian.AppendUint16(table, q)
	}
	s.segment(jpeg.MarkerQuantizer, table...)
	body := []byte{byte(d.bits)}
	body = binary.BigEndian.AppendUint16(body, uint16(d.height))
	body = binary.BigEndian.AppendUint16(body, uint16(d.width))
	body = append(body, byte(len(d.factors)))
	for i, f := range d.factors {
		body = append(body, byte(i+1), byte(f[0]<<4|f[1]), 0)
	}
	s.segment(frame, body...)
	if interval > 0 {
		s.segment(jpeg.MarkerInterval, byte(interval>>8), byte(interval))
	}
	return s
}

// walk calls visit for the blocks of a scan in their order, and restart where a restart marker
// belongs.
func (d *drawing) walk(components []int, interval int, visit func(comp int, b *[jpeg.BlockSize]int), restart func()) {
	units := 0
	unit := func() {
		if interval > 0 && units > 0 && units%interval == 0 {
			restart()
		}
		units++
	}
	if len(components) == 1 {
		l := &d.layers[components[0]]
		for y := range l.ownH {
			for x := range l.ownW {
				unit()
				visit(components[0], &l.coefficients[y*l.wide+x])
			}
		}
		return
	}
	first := &d.layers[components[0]]
	for y := range first.high / first.v {
		for x := range first.wide / first.h {
			unit()
			for _, comp := range components {
				l := &d.layers[comp]
				for i := range l.h * l.v {
					visit(comp, &l.coefficients[(y*l.v+i/l.h)*l.wide+x*l.h+i%l.h])
				}
			}
		}
	}
}

// all returns the indexes of all components.
func (d *drawing) all() (components []int) {
	for i := range d.factors {
		components = append(components, i)
	}
	return components
}

func scanHeader(components []int, first, last, high, low int) []byte {
	header := []byte{byte(len(components))}
	for _, comp := range components {
		header = append(header, byte(comp+1), byte(comp&1<<4|comp&1))
	}
	return append(header, byte(first), byte(last), byte(high<<4|low))
}

// sequential writes the drawing with the given scans.
func (d *drawing) sequential(interval int, scans ...[]int) []byte {
	frame := jpeg.MarkerFrame
	if d.bits > 8 {
		frame++
	}
	s := d.begin(frame, interval)
	for _, components := range scans {
		dc := []*codes{newCodes(0, 0), newCodes(0, 1)}
		ac := []*codes{newCodes(1, 0), newCodes(1, 1)}
		var tokens []token
		var means [maxComponents]int
		d.walk(components, interval, func(comp int, b *[jpeg.BlockSize]int) {
			size, bits := magnitude(b[0] - means[comp])
			means[comp] = b[0]
			tokens = append(tokens, token{table: dc[comp&1], symbol: byte(size), value: bits, bits: size})
			tokens = appendBand(tokens, ac[comp&1], b, 1, jpeg.BlockSize-1, 0)
		}, func() {
			means = [maxComponents]int{}
			tokens = append(tokens, token{isRestart: true})
		})
		s.scan(scanHeader(components, 0, jpeg.BlockSize-1, 0, 0), tokens)
	}
	s.bareMarker(jpeg.MarkerEnd)
	return s.bytes
}

// appendBand codes the coefficients from first to last, with an end-of-block symbol if only zeros
// remain.
func appendBand(tokens []token, table *codes, b *[jpeg.BlockSize]int, first, last, low int) []token {
	run := 0
	for k := first; k <= last; k++ {
		v := b[k] / (1 << low)
		if v == 0 {
			run++
			continue
		}
		for ; run >= 16; run -= 16 {
			tokens = append(tokens, token{table: table, symbol: 0xF0})
		}
		size, bits := magnitude(v)
		tokens = append(tokens, token{table: table, symbol: byte(run<<4 | size), value: bits, bits: size})
		run = 0
	}
	if run > 0 {
		tokens = append(tokens, token{table: table, symbol: 0})
	}
	return tokens
}
