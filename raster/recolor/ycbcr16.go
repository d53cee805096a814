package recolor

import "tileserver/raster"

// chroma16 converts samples of up to 16 bits.
type chroma16 struct {
	y, cb, cr                               straight
	redOfCr, greenOfCb, greenOfCr, blueOfCb float32
}

func newChroma16(m raster.ColorModel) *chroma16 {
	d := differencesOf(m.Luma)
	y, cb, cr := scalesOf(m.Reference)
	return &chroma16{
		y.straight(), cb.straight(), cr.straight(),
		float32(d.redOfCr), float32(d.greenOfCb), float32(d.greenOfCr), float32(d.blueOfCb),
	}
}

func (t *chroma16) convert(b block) {
	y := component[uint16](b, 0)
	if b.wants(0) {
		t.addDifference(colorOf[uint8](b, 0), y, component[uint16](b, 2), t.cr, t.redOfCr)
	}
	if b.wants(1) {
		to, cb, cr := colorOf[uint8](b, 1), component[uint16](b, 1), component[uint16](b, 2)
		to, cb, cr = to[:len(y)], cb[:len(y)], cr[:len(y)]
		for i, luma := range y {
			to[i] = rounded(t.y.of(float32(luma)) + float32(t.greenOfCb*t.cb.of(float32(cb[i]))) + float32(t.greenOfCr*t.cr.of(float32(cr[i]))))
		}
	}
	if b.wants(2) {
		t.addDifference(colorOf[uint8](b, 2), y, component[uint16](b, 1), t.cb, t.blueOfCb)
	}
}

// addDifference computes red or blue, each of which depends on one chroma only.
func (t *chroma16) addDifference(to []uint8, y, chroma []uint16, scale straight, share float32) {
	to, chroma = to[:len(y)], chroma[:len(y)]
	for i, luma := range y {
		to[i] = rounded(t.y.of(float32(luma)) + float32(share*scale.of(float32(chroma[i]))))
	}
}

func rounded(v float32) uint8 { return level(int32(v + 0.5)) }
