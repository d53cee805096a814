package encoder

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"tileserver/codec/lerc"
	"tileserver/internal/reuse"
)

const (
	blockSide = 8
	maxWidth  = 28 // bits of a packed difference
)

// Storage of a block, in the lowest two bits of its first byte.
const (
	_ = iota // as they are
	blockPacked
	blockZero
	blockConstant
)

// appendIntegers appends the integers of a blob that begins at an index of out.
func (e *Encoder) appendIntegers(out []byte, begin int, img *Image) []byte {
	if e.valid == 0 {
		return out
	}
	e.integers = loadIntegers(e.integers, img)
	lows, highs := e.integerRanges(img)
	low, high := slices.Min(lows), slices.Max(highs)
	setRange(out[begin:], float64(low), float64(high))
	if low == high {
		return out
	}
	for _, values := range [][]int64{lows, highs} {
		for _, v := range values {
			out = appendInteger(out, img.Type.Bytes(), v)
		}
	}
	if slices.Equal(lows, highs) {
		return out
	}
	choice := len(out)
	out = append(out, inBlocks)
	if img.Type.Bytes() == 1 {
		out = append(out, byteBlocks)
	}
	out = e.appendBlocks(out, img)
	if raw := e.valid * img.Depth * img.Type.Bytes(); len(out)-choice > raw+1 {
		return img.appendRaw(append(out[:choice], asTheyAre))
	}
	return out
}

// loadIntegers returns the samples as numbers, in the memory of scratch.
func loadIntegers(scratch []int64, img *Image) []int64 {
	size := img.Type.Bytes()
	to := reuse.Slice(scratch, len(img.Samples)/size)
	for i := range to {
		s := img.Samples[i*size:]
		switch img.Type {
		case lerc.Int8:
			to[i] = int64(int8(s[0]))
		case lerc.Uint8:
			to[i] = int64(s[0])
		case lerc.Int16:
			to[i] = int64(int16(binary.LittleEndian.Uint16(s)))
		case lerc.Uint16:
			to[i] = int64(binary.LittleEndian.Uint16(s))
		case lerc.Int32:
			to[i] = int64(int32(binary.LittleEndian.Uint32(s)))
		default:
			to[i] = int64(binary.LittleEndian.Uint32(s))
		}
	}
	return to
}

// integerRanges returns the lowest and the highest of each sample of valid pixels.
func (e *Encoder) integerRanges(img *Image) (lows, highs []int64) {
	lows, highs = slices.Repeat([]int64{math.MaxInt64}, img.Depth), slices.Repeat([]int64{math.MinInt64}, img.Depth)
	for pixel := range img.Width * img.Height {
		if img.Valid != nil && img.Valid[pixel] == 0 {
			continue
		}
		for i, v := range e.integers[pixel*img.Depth:][:img.Depth] {
			lows[i], highs[i] = min(lows[i], v), max(highs[i], v)
		}
	}
	return lows, highs
}

// appendInteger appends the lowest bytes of a number.
func appendInteger(out []byte, size int, v int64) []byte {
	return append(out, binary.LittleEndian.AppendUint64(nil, uint64(v))[:size]...)
}

// appendBlocks appends all blocks. Each sample of a pixel has its own.
func (e *Encoder) appendBlocks(out []byte, img *Image) []byte {
	var memory [blockSide * blockSide]int64
	for top := 0; top < img.Height; top += blockSide {
		for left := 0; left < img.Width; left += blockSide {
			for sample := range img.Depth {
				block := e.block(memory[:0], img, left, top, sample)
				out = appendBlock(out, byte(left/blockSide&15<<2), img.Type, block)
			}
		}
	}
	return out
}

// block returns the valid ones of a sample in a block.
func (e *Encoder) block(to []int64, img *Image, left, top, sample int) []int64 {
	for y := top; y < min(top+blockSide, img.Height); y++ {
		for x := left; x < min(left+blockSide, img.Width); x++ {
			if pixel := y*img.Width + x; img.Valid == nil || img.Valid[pixel] != 0 {
				to = append(to, e.integers[pixel*img.Depth+sample])
			}
		}
	}
	return to
}

// appendBlock appends the samples of a block in the fewest bytes. The position is part of its first byte.
func appendBlock(out []byte, position byte, t lerc.Type, block []int64) []byte {
	if len(block) == 0 {
		return append(out, position|blockZero)
	}
	low, high := slices.Min(block), slices.Max(block)
	if low == 0 && high == 0 {
		return append(out, position|blockZero)
	}
	code, size := smallest(t, low)
	if low == high {
		return appendInteger(append(out, position|blockConstant|code<<6), size, low)
	}
	width := bits.Len64(uint64(high - low))
	const head = 2 // width and count
	if width > maxWidth || size+head+(len(block)*width+7)/8 > len(block)*t.Bytes() {
		out = append(out, position)
		for _, v := range block {
			out = appendInteger(out, t.Bytes(), v)
		}
		return out
	}
	out = appendInteger(append(out, position|blockPacked|code<<6), size, low)
	const countInOneByte = 2 << 6
	out = append(out, countInOneByte|byte(width), byte(len(block)))
	return appendPacked(out, block, low, width)
}

// appendPacked appends differences from the lowest sample, lowest bit first.
func appendPacked(out []byte, block []int64, low int64, width int) []byte {
	word, pending := uint64(0), 0
	for _, v := range block {
		word |= uint64(v-low) << pending
		for pending += width; pending >= 8; pending -= 8 {
			out = append(out, byte(word))
			word >>= 8
		}
	}
	if pending > 0 {
		out = append(out, byte(word))
	}
	return out
}

// smallest returns the code of the smallest type that holds a sample of a type, and its size.
func smallest(t lerc.Type, v int64) (code byte, size int) {
	isByte, isUint16 := v >= 0 && v <= math.MaxUint8, v >= 0 && v <= math.MaxUint16
	switch {
	case t == lerc.Int16 && isByte, t == lerc.Uint16 && isByte:
		return 1, 1
	case t == lerc.Int16 && v >= math.MinInt8 && v < 0:
		return 2, 1
	case t == lerc.Int32 && isByte:
		return 3, 1
	case t == lerc.Uint32 && isByte:
		return 2, 1
	case t == lerc.Int32 && isUint16, t == lerc.Uint32 && isUint16:
		return 1, 2
	case t == lerc.Int32 && v >= math.MinInt16 && v < 0:
		return 2, 2
	}
	return 0, t.Bytes()
}
