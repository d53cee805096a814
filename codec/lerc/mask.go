package lerc

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

const (
	valid     = 255
	runEnd    = -32768
	maskGroup = 8 // pixels per byte of a stored mask
	laneOnes  = 0x0101010101010101
	// Selects in each lane the bit of its pixel; the lowest lane has the highest bit.
	laneBits  = 0x0102040810204080
	laneFill  = 0x7f7f7f7f7f7f7f7f // carries into the highest bit of each nonzero lane
	laneHighs = 0x8080808080808080
)

// readMask reads the mask. Nothing is stored if all or no pixels are valid, or if the mask equals
// that of the previous band.
func (b *blob) readMask(in *reader, mask, previous []byte) error {
	stored, err := in.take(in.int32())
	if err != nil {
		return err
	}
	allOrNone := b.AllValid || b.ValidPixels == 0
	switch {
	case allOrNone && len(stored) > 0:
		return ErrCorrupt
	case b.AllValid:
		fill(mask, valid)
		return nil
	case b.ValidPixels == 0:
		clear(mask)
		return nil
	case len(stored) == 0 && previous == nil:
		return ErrCorrupt
	case len(stored) == 0:
		copy(mask, previous)
	default:
		if err := unpackMask(mask, stored); err != nil {
			return err
		}
	}
	if count := countValid(mask); count != b.ValidPixels {
		return fmt.Errorf("%d valid pixels, expected %d: %w", count, b.ValidPixels, ErrCorrupt)
	}
	return nil
}

// unpackMask decodes a mask of one bit per pixel in runs of bytes. A positive count precedes that
// many bytes, a negative count precedes one byte to repeat.
func unpackMask(mask, stored []byte) error {
	in := reader{src: stored}
	for len(mask) > 0 {
		count := int(int16(in.uint16()))
		repeated := count < 0
		if repeated {
			count = -count
		}
		if in.failed || count == 0 || count > (len(mask)+maskGroup-1)/maskGroup {
			return ErrCorrupt
		}
		run := mask[:min(count*maskGroup, len(mask))]
		mask = mask[len(run):]
		if repeated {
			unpackRun(run, in.byte())
			continue
		}
		packed, err := in.take(count)
		if err != nil {
			return err
		}
		for i, b := range packed {
			unpackBits(run[i*maskGroup:min((i+1)*maskGroup, len(run))], b)
		}
	}
	if int16(in.uint16()) != runEnd || in.failed {
		return ErrCorrupt
	}
	return nil
}

func unpackRun(run []byte, packed byte) {
	switch packed {
	case 0:
		clear(run)
	case 255:
		fill(run, valid)
	default:
		for ; len(run) > 0; run = run[min(maskGroup, len(run)):] {
			unpackBits(run[:min(maskGroup, len(run))], packed)
		}
	}
}

// unpackBits expands bits to bytes, up to eight.
func unpackBits(to []byte, packed byte) {
	lanes := uint64(packed) * laneOnes & laneBits
	lanes = (lanes + laneFill) & laneHighs >> 7 * valid
	if len(to) == maskGroup {
		binary.LittleEndian.PutUint64(to, lanes)
		return
	}
	for i := range to {
		to[i] = byte(lanes >> (8 * i))
	}
}

func fill(to []byte, value byte) {
	if len(to) == 0 {
		return
	}
	to[0] = value
	for filled := 1; filled < len(to); filled *= 2 {
		copy(to[filled:], to[:filled])
	}
}

// countValid counts the valid pixels of a mask. It adds the lowest bits of eight pixels at a time.
func countValid(mask []byte) int {
	count := 0
	for ; len(mask) >= maskGroup; mask = mask[maskGroup:] {
		count += int(binary.LittleEndian.Uint64(mask) & laneOnes * laneOnes >> 56)
	}
	for _, m := range mask {
		count += int(m & 1)
	}
	return count
}

// nextRun returns the next run of valid pixels within [from, limit). begin equals end if no run
// remains. All pixels are valid if mask is nil.
func nextRun(mask []byte, from, limit int) (begin, end int) {
	if mask == nil {
		return from, limit
	}
	begin = limit
	if gap := bytes.IndexByte(mask[from:limit], valid); gap >= 0 {
		begin = from + gap
	}
	end = limit
	if length := bytes.IndexByte(mask[begin:limit], 0); length >= 0 {
		end = begin + length
	}
	return begin, end
}
