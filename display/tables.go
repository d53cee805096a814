package display

import "tileserver/raster"

// A byteTable looks up the grays of 8-bit samples by their bits.
type byteTable struct{ grays [1 << 8]uint8 }

func newByteTable(limits Range, bend curve, value func(bits uint8) float64) *byteTable {
	q := new(byteTable)
	for bits := range q.grays {
		q.grays[bits] = grayOf(value(uint8(bits)), limits, bend)
	}
	return q
}

func (q *byteTable) quantize(t raster.Tile, band int, scratch []uint8) []uint8 {
	samples := t.Plane(band)
	scratch = scratch[:len(samples)]
	for i, bits := range samples {
		scratch[i] = q.grays[bits]
	}
	return scratch
}

// A wordTable looks up the grays of 16-bit samples by their bits.
type wordTable[T uint16 | int16] struct{ grays [1 << 16]uint8 }

func newWordTable[T uint16 | int16](limits Range, bend curve) *wordTable[T] {
	q := new(wordTable[T])
	for bits := range q.grays {
		q.grays[bits] = grayOf(float64(T(bits)), limits, bend)
	}
	return q
}

func (q *wordTable[T]) quantize(t raster.Tile, band int, scratch []uint8) []uint8 {
	samples := raster.Samples[T](t, band)
	scratch = scratch[:len(samples)]
	for i, v := range samples {
		scratch[i] = q.grays[uint16(v)]
	}
	return scratch
}

// A colorQuantizer converts three bands directly to RGB pixels. This takes half the time of
// quantizing to planes and interleaving them.
type colorQuantizer interface {
	interleave(pixels []uint8, t raster.Tile)
}

// fuse combines the quantizers of three bands. It returns nil if they are of different types.
func fuse(quantizers []quantizer) colorQuantizer {
	if tables, ok := threeOf[*byteTable](quantizers); ok {
		return byteTables(tables)
	}
	if tables, ok := threeOf[*wordTable[uint16]](quantizers); ok {
		return wordTables[uint16](tables)
	}
	if tables, ok := threeOf[*wordTable[int16]](quantizers); ok {
		return wordTables[int16](tables)
	}
	return nil
}

func threeOf[Q quantizer](quantizers []quantizer) (three [3]Q, ok bool) {
	if len(quantizers) != len(three) {
		return three, false
	}
	for i, q := range quantizers {
		if three[i], ok = q.(Q); !ok {
			return three, false
		}
	}
	return three, true
}

type byteTables [3]*byteTable

func (q byteTables) interleave(pixels []uint8, t raster.Tile) {
	red := t.Plane(0)
	green, blue := t.Plane(1)[:len(red)], t.Plane(2)[:len(red)]
	reds, greens, blues := &q[0].grays, &q[1].grays, &q[2].grays
	pixels = pixels[:3*len(red)]
	for i, v := range red {
		pixels[0], pixels[1], pixels[2] = reds[v], greens[green[i]], blues[blue[i]]
		pixels = pixels[3:]
	}
}

type wordTables[T uint16 | int16] [3]*wordTable[T]

func (q wordTables[T]) interleave(pixels []uint8, t raster.Tile) {
	red := raster.Samples[T](t, 0)
	green, blue := raster.Samples[T](t, 1)[:len(red)], raster.Samples[T](t, 2)[:len(red)]
	reds, greens, blues := &q[0].grays, &q[1].grays, &q[2].grays
	pixels = pixels[:3*len(red)]
	for i, v := range red {
		pixels[0], pixels[1], pixels[2] = reds[uint16(v)], greens[uint16(green[i])], blues[uint16(blue[i])]
		pixels = pixels[3:]
	}
}
