package lerc

import "fmt"

// Storage of a block, in the lowest two bits of its first byte.
const (
	blockRaw = iota
	blockStuffed
	blockZero
	blockConstant
)

// blocks decodes a band that is stored in small blocks. Each value of a pixel has its own blocks.
type blocks[T sample, X accumulator] struct {
	*blob
	decoder *Decoder
	in      *reader
	data    []T
	mask    []byte // nil if all pixels are valid
	step    X      // between two quantization levels
	highs   []byte // maximum of each value of a pixel; empty before version 4
}

// area is the extent of one block and the value of the pixels that it holds.
type area struct {
	left, top, right, bottom int
	value                    int
	relative                 bool // samples are differences to the previous value of the same pixel
}

func decodeBlocks[T sample, X accumulator](d *Decoder, b *blob, in *reader, data []T, mask, highs []byte) error {
	all := blocks[T, X]{blob: b, decoder: d, in: in, data: data, mask: mask, step: X(2 * b.MaxZError), highs: highs}
	for top := 0; top < b.Height; top += b.blockSize {
		for left := 0; left < b.Width; left += b.blockSize {
			a := area{left: left, top: top, right: min(left+b.blockSize, b.Width), bottom: min(top+b.blockSize, b.Height)}
			for a.value = range b.Depth {
				if err := all.decode(a); err != nil {
					return fmt.Errorf("block at %d, %d: %w", left, top, err)
				}
			}
		}
	}
	return nil
}

func (b *blocks[T, X]) decode(a area) error {
	flags := b.in.byte()
	if b.in.failed {
		return ErrTruncated
	}
	// Some bits repeat the position of the block as a check. Since version 5, the lowest of them is
	// the relative flag.
	positionMask := byte(15)
	if b.Version >= 5 {
		positionMask = 14
		a.relative = flags>>2&1 == 1
	}
	if flags>>2&positionMask != byte(a.left>>3)&positionMask || a.relative && a.value == 0 {
		return fmt.Errorf("flags %#02x: %w", flags, ErrCorrupt)
	}
	switch flags & 3 {
	case blockZero:
		b.fill(a, 0)
		return nil
	case blockRaw:
		return b.copyRaw(a)
	}
	offset, err := b.readOffset(flags>>6, a.relative)
	if err != nil {
		return err
	}
	if flags&3 == blockConstant {
		b.fill(a, offset)
		return nil
	}
	quanta, err := b.decoder.readQuanta(b.in, b.validIn(a), b.Version)
	if err != nil {
		return err
	}
	if b.mask == nil && !a.relative {
		b.scaleRows(a, quanta, offset)
	} else {
		b.scale(a, quanta, offset)
	}
	return nil
}

// readOffset reads the offset that is added to all samples of a block. Its type may be smaller than
// that of the samples.
func (b *blocks[T, X]) readOffset(reduction byte, relative bool) (X, error) {
	kind := b.Type
	if relative && !kind.isFloat() {
		kind = Int32
	}
	smaller := [typeCount][4]Type{
		Int8:    {Int8, Int8, Int8, Int8},
		Uint8:   {Uint8, Uint8, Uint8, Uint8},
		Int16:   {Int16, Uint8, Int8, typeCount},
		Uint16:  {Uint16, Uint8, typeCount, typeCount},
		Int32:   {Int32, Uint16, Int16, Uint8},
		Uint32:  {Uint32, Uint16, Uint8, typeCount},
		Float32: {Float32, Int16, Uint8, Uint8},
		Float64: {Float64, Float32, Int32, Int16},
	}
	kind = smaller[kind][reduction&3]
	if kind == typeCount {
		return 0, fmt.Errorf("offset of %v reduced to type %d: %w", b.Type, reduction, ErrCorrupt)
	}
	offset := b.in.number(kind)
	if b.in.failed {
		return 0, ErrTruncated
	}
	return X(offset), nil
}

// highest returns the maximum to which samples are clamped.
func (b *blocks[T, X]) highest(value int) X {
	if b.Depth == 1 || len(b.highs) == 0 {
		return X(b.zMax)
	}
	high := reader{src: b.highs, pos: value * b.Type.Bytes()}
	return X(high.number(b.Type))
}
