package nitftest

import "math"

// paddingByte fills blocks beyond the image, so that tests notice a reader that shows these pixels.
const paddingByte = 0xA5

// block is a block of an image: the bands that are stored together.
type block struct {
	column, row int
	firstBand   int
	bands       int
}

// blocks returns the blocks in the order of the file.
func (m *Image) blocks() []block {
	var list []block
	passes, bands := 1, len(m.Bands)
	if m.Mode == "S" {
		passes, bands = bands, 1
	}
	for pass := range passes {
		for row := range m.rows() {
			for column := range m.columns() {
				list = append(list, block{column, row, pass, bands})
			}
		}
	}
	return list
}

// raw returns a block without compression.
func (m *Image) raw(b block) []byte {
	var p packer
	switch m.Mode {
	case "B", "S":
		for band := range b.bands {
			for y := range m.BlockHeight {
				for x := range m.BlockWidth {
					p.add(m.bits(b, x, y, band), m.Bits)
				}
			}
			p.align()
		}
	case "P":
		for y := range m.BlockHeight {
			for x := range m.BlockWidth {
				for band := range b.bands {
					p.add(m.bits(b, x, y, band), m.Bits)
				}
			}
		}
	case "R":
		for y := range m.BlockHeight {
			for band := range b.bands {
				for x := range m.BlockWidth {
					p.add(m.bits(b, x, y, band), m.Bits)
				}
			}
		}
	default:
		panic("no mode " + m.Mode)
	}
	return p.bytes
}

// bits returns the bit pattern of a sample at a position in a block.
func (m *Image) bits(b block, x, y, band int) uint64 {
	x, y = b.column*m.BlockWidth+x, b.row*m.BlockHeight+y
	isOutside := x >= m.Width || y >= m.Height
	switch {
	case m.Invalid != nil && (isOutside || m.Invalid(x, y)):
		return m.Pad
	case isOutside:
		return m.justified(paddingByte * 0x0101010101010101)
	}
	return m.encoded(x, y, b.firstBand+band)
}

// encoded returns the bit pattern of a sample of the image.
func (m *Image) encoded(x, y, band int) uint64 {
	v := m.Value(x, y, band)
	switch m.ValueType {
	case "R":
		if m.Bits == 64 {
			return math.Float64bits(v)
		}
		return uint64(math.Float32bits(float32(v)))
	case "C":
		var imaginary float64
		if m.Imaginary != nil {
			imaginary = m.Imaginary(x, y, band)
		}
		return uint64(math.Float32bits(float32(v)))<<32 | uint64(math.Float32bits(float32(imaginary)))
	case "SI":
		bound := math.Ldexp(1, m.ActualBits-1)
		return m.justified(uint64(int64(max(-bound, min(math.Round(v), bound-1)))))
	}
	// The largest unsigned number of 64 bits has no float64 of its own.
	largest := math.Nextafter(math.Ldexp(1, m.ActualBits), 0)
	return m.justified(uint64(max(0, min(math.Round(v), math.Floor(largest)))))
}

// justified moves the significant bits to their place. Bits to the left of them repeat the sign.
func (m *Image) justified(v uint64) uint64 {
	if m.LeftJustified {
		v <<= m.Bits - m.ActualBits
	} else if m.ValueType != "SI" {
		v &= mask(m.ActualBits)
	}
	return v & mask(m.Bits)
}

func mask(bits int) uint64 { return math.MaxUint64 >> (64 - bits) }

// packer packs samples without gaps, highest bit first.
type packer struct {
	bytes []byte
	free  int // bits of the last byte
}

func (p *packer) add(value uint64, bits int) {
	for bits > 0 {
		if p.free == 0 {
			p.bytes, p.free = append(p.bytes, 0), 8
		}
		n := min(bits, p.free)
		bits, p.free = bits-n, p.free-n
		p.bytes[len(p.bytes)-1] |= byte(value>>bits&mask(n)) << p.free
	}
}

// align leaves the rest of the last byte zero.
func (p *packer) align() { p.free = 0 }
