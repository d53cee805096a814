// Package tier1test encodes code-blocks of JPEG 2000 for tests. It also decodes them slowly, step
// by step as the standard describes. It shares only the types of package tier1.
package tier1test

import (
	"math/bits"

	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/wavelet"
)

// Encode encodes a block of coefficients, given row by row, with all of its passes.
func Encode(coefficients []int64, width, height int, orientation wavelet.Orientation, style tier1.Style) tier1.Block {
	b := tier1.Block{Width: width, Height: height, Orientation: orientation, Style: style}
	e := &encoder{arithmeticEncoder: arithmeticEncoder{contexts: initialContexts()}}
	m := newModel(&b, e)
	for i, c := range coefficients {
		m.cells[i] = cell{magnitude: max(c, -c), negative: c < 0}
		b.BitPlanes = max(b.BitPlanes, bits.Len64(uint64(m.cells[i].magnitude)))
	}
	b.Passes = max(0, 3*b.BitPlanes-2)
	e.begin()
	inSegment := 0
	for p := range b.Passes {
		raw := isRaw(&b, p)
		m.pass((p+2)%3, planeOf(&b, p), raw)
		if (p+2)%3 == 2 && style&tier1.SegmentationSymbols != 0 {
			for _, symbol := range []int{1, 0, 1, 0} {
				e.arithmetic(uniformContext, symbol)
			}
		}
		inSegment++
		if style&tier1.TerminateAll != 0 || p == b.Passes-1 || isRaw(&b, p+1) != raw {
			codeword := e.flush(raw)
			b.Data = append(b.Data, codeword...)
			b.Segments = append(b.Segments, tier1.Segment{Passes: inSegment, Length: len(codeword)})
			inSegment = 0
			e.begin()
		}
		if style&tier1.ResetContexts != 0 {
			e.contexts = initialContexts()
		}
	}
	return b
}

// Cut returns a block with its first passes only, and all bytes of the segments that these passes
// belong to.
func Cut(b tier1.Block, passes int) tier1.Block {
	cut := b
	cut.Passes, cut.Segments = passes, nil
	for _, s := range b.Segments {
		s.Passes = min(s.Passes, passes)
		passes -= s.Passes
		if s.Passes > 0 {
			cut.Segments = append(cut.Segments, s)
		}
	}
	return cut
}

// Decode decodes a sound block to the values that package tier1 promises: twice the coefficients,
// with half of the range of the planes that are missing.
func Decode(b tier1.Block) []int64 {
	d := &decoder{arithmeticDecoder: arithmeticDecoder{contexts: initialContexts()}}
	m := newModel(&b, d)
	data, p := b.Data, 0
	for _, s := range b.Segments {
		d.begin(data[:s.Length], isRaw(&b, p))
		data = data[s.Length:]
		for range s.Passes {
			m.pass((p+2)%3, planeOf(&b, p), isRaw(&b, p))
			if (p+2)%3 == 2 && b.Style&tier1.SegmentationSymbols != 0 {
				for range 4 {
					d.arithmetic(uniformContext, 0)
				}
			}
			if b.Style&tier1.ResetContexts != 0 {
				d.contexts = initialContexts()
			}
			p++
		}
	}
	out := make([]int64, len(m.cells))
	for i, c := range m.cells {
		if c.significant {
			out[i] = c.magnitude<<1 | 1<<c.lowest
		}
		if c.negative {
			out[i] = -out[i]
		}
	}
	return out
}

func newModel(b *tier1.Block, s symbols) *model {
	return &model{
		width: b.Width, height: b.Height, orientation: b.Orientation, causal: b.Style&tier1.VerticallyCausal != 0,
		cells: make([]cell, b.Width*b.Height), symbols: s,
	}
}

// planeOf returns the bit-plane of a pass. The first bit-plane has only a cleanup pass.
func planeOf(b *tier1.Block, pass int) int { return b.BitPlanes - 1 - (pass+2)/3 }

// isRaw reports whether a pass consists of raw bits: from the fifth bit-plane on, except for
// cleanup passes.
func isRaw(b *tier1.Block, pass int) bool {
	return b.Style&tier1.Bypass != 0 && pass >= 10 && (pass+2)%3 != 2
}

// encoder combines both encoders.
type encoder struct {
	arithmeticEncoder
	rawBits rawEncoder
}

func (e *encoder) begin() {
	e.arithmeticEncoder.begin()
	e.rawBits.begin()
}

func (e *encoder) flush(raw bool) []byte {
	if raw {
		return e.rawBits.flush()
	}
	return e.arithmeticEncoder.flush()
}

func (e *encoder) arithmetic(context, symbol int) int {
	e.encode(context, symbol)
	return symbol
}

func (e *encoder) raw(symbol int) int {
	e.rawBits.encode(symbol)
	return symbol
}

// decoder combines both decoders.
type decoder struct {
	arithmeticDecoder
	rawBits rawDecoder
}

func (d *decoder) begin(codeword []byte, raw bool) {
	if raw {
		d.rawBits.begin(codeword)
	} else {
		d.arithmeticDecoder.begin(codeword)
	}
}

func (d *decoder) arithmetic(context, _ int) int { return d.decode(context) }
func (d *decoder) raw(int) int                   { return d.rawBits.decode() }
