package tier1

import "slices"

// DecodeInGo is Decode with the passes in Go, whatever the processor can.
func (d *Decoder) DecodeInGo(b *Block, out []int32) error {
	if err := b.check(MaxBitPlanes, len(out)); err != nil {
		return err
	}
	plain := plainPasses[int32]()
	j := job[int32]{Decoder: d, block: b, out: out[:b.Width*b.Height], coded: &plain, raw: &raw32}
	return j.decode()
}

// SameState tells whether two decoders ended alike: in the coder's registers, in what its contexts learned, and in what is known of all
// coefficients.
func SameState(a, b *Decoder) bool {
	x, y := &a.coder, &b.coder
	return x.width == y.width && x.place == y.place && x.ahead == y.ahead && x.position == y.position &&
		x.contexts == y.contexts && slices.Equal(a.field.inside(), b.field.inside())
}

// inside are the words of the columns, without those around them, which nobody reads.
func (f *field) inside() (words []uint64) {
	for stripe := range f.stripes {
		words = append(words, f.words[f.start(stripe):][:f.width]...)
	}
	return words
}

// SymbolDecoder is the arithmetic coder by itself.
type SymbolDecoder struct{ coder }

// NewSymbolDecoder begins to decode a codeword with one context that knows nothing.
func NewSymbolDecoder(codeword []byte) *SymbolDecoder {
	d := &SymbolDecoder{}
	d.contexts[0] = stateOf(0, 0)
	d.beginArithmetic(codeword)
	return d
}

// Symbol decodes the next symbol.
func (d *SymbolDecoder) Symbol() int { return int(d.symbol(0)) }
