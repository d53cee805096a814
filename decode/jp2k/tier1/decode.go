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

// IsRaw reports whether a block's nth pass consists of raw bits.
func (b *Block) IsRaw(pass int) bool {
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
	plane[C] // of the next pass
	block    *Block
	coded    *passes[C] // the passes of the arithmetic coder
	raw      *passes[C]

	count  int // passes to decode
	passes int // that were decoded
	err    error

	// The codeword of the next pass.
	segment int    // its number, from 1
	data    []byte // what follows it
	until   int    // the number of the first pass after it
	isRaw   bool
	short   error // what is missing of it
}

// decode decodes the block.
func (d *blockDecoder[C]) decode() error {
	for d.begin(d.block.Passes); d.next(); {
		d.pass()(d.plane, plane[C]{})
		d.endPass()
	}
	return d.end()
}

// decodeBoth decodes two blocks, in turns while both have passes of the same kind that are both raw or
// both not.
func decodeBoth[C coefficient](d, e *blockDecoder[C]) (err, otherErr error) {
	d.begin(d.block.Passes)
	e.begin(e.block.Passes)
	for d.next() && e.next() && d.isRaw == e.isRaw {
		d.pass()(d.plane, e.plane)
		d.endPass()
		e.endPass()
	}
	for _, left := range [2]*blockDecoder[C]{d, e} {
		for left.next() {
			left.pass()(left.plane, plane[C]{})
			left.endPass()
		}
	}
	return d.end(), e.end()
}

// begin prepares the first count passes.
func (d *blockDecoder[C]) begin(count int) {
	d.field.reset(d.block)
	d.values = cleared(d.values, d.field.slots())
	d.coder.resetContexts()
	d.count, d.passes, d.err = count, 0, nil
	d.segment, d.data, d.until, d.short = 0, d.block.Data, 0, nil
}

// end returns why not all passes were decoded. After a wrong segmentation symbol it decodes the block
// once more, without the wrong bit-plane.
func (d *blockDecoder[C]) end() error {
	wrong := d.err
	if !errors.Is(wrong, errWrongSymbol) {
		return wrong
	}
	for d.begin(max(0, d.passes+1-int(kindCount))); d.next(); {
		d.pass()(d.plane, plane[C]{})
		d.endPass()
	}
	if d.err != nil {
		return d.err
	}
	return wrong
}

// next goes to the next pass, and reports whether there is one. If a codeword is short, its last pass is
// the one in which the bytes end, since later ones would be noise.
func (d *blockDecoder[C]) next() bool {
	for d.err == nil && (d.passes == d.until || d.short != nil && d.coder.overran()) {
		if !d.nextSegment() {
			return false
		}
	}
	if d.err == nil && d.block.IsRaw(d.passes) != d.isRaw {
		d.fail(fmt.Errorf("%w: raw and other passes in one codeword", ErrDamaged))
	}
	if d.err != nil {
		return false
	}
	d.number = d.block.planeOf(d.passes)
	return true
}

// nextSegment begins the next codeword with passes to decode, and reports whether there is one.
func (d *blockDecoder[C]) nextSegment() bool {
	if d.short != nil {
		d.fail(d.short)
		return false
	}
	for d.segment < len(d.block.Segments) {
		s := d.block.Segments[d.segment]
		codeword := d.data[:min(s.Length, len(d.data))]
		d.segment, d.data = d.segment+1, d.data[len(codeword):]
		d.until = d.passes + min(s.Passes, min(d.count, d.block.maxPasses())-d.passes)
		if d.until > d.passes {
			d.beginSegment(codeword, s.Length)
			return true
		}
	}
	if d.passes < d.count {
		d.err = fmt.Errorf("%w: %d of %d passes", ErrDamaged, d.passes, d.count)
	}
	return false
}

// beginSegment begins a codeword of a length.
func (d *blockDecoder[C]) beginSegment(codeword []byte, length int) {
	if d.isRaw = d.block.IsRaw(d.passes); d.isRaw {
		d.coder.beginRaw(codeword)
	} else {
		d.coder.beginArithmetic(codeword)
	}
	if len(codeword) < length {
		d.short = fmt.Errorf("%w: %d of %d bytes", ErrDamaged, len(codeword), length)
	}
}

// fail ends the decoding at an error of the codeword.
func (d *blockDecoder[C]) fail(err error) { d.err = fmt.Errorf("segment %d: %w", d.segment-1, err) }

// pass returns the next pass.
func (d *blockDecoder[C]) pass() pass[C] {
	if d.isRaw {
		return d.raw[kindOf(d.passes)]
	}
	return d.coded[kindOf(d.passes)]
}

// endPass does what follows a pass.
func (d *blockDecoder[C]) endPass() {
	if kindOf(d.passes) == cleanup && d.block.Style&SegmentationSymbols != 0 && d.segmentationSymbol() != segmentationSymbol {
		d.fail(errWrongSymbol)
		return
	}
	if d.block.Style&ResetContexts != 0 {
		d.coder.resetContexts()
	}
	d.passes++
}

// segmentationSymbol decodes the four bits that follow a cleanup pass.
func (d *Decoder) segmentationSymbol() (symbol uint64) {
	for range 4 {
		symbol = symbol<<1 | d.coder.symbol(uniformContext)
	}
	return symbol
}
