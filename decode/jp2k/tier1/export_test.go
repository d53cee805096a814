package tier1

import (
	"errors"
	"slices"
)

// DecodeInGo is Decode with the passes in Go, on any processor.
func (d *Decoder) DecodeInGo(b *Block, out []int32) error {
	if err := b.check(MaxBitPlanes, len(out)); err != nil {
		return err
	}
	plain := plainPasses[int32]()
	block := d.newBlock(b)
	block.coded = &plain
	err := block.decode()
	d.values32 = block.values
	arrange(&d.field, out, block.values, wholeStripe[int32])
	return err
}

// SameState reports whether two decoders end in the same state: the registers and contexts of the
// coder, and the field.
func SameState(a, b *Decoder) bool {
	x, y := &a.coder, &b.coder
	return x.width == y.width && x.code == y.code && x.ahead == y.ahead && x.position == y.position &&
		x.contexts == y.contexts && slices.Equal(a.field.around, b.field.around) && slices.Equal(a.field.groups, b.field.groups) &&
		slices.Equal(a.values32, b.values32)
}

// SymbolDecoder is the arithmetic coder alone.
type SymbolDecoder struct{ coder }

// NewSymbolDecoder starts to decode a codeword with one context in its first state.
func NewSymbolDecoder(codeword []byte) *SymbolDecoder {
	d := &SymbolDecoder{}
	d.contexts[0] = stateOf(0, 0)
	d.beginArithmetic(codeword)
	return d
}

// Symbol decodes the next symbol.
func (d *SymbolDecoder) Symbol() int { return int(d.symbol(0)) }

// IsWrongSymbol reports whether an error is that of a wrong segmentation symbol.
func IsWrongSymbol(err error) bool { return errors.Is(err, errWrongSymbol) }
