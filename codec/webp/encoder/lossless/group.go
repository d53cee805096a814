package lossless

import "tileserver/codec/webp/vp8l"

// codeGroup holds the five codes for the tokens of a region.
type codeGroup struct {
	histogram
	greenCodes                      [maxAlphabet]code
	redCodes, blueCodes, alphaCodes [vp8l.Literals]code
	distanceCodes                   [vp8l.DistanceCodes]code
}

// writeCodes builds the codes from the counts and writes their descriptions.
func (g *codeGroup) writeCodes(w *codeWriter, greenAlphabet int) {
	w.write(g.greenCodes[:greenAlphabet], g.green[:greenAlphabet])
	w.write(g.redCodes[:], g.red[:])
	w.write(g.blueCodes[:], g.blue[:])
	w.write(g.alphaCodes[:], g.alpha[:])
	w.write(g.distanceCodes[:], g.distance[:])
}

func (g *codeGroup) writePixel(w *bitWriter, p pixel) {
	green, red := g.greenCodes[p>>8&0xff], g.redCodes[p>>16&0xff]
	blue, alpha := g.blueCodes[p&0xff], g.alphaCodes[p>>24]
	w.write(green.bits()|red.bits()<<green.length(), green.length()+red.length())
	w.write(blue.bits()|alpha.bits()<<blue.length(), blue.length()+alpha.length())
}

func (g *codeGroup) writeToken(w *bitWriter, t token) {
	switch t.length {
	case literal:
		g.writePixel(w, t.value)
	case cached:
		w.writeCode(g.greenCodes[vp8l.Literals+vp8l.LengthPrefixes+t.value])
	default:
		symbol, extra, extraBits := prefix(uint32(t.length))
		w.writeCode(g.greenCodes[vp8l.Literals+symbol])
		w.write(extra, extraBits)
		symbol, extra, extraBits = prefix(t.value)
		w.writeCode(g.distanceCodes[symbol])
		w.write(extra, extraBits)
	}
}
