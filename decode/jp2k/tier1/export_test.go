package tier1

import "slices"

// DecodeInGo is Decode with the passes in Go, on any processor.
func (d *Decoder) DecodeInGo(b *Block, out []int32) error {
	if err := b.check(MaxBitPlanes, len(out)); err != nil {
		return err
	}
	plain := plainPasses[int32]()
	j := blockDecoder[int32]{Decoder: d, block: b, out: out[:b.Width*b.Height], coded: &plain, raw: &raw32}
	return j.decode()
}

// SameState reports whether two decoders end in the same state: the registers and contexts of the
// coder, and the field.
func SameState(a, b *Decoder) bool {
	x, y := &a.coder, &b.coder
	return x.width == y.width && x.code == y.code && x.ahead == y.ahead && x.position == y.position &&
		x.contexts == y.contexts && slices.Equal(a.field.inside(), b.field.inside())
}

// inside returns the words of the block's columns, without the border.
func (f *field) inside() (words []uint64) {
	for stripe := range f.stripes {
		words = append(words, f.words[f.start(stripe):][:f.width]...)
	}
	return words
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
