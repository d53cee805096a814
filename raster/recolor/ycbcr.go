package recolor

import (
	"fmt"

	"tileserver/raster"
)

// yCbCr converts luminance and chroma. Chroma is the difference of red and blue from luminance;
// green follows from the rest.
func yCbCr(info *raster.Info) conversion {
	m := info.Colors
	if m.Luma[1] == 0 {
		m.Luma = [3]float64{0.299, 0.587, 0.114}
	}
	if m.Reference == ([6]float64{}) {
		maxSample := float64(maxSampleOf(info))
		middle := (maxSample + 1) / 2
		m.Reference = [6]float64{0, maxSample, middle, maxSample, middle, maxSample}
	}
	c := conversion{
		key: fmt.Sprintf(":rgb:ycbcr:%v:%v", m.Luma, m.Reference), components: 3, resultType: raster.Uint8, linear: true,
		colors: threeColors([]int{0, 2}, []int{0, 1, 2}, []int{0, 1}),
	}
	if info.Type == raster.Uint8 {
		c.convert = newChroma8(m).convert
	} else {
		c.convert = newChroma16(m).convert
	}
	return c
}

// differences holds the contribution of one unit of chroma to each color.
type differences struct{ redOfCr, greenOfCb, greenOfCr, blueOfCb float64 }

func differencesOf(luma [3]float64) differences {
	const maxShare = 2 // limit for plausible values
	share := func(v float64) float64 { return min(max(v, 0), maxShare) }
	red, blue := 2-2*luma[0], 2-2*luma[2]
	return differences{
		redOfCr: share(red), greenOfCr: -share(luma[0] * red / luma[1]),
		blueOfCb: share(blue), greenOfCb: -share(luma[2] * blue / luma[1]),
	}
}

// scalesOf returns the scales of luminance and chroma. Chroma has half the range and is signed.
func scalesOf(reference [6]float64) (y, cb, cr scale) {
	return scale{reference[0], reference[1], 255}, scale{reference[2], reference[3], 127}, scale{reference[4], reference[5], 127}
}

// chroma8 converts samples of eight bits with integer tables. It rounds where libtiff does, so that
// the results are equal.
type chroma8 struct {
	luma, red, blue  [256]int32
	greenCb, greenCr [256]int32 // in units of 1 / (1<<fractionBits)
}

const fractionBits = 16

func newChroma8(m raster.ColorModel) *chroma8 {
	var t chroma8
	fixed := func(v float64) int32 { return int32(v*(1<<fractionBits) + 0.5) }
	d := differencesOf(m.Luma)
	y, cb, cr := scalesOf(m.Reference)
	const half = 1 << (fractionBits - 1)
	for sample := range t.luma {
		at := float64(sample)
		t.luma[sample] = int32(y.of(at))
		inCb, inCr := int32(cb.of(at)), int32(cr.of(at))
		t.red[sample] = (fixed(d.redOfCr)*inCr + half) >> fractionBits
		t.blue[sample] = (fixed(d.blueOfCb)*inCb + half) >> fractionBits
		t.greenCb[sample] = half - fixed(-d.greenOfCb)*inCb
		t.greenCr[sample] = -fixed(-d.greenOfCr) * inCr
	}
	return &t
}

func (t *chroma8) convert(b block) {
	y := component[uint8](b, 0)
	if b.wants(0) {
		addDifference(colorOf[uint8](b, 0), y, component[uint8](b, 2), &t.luma, &t.red)
	}
	if b.wants(1) {
		to, cb, cr := colorOf[uint8](b, 1), component[uint8](b, 1), component[uint8](b, 2)
		to, cb, cr = to[:len(y)], cb[:len(y)], cr[:len(y)]
		for i, luma := range y {
			to[i] = level(t.luma[luma] + (t.greenCb[cb[i]]+t.greenCr[cr[i]])>>fractionBits)
		}
	}
	if b.wants(2) {
		addDifference(colorOf[uint8](b, 2), y, component[uint8](b, 1), &t.luma, &t.blue)
	}
}

// addDifference computes red or blue, each of which depends on one chroma only.
func addDifference(to, y, chroma []uint8, luma, difference *[256]int32) {
	to, chroma = to[:len(y)], chroma[:len(y)]
	for i, sample := range y {
		to[i] = level(luma[sample] + difference[chroma[i]])
	}
}

func level(v int32) uint8 { return uint8(min(max(v, 0), 255)) }
