package tier1

import (
	"errors"
	"fmt"
)

// firstRawPass is the first pass that bypasses the arithmetic coder if the style has Bypass.
const firstRawPass = 10

// kind is one of the three kinds of passes of a bit-plane.
type kind int

const (
	significance kind = iota
	refinement
	cleanup
	kindCount
)

// kindOf returns the kind of a block's nth pass. The first bit-plane has only a cleanup pass.
func kindOf(pass int) kind { return kind((pass + int(cleanup)) % int(kindCount)) }

// planeOf returns the bit-plane of a block's nth pass.
func (b *Block) planeOf(pass int) int { return b.BitPlanes - 1 - (pass+int(cleanup))/int(kindCount) }

// raw reports whether a block's nth pass consists of raw bits.
func (b *Block) raw(pass int) bool {
	return b.Style&Bypass != 0 && pass >= firstRawPass && kindOf(pass) != cleanup
}

// maxPasses returns the number of passes that a block's bit-planes have.
func (b *Block) maxPasses() int { return max(0, int(kindCount)*b.BitPlanes-int(cleanup)) }

// errWrongSymbol reports a wrong segmentation symbol: the bit-plane is wrong somewhere.
var errWrongSymbol = fmt.Errorf("%w: wrong segmentation symbol", ErrDamaged)

// segmentationSymbol follows each cleanup pass, in four bits of the uniform context.
const segmentationSymbol = 0b1010

var (
	passes32 = fastPasses()
	raw32    = rawPasses[int32]()
	passes64 = plainPasses[int64]()
	raw64    = rawPasses[int64]()
)

// blockDecoder decodes one block.
type blockDecoder[C coefficient] struct {
	*Decoder
	block  *Block
	out    []C
	coded  *passes[C] // the passes of the arithmetic coder
	raw    *passes[C]
	passes int // number of decoded passes
}

// decode decodes the block. After a wrong segmentation symbol it decodes the block once more,
// without the wrong bit-plane.
func (d *blockDecoder[C]) decode() error {
	err := d.decodePasses(d.block.Passes)
	if errors.Is(err, errWrongSymbol) {
		sound := max(0, d.passes+1-int(kindCount))
		if again := d.decodePasses(sound); again != nil {
			return again
		}
	}
	return err
}

// decodePasses decodes the first count passes.
func (d *blockDecoder[C]) decodePasses(count int) error {
	clear(d.out)
	d.field.reset(d.block)
	d.coder.resetContexts()
	d.passes = 0
	end := min(count, d.block.maxPasses())
	data := d.block.Data
	for i, s := range d.block.Segments {
		codeword := data[:min(s.Length, len(data))]
		data = data[len(codeword):]
		last := d.passes + min(s.Passes, end-d.passes)
		if last == d.passes {
			continue
		}
		if err := d.decodeSegment(codeword, s.Length, last); err != nil {
			return fmt.Errorf("segment %d: %w", i, err)
		}
	}
	if d.passes < count {
		return fmt.Errorf("%w: %d of %d passes", ErrDamaged, d.passes, count)
	}
	return nil
}

// decodeSegment decodes the passes of a codeword, up to pass number last. If the codeword is short,
// it stops after the pass in which the bytes end, since later passes would be noise.
func (d *blockDecoder[C]) decodeSegment(codeword []byte, length, last int) error {
	raw := d.block.raw(d.passes)
	if raw {
		d.coder.beginRaw(codeword)
	} else {
		d.coder.beginArithmetic(codeword)
	}
	short := len(codeword) < length
	for ; d.passes < last; d.passes++ {
		if short && d.coder.overran() {
			break
		}
		if d.block.raw(d.passes) != raw {
			return fmt.Errorf("%w: raw and other passes in one codeword", ErrDamaged)
		}
		if err := d.decodePass(raw); err != nil {
			return err
		}
	}
	if short {
		return fmt.Errorf("%w: %d of %d bytes", ErrDamaged, len(codeword), length)
	}
	return nil
}

// decodePass decodes the next pass.
func (d *blockDecoder[C]) decodePass(raw bool) error {
	coded := d.coded
	if raw {
		coded = d.raw
	}
	plane := d.block.planeOf(d.passes)
	switch kindOf(d.passes) {
	case significance:
		coded.significance(d.Decoder, d.out, plane)
	case refinement:
		coded.refinement(d.Decoder, d.out, plane)
	default:
		coded.cleanup(d.Decoder, d.out, plane)
		if d.block.Style&SegmentationSymbols != 0 && d.segmentationSymbol() != segmentationSymbol {
			return errWrongSymbol
		}
	}
	if d.block.Style&ResetContexts != 0 {
		d.coder.resetContexts()
	}
	return nil
}

// segmentationSymbol decodes the four bits that follow a cleanup pass.
func (d *Decoder) segmentationSymbol() (symbol uint64) {
	for range 4 {
		symbol = symbol<<1 | d.coder.symbol(uniformContext)
	}
	return symbol
}
