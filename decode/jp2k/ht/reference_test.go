package ht_test

import (
	"math/bits"

	"tileserver/decode/jp2k/ht"
	"tileserver/decode/jp2k/ht/internal/vlc"
)

// reference decodes a block bit by bit, as the standard describes it. It reports whether the block
// was sound. It does not check the lengths of the block.
type reference struct {
	*ht.Block
	magnitudes func() uint32
	codewords  func() uint32
	event      func() bool

	significant, refined map[[2]int]bool // by x, y
	lengths              map[[2]int]int
	out                  []int32
}

func decodeByReference(b *ht.Block) (out []int32, sound bool) {
	r := &reference{Block: b, significant: map[[2]int]bool{}, refined: map[[2]int]bool{}, lengths: map[[2]int]int{}}
	r.out = make([]int32, b.Width*b.Height)
	size := len(b.Cleanup)
	length := int(b.Cleanup[size-1])<<4 | int(b.Cleanup[size-2]&15)
	suffix := append([]byte(nil), b.Cleanup[size-length:]...)
	suffix[length-1] = 0xFF
	suffix[length-2] |= 0x0F
	r.magnitudes = forwardBits(b.Cleanup[:size-length], 0xFF)
	r.codewords = backwardBits(suffix[:length-1], 0xFF)
	for range 4 {
		r.codewords()
	}
	r.event = events(suffix)
	for y := 0; y < b.Height; y += 2 {
		for x := 0; x < b.Width; x += 4 {
			if !r.pair(x, y) {
				return nil, false
			}
		}
	}
	if b.Passes > 1 && len(b.Refinement) > 0 {
		r.refine()
	}
	return r.out, true
}

// forwardBits returns the bits of a stream from its beginning, followed by filling.
func forwardBits(stream []byte, fill byte) func() uint32 {
	var value, last byte
	left := 0
	return func() uint32 {
		if left == 0 {
			left = 8
			if last == 0xFF {
				left = 7
			}
			value = fill
			if len(stream) > 0 {
				value, stream = stream[0], stream[1:]
			}
			last = value
		}
		bit := uint32(value & 1)
		value >>= 1
		left--
		return bit
	}
}

// backwardBits returns the bits of a stream from its end, followed by zeros.
func backwardBits(stream []byte, last byte) func() uint32 {
	var value byte
	left := 0
	return func() uint32 {
		if left == 0 {
			value = 0
			if len(stream) > 0 {
				value, stream = stream[len(stream)-1], stream[:len(stream)-1]
			}
			left = 8
			if last > 0x8F && value&0x7F == 0x7F {
				left = 7
			}
			last = value
		}
		bit := uint32(value & 1)
		value >>= 1
		left--
		return bit
	}
}

// events returns the events of the MEL segment.
func events(suffix []byte) func() bool {
	exponents := []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5}
	var value, last byte
	left, state, run := 0, 0, 0
	one := false
	bit := func() int {
		if left == 0 {
			left = 8
			if last == 0xFF {
				left = 7
			}
			value = 0xFF
			if len(suffix) > 0 {
				value, suffix = suffix[0], suffix[1:]
			}
			last = value
		}
		left--
		return int(value >> left & 1)
	}
	return func() bool {
		if run == 0 && !one {
			exponent := exponents[state]
			if bit() == 1 {
				run = 1 << exponent
				state = min(state+1, 12)
			} else {
				for range exponent {
					run = 2*run + bit()
				}
				state = max(state-1, 0)
				one = true
			}
		}
		if run > 0 {
			run--
			return false
		}
		one = false
		return true
	}
}

func number(bits func() uint32, count int) (value int) {
	for i := range count {
		value |= int(bits()) << i
	}
	return value
}

// pair decodes two quads. Samples outside the block are discarded.
func (r *reference) pair(x, y int) bool {
	first := r.code(x, y)
	var second vlc.Code
	if x+2 < r.Width {
		second = r.code(x+2, y)
	}
	u0, u1 := r.u(int(first.HasU()), int(second.HasU()), y == 0)
	return r.samples(x, y, first, u0) && (x+2 >= r.Width || r.samples(x+2, y, second, u1))
}

func (r *reference) code(x, y int) vlc.Code {
	any := func(positions ...[2]int) uint32 {
		for _, place := range positions {
			if r.significant[[2]int{x + place[0], y + place[1]}] {
				return 1
			}
		}
		return 0
	}
	codes := &vlc.FirstRow
	context := any([2]int{-2, 0}, [2]int{-2, 1}) | any([2]int{-1, 0})<<1 | any([2]int{-1, 1})<<2
	if y > 0 {
		codes = &vlc.OtherRows
		context = any([2]int{-1, -1}, [2]int{0, -1}) | any([2]int{-1, 0}, [2]int{-1, 1})<<1 | any([2]int{1, -1}, [2]int{2, -1})<<2
	}
	if context == 0 && !r.event() {
		return 0
	}
	read, length := uint32(0), uint32(0)
	for {
		read |= r.codewords() << length
		length++
		for _, code := range codes[context] {
			if code.Length() == length && code.Codeword() == read {
				for i := range 4 {
					if code.Significant()>>i&1 != 0 {
						r.significant[[2]int{x + i/2, y + i%2}] = true
					}
				}
				return code
			}
		}
	}
}

func (r *reference) u(more0, more1 int, firstRow bool) (u0, u1 int) {
	prefix := func() int {
		for value := range 3 {
			if r.codewords() == 1 {
				return value + 1
			}
		}
		return 5
	}
	suffix := func(prefix int) int {
		switch prefix {
		case 3:
			return 3 + number(r.codewords, 1)
		case 5:
			return 5 + number(r.codewords, 5)
		}
		return prefix
	}
	both := more0 == 1 && more1 == 1
	add := 0
	if firstRow && both && r.event() {
		add = 2
	}
	if more0 == 1 {
		u0 = prefix()
	}
	if firstRow && both && add == 0 && u0 > 2 {
		u1 = 1 + int(r.codewords())
		return suffix(u0), u1
	}
	if more1 == 1 {
		u1 = prefix()
	}
	u0 = suffix(u0)
	u1 = suffix(u1)
	return u0 + add, u1 + add
}

func (r *reference) samples(x, y int, code vlc.Code, u int) bool {
	prediction := 1
	if y > 0 && bits.OnesCount32(code.Significant()) > 1 {
		for i := -1; i < 3; i++ {
			prediction = max(prediction, r.lengths[[2]int{x + i, y - 1}]-1)
		}
	}
	bound := u + prediction
	if bound > r.MissingBitPlanes+2 {
		return false
	}
	for i := range 4 {
		if code.Significant()>>i&1 == 0 {
			continue
		}
		known := code.Known() >> i & 1
		coded := number(r.magnitudes, bound-int(known)) | int(known&(code.Ones()>>i&1))<<(bound-1)
		place := [2]int{x + i/2, y + i%2}
		r.lengths[place] = bits.Len(uint(coded | 1))
		r.put(place, coded>>1+1, r.BitPlanes-1-r.MissingBitPlanes, coded&1)
	}
	return true
}

// put stores the middle of the range of a magnitude whose last bit-plane is given, with a fraction
// bit.
func (r *reference) put(place [2]int, magnitude, plane, sign int) {
	if place[0] >= r.Width || place[1] >= r.Height {
		return
	}
	value := int32(2*magnitude+1) << plane
	if sign == 1 {
		value = -value
	}
	r.out[place[1]*r.Width+place[0]] = value
}

func (r *reference) refine() {
	for place := range r.significant {
		if place[0] >= r.Width || place[1] >= r.Height {
			delete(r.significant, place)
		}
	}
	propagation, magnitudes := forwardBits(r.Refinement, 0), backwardBits(r.Refinement, 0xFF)
	plane := r.BitPlanes - 2 - r.MissingBitPlanes
	for top := 0; top < r.Height; top += 4 {
		for left := 0; left < r.Width; left += 4 {
			var found [][2]int
			for i := range 16 {
				place := [2]int{left + i/4, top + i%4}
				if place[0] < r.Width && place[1] < r.Height && !r.significant[place] && r.nearSignificant(place) && propagation() == 1 {
					r.refined[place] = true
					found = append(found, place)
				}
			}
			for _, place := range found {
				r.put(place, 1, plane, int(propagation()))
			}
		}
	}
	for top := 0; top < r.Height && r.Passes > 2; top += 4 {
		for x := range r.Width {
			for y := top; y < min(top+4, r.Height); y++ {
				if r.significant[[2]int{x, y}] {
					value := r.out[y*r.Width+x]
					sign := int(uint32(value) >> 31)
					r.put([2]int{x, y}, int(max(value, -value))>>(plane+2)<<1|int(magnitudes()), plane, sign)
				}
			}
		}
	}
}

func (r *reference) nearSignificant(place [2]int) bool {
	for dy := -1; dy < 2; dy++ {
		if r.VerticallyCausal && dy == 1 && place[1]%4 == 3 {
			continue
		}
		for dx := -1; dx < 2; dx++ {
			neighbor := [2]int{place[0] + dx, place[1] + dy}
			if r.significant[neighbor] || r.refined[neighbor] {
				return true
			}
		}
	}
	return false
}
