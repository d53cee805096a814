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
func (j *blockDecoder[C]) decode() error {
	err := j.decodePasses(j.block.Passes)
	if errors.Is(err, errWrongSymbol) {
		sound := max(0, j.passes+1-int(kindCount))
		if again := j.decodePasses(sound); again != nil {
			return again
		}
	}
	return err
}

// decodePasses decodes the first count passes.
func (j *blockDecoder[C]) decodePasses(count int) error {
	clear(j.out)
	j.field.reset(j.block)
	j.coder.resetContexts()
	j.passes = 0
	end := min(count, j.block.maxPasses())
	data := j.block.Data
	for i, s := range j.block.Segments {
		codeword := data[:min(s.Length, len(data))]
		data = data[len(codeword):]
		last := j.passes + min(s.Passes, end-j.passes)
		if last == j.passes {
			continue
		}
		if err := j.decodeSegment(codeword, s.Length, last); err != nil {
			return fmt.Errorf("segment %d: %w", i, err)
		}
	}
	if j.passes < count {
		return fmt.Errorf("%w: %d of %d passes", ErrDamaged, j.passes, count)
	}
	return nil
}

// decodeSegment decodes the passes of a codeword, up to pass number last. If the codeword is short,
// it stops after the pass in which the bytes end, since later passes would be noise.
func (j *blockDecoder[C]) decodeSegment(codeword []byte, length, last int) error {
	raw := j.block.raw(j.passes)
	if raw {
		j.coder.beginRaw(codeword)
	} else {
		j.coder.beginArithmetic(codeword)
	}
	short := len(codeword) < length
	for ; j.passes < last; j.passes++ {
		if short && j.coder.overran() {
			break
		}
		if j.block.raw(j.passes) != raw {
			return fmt.Errorf("%w: raw and other passes in one codeword", ErrDamaged)
		}
		if err := j.decodePass(raw); err != nil {
			return err
		}
	}
	if short {
		return fmt.Errorf("%w: %d of %d bytes", ErrDamaged, len(codeword), length)
	}
	return nil
}

// decodePass decodes the next pass.
func (j *blockDecoder[C]) decodePass(raw bool) error {
	coded := j.coded
	if raw {
		coded = j.raw
	}
	plane := j.block.planeOf(j.passes)
	switch kindOf(j.passes) {
	case significance:
		coded.significance(j.Decoder, j.out, plane)
	case refinement:
		coded.refinement(j.Decoder, j.out, plane)
	default:
		coded.cleanup(j.Decoder, j.out, plane)
		if j.block.Style&SegmentationSymbols != 0 && j.segmentationSymbol() != segmentationSymbol {
			return errWrongSymbol
		}
	}
	if j.block.Style&ResetContexts != 0 {
		j.coder.resetContexts()
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
