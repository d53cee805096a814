package decoder

import (
	"fmt"

	"tileserver/codec/webp/vp8l"
)

const (
	maxCacheBits    = 11
	largestAlphabet = vp8l.Literals + vp8l.LengthPrefixes + 1<<maxCacheBits
)

// codeGroup holds the five prefix codes for the pixels of a region.
type codeGroup struct{ green, red, blue, alpha, distance prefixCode }

func (d *losslessDecoder) readGroup(cacheSize int) (g codeGroup, err error) {
	alphabets := [...]struct {
		code *prefixCode
		size int
	}{
		{&g.green, vp8l.Literals + vp8l.LengthPrefixes + cacheSize},
		{&g.red, vp8l.Literals}, {&g.blue, vp8l.Literals}, {&g.alpha, vp8l.Literals}, {&g.distance, vp8l.DistanceCodes},
	}
	for i, a := range alphabets {
		if *a.code, err = d.readCode(a.size); err != nil {
			return g, fmt.Errorf("code %d of 5: %w", i+1, err)
		}
	}
	return g, nil
}

// readCode reads a prefix code: one or two symbols, or code lengths that are themselves coded.
func (d *losslessDecoder) readCode(alphabet int) (prefixCode, error) {
	r := &d.bits
	lengths := d.lengths[:alphabet]
	clear(lengths)
	if r.uint(1) == 1 {
		two, symbol := r.uint(1) == 1, 0
		if r.uint(1) == 1 {
			symbol = r.uint(8)
		} else {
			symbol = r.uint(1)
		}
		for more := true; more; {
			if symbol >= alphabet {
				return nil, fmt.Errorf("symbol %d of %d: %w", symbol, alphabet, ErrCorrupt)
			}
			lengths[symbol] = 1
			if more, two = two, false; more {
				symbol = r.uint(8)
			}
		}
		return d.tables.build(lengths)
	}
	if err := d.readLengths(lengths); err != nil {
		return nil, err
	}
	return d.tables.build(lengths)
}

func (d *losslessDecoder) readLengths(lengths []uint8) error {
	r := &d.bits
	var own [len(vp8l.LengthOrder)]uint8
	for _, symbol := range vp8l.LengthOrder[:min(4+r.uint(4), len(vp8l.LengthOrder))] {
		own[symbol] = uint8(r.uint(3))
	}
	d.lengthTable.reset()
	code, err := d.lengthTable.build(own[:])
	if err != nil {
		return fmt.Errorf("the code length code: %w", err)
	}
	symbols := len(lengths)
	if r.uint(1) == 1 {
		if symbols = 2 + r.uint(2+2*r.uint(3)); symbols > len(lengths) {
			return fmt.Errorf("%d lengths for %d symbols: %w", symbols, len(lengths), ErrCorrupt)
		}
	}
	last := uint8(vp8l.InitialLength)
	for i := 0; i < len(lengths) && symbols > 0; symbols-- {
		s := code.symbol(r)
		if s < vp8l.RepeatLast {
			lengths[i] = uint8(s)
			if i++; s > 0 {
				last = uint8(s)
			}
			continue
		}
		value, times := uint8(0), 0
		switch s {
		case vp8l.RepeatLast:
			value, times = last, 3+r.uint(2)
		case vp8l.ZerosShort:
			times = 3 + r.uint(3)
		default:
			times = 11 + r.uint(7)
		}
		if times > len(lengths)-i {
			return fmt.Errorf("lengths past the last symbol: %w", ErrCorrupt)
		}
		for range times {
			lengths[i] = value
			i++
		}
	}
	if r.ended() {
		return fmt.Errorf("data end within a code: %w", ErrCorrupt)
	}
	return nil
}
