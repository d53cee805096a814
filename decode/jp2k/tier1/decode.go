package tier1

import (
	"errors"
	"fmt"
)

// firstRawPass is the first pass that bypasses the arithmetic coder, if the style has it so.
const firstRawPass = 10

// kind is which of the three passes of a bit-plane one is.
type kind int

const (
	significance kind = iota
	refinement
	cleanup
	kinds
)

// kindOf is the kind of a block's nth pass: the first bit-plane has a cleanup pass only.
func kindOf(pass int) kind { return kind((pass + int(cleanup)) % int(kinds)) }

// planeOf is the bit-plane of a block's nth pass.
func (b *Block) planeOf(pass int) int { return b.BitPlanes - 1 - (pass+int(cleanup))/int(kinds) }

// raw tells whether a block's nth pass is of raw bits.
func (b *Block) raw(pass int) bool {
	return b.Style&Bypass != 0 && pass >= firstRawPass && kindOf(pass) != cleanup
}

// maxPasses is how many passes a block's bit-planes have.
func (b *Block) maxPasses() int { return max(0, int(kinds)*b.BitPlanes-int(cleanup)) }

// errWrongSymbol is of a segmentation symbol that is not as it should be: the bit-plane is wrong somewhere.
var errWrongSymbol = fmt.Errorf("%w: wrong segmentation symbol", ErrDamaged)

// segmentationSymbol is what stands behind each cleanup pass, in four bits of the uniform context.
const segmentationSymbol = 0b1010

var (
	passes32 = fastPasses()
	raw32    = rawPasses[int32]()
	passes64 = plainPasses[int64]()
	raw64    = rawPasses[int64]()
)

// job is the decoding of one block.
type job[C coefficient] struct {
	*Decoder
	block  *Block
	out    []C
	coded  *passes[C] // by the arithmetic coder
	raw    *passes[C]
	passes int // that are done
}

// decode decodes a block. Where a segmentation symbol says that a bit-plane is wrong, that is done again without it.
func (j *job[C]) decode() error {
	err := j.decodePasses(j.block.Passes)
	if errors.Is(err, errWrongSymbol) {
		sound := max(0, j.passes+1-int(kinds))
		if again := j.decodePasses(sound); again != nil {
			return again
		}
	}
	return err
}

// decodePasses decodes so many passes from the first on.
func (j *job[C]) decodePasses(count int) error {
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

// decodeSegment decodes the passes of a codeword to the last one. Where bytes are missing, what follows the pass in which they end would be
// noise.
func (j *job[C]) decodeSegment(codeword []byte, length, last int) error {
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
func (j *job[C]) decodePass(raw bool) error {
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

// segmentationSymbol decodes the four bits behind a cleanup pass.
func (d *Decoder) segmentationSymbol() (symbol uint64) {
	for range 4 {
		symbol = symbol<<1 | d.coder.symbol(uniformContext)
	}
	return symbol
}
