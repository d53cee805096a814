package lerc

import (
	"fmt"
	"math"
)

// Storage of a tile of a CntZImage, in the lowest six bits of its first byte.
const (
	oldRaw = iota
	oldStuffed
	oldZero
	oldConstant   // for counts: all are -1
	oldAllCounted // all counts are 1
)

// oldTiles is a band of a CntZImage, cut into tiles of any size.
type oldTiles struct {
	width, height int
	data          []float32
	mask          []byte // nil if all pixels are valid
	step          float64
	highest       float32
}

// read decodes all tiles of a section. The remaining tiles at the right and the bottom are smaller.
func (t *oldTiles) read(p *oldSection, readTile func(*oldTiles, *reader, area) error) error {
	if p.tileRows <= 0 || p.tileColumns <= 0 || p.tileRows > t.height || p.tileColumns > t.width {
		return fmt.Errorf("%d by %d tiles: %w", p.tileColumns, p.tileRows, ErrCorrupt)
	}
	in := reader{src: p.body}
	tileWidth, tileHeight := t.width/p.tileColumns, t.height/p.tileRows
	for top := 0; top < t.height; {
		bottom := min(top+tileHeight, t.height)
		if top >= p.tileRows*tileHeight {
			bottom = t.height
		}
		for left := 0; left < t.width; {
			right := min(left+tileWidth, t.width)
			if left >= p.tileColumns*tileWidth {
				right = t.width
			}
			if err := readTile(t, &in, area{left: left, top: top, right: right, bottom: bottom}); err != nil {
				return fmt.Errorf("tile at %d, %d: %w", left, top, err)
			}
			left = right
		}
		top = bottom
	}
	if len(in.rest()) > 0 {
		return fmt.Errorf("%d trailing bytes: %w", len(in.rest()), ErrCorrupt)
	}
	return nil
}

// readCounts fills the mask. Pixels with a count above zero are valid.
func (t *oldTiles) readCounts(p *oldSection) error {
	switch {
	case p.isMask():
		return unpackMask(t.mask, p.body)
	case !p.isUniform():
		clear(t.mask)
		return t.read(p, (*oldTiles).readCountTile)
	case p.highest > 0:
		fill(t.mask, valid)
	default:
		clear(t.mask)
	}
	return nil
}

func (t *oldTiles) readCountTile(in *reader, a area) error {
	flags := in.byte()
	var levels stuffedWords
	width, offset := uint(0), float32(0)
	switch kind := flags & 63; {
	case in.failed:
		return ErrTruncated
	case flags == oldZero, flags == oldConstant:
		return nil
	case flags == oldAllCounted:
		offset = 1
	case kind > oldAllCounted:
		return fmt.Errorf("flags %#02x: %w", flags, ErrCorrupt)
	case flags == oldRaw:
	default:
		var err error
		if offset, err = in.oldOffset(flags >> 6); err != nil {
			return err
		}
		if levels, width, err = in.oldLevels((a.right - a.left) * (a.bottom - a.top)); err != nil {
			return err
		}
	}
	for y := a.top; y < a.bottom; y++ {
		for k := y*t.width + a.left; k < y*t.width+a.right; k++ {
			count := offset
			if flags == oldRaw {
				count = in.float32()
			} else if width > 0 {
				count += float32(levels.next(width))
			}
			if count > 0 {
				t.mask[k] = valid
			}
		}
	}
	if in.failed {
		return ErrTruncated
	}
	return nil
}

func (t *oldTiles) readValues(in *reader, a area) error {
	flags := in.byte()
	kind := flags & 63
	if in.failed {
		return ErrTruncated
	}
	if kind > oldConstant {
		return fmt.Errorf("flags %#02x: %w", flags, ErrCorrupt)
	}
	var levels stuffedWords
	width, offset := uint(0), float32(0)
	if kind == oldStuffed || kind == oldConstant {
		var err error
		if offset, err = in.oldOffset(flags >> 6); err != nil {
			return err
		}
		if kind == oldStuffed {
			if levels, width, err = in.oldLevels(t.validIn(a)); err != nil {
				return err
			}
		}
	}
	for y := a.top; y < a.bottom; y++ {
		for k := y*t.width + a.left; k < y*t.width+a.right; k++ {
			if t.mask != nil && t.mask[k] == 0 {
				continue
			}
			switch kind {
			case oldRaw:
				t.data[k] = in.float32()
			case oldStuffed:
				sample := float32(float64(offset) + float64(float64(levels.next(width))*t.step))
				if sample > t.highest {
					sample = t.highest
				}
				t.data[k] = sample
			default:
				t.data[k] = offset
			}
		}
	}
	if in.failed {
		return ErrTruncated
	}
	return nil
}

func (t *oldTiles) validIn(a area) int {
	if t.mask == nil {
		return (a.right - a.left) * (a.bottom - a.top)
	}
	count := 0
	for y := a.top; y < a.bottom; y++ {
		count += countValid(t.mask[y*t.width+a.left : y*t.width+a.right])
	}
	return count
}

// oldOffset reads an offset of four, two or one bytes.
func (in *reader) oldOffset(reduction byte) (offset float32, err error) {
	switch reduction {
	case 0:
		offset = in.float32()
	case 1:
		offset = float32(int16(in.uint16()))
	case 2:
		offset = float32(int8(in.byte()))
	default:
		return 0, fmt.Errorf("offset reduced to type %d: %w", reduction, ErrCorrupt)
	}
	if in.failed {
		return 0, ErrTruncated
	}
	return offset, nil
}

// oldLevels returns the position and the width in bits of count stored levels.
func (in *reader) oldLevels(count int) (stuffedWords, uint, error) {
	header := in.byte()
	width := int(header & 63)
	stated := -1
	switch header >> 6 {
	case 0:
		stated = in.int32()
	case 1:
		stated = int(in.uint16())
	case 2:
		stated = int(in.byte())
	}
	if !in.failed && (stated != count || width > 31) {
		return stuffedWords{}, 0, fmt.Errorf("%d numbers of %d bits, expected %d: %w", stated, width, count, ErrCorrupt)
	}
	stuffed, err := in.take(int(min((uint64(count)*uint64(width)+7)/8, math.MaxInt32)))
	return stuffedWords{src: stuffed}, uint(width), err
}
