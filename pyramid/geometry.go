package pyramid

import "tileserver/raster"

// geometry is where the pixels of a piece of a row fall in a window. All bands
// share it.
type geometry struct {
	rect           raster.Rect // of the window
	limitU, limitV int64       // positions from there on are outside the image
	reachU, reachV int64       // but those less than that further on are drawn in
	nearest        bool

	n      int
	at     [1 << cellShift]int32 // index of the pixel that the position lies on, or behind whose centre it lies
	fx, fy [1 << cellShift]uint8 // how far behind, in phases
	out    [1 << cellShift]bool  // the position is outside the image
	anyOut bool

	lowest, highest int // no index is below or above
}

func (r *reading) geometry(w window) *geometry {
	finest, scaleX, scaleY := r.pyramid.info.Levels[0], r.level.ScaleX, r.level.ScaleY
	g := &geometry{rect: w.rect, limitU: toFixed(float64(finest.Width) / scaleX), limitV: toFixed(float64(finest.Height) / scaleY)}
	if r.plan.View.Whole {
		g.limitU, g.limitV = toFixed(float64(r.level.Width)), toFixed(float64(r.level.Height))
		g.reachU, g.reachV = toFixed(r.plan.ScaleX/2), toFixed(r.plan.ScaleY/2)
	}
	return g
}

// place finds the positions of a row of a cell. It is false if all of them are
// outside the image.
func (g *geometry) place(k *cell, y int) bool {
	l := k.line(y)
	g.n = k.rect.Width()
	first := k.rect.X0 - k.x
	u, v := l.at(first)
	endU, endV := l.at(first + g.n - 1)
	g.bound(u, v, endU, endV)
	if !g.inside(u, v) || !g.inside(endU, endV) {
		return g.placeWithOutside(l, first)
	}
	g.anyOut = false
	g.placeInside(l, u, v)
	return true
}

// bound finds between which indices those of a row lie whose ends are at the
// given positions. Positions grow or shrink along a row, and none is outside.
func (g *geometry) bound(u, v, endU, endV int64) {
	low := func(a, b int64) int { return int((max(min(a, b), 0) + g.shift()) >> fractionBits) }
	high := func(a, b, limit int64) int { return int((min(max(a, b), limit-1) + g.shift()) >> fractionBits) }
	stride := g.rect.Width()
	g.lowest = (low(v, endV)-g.rect.Y0)*stride + low(u, endU) - g.rect.X0
	g.highest = (high(v, endV, g.limitV)-g.rect.Y0)*stride + high(u, endU, g.limitU) - g.rect.X0
}

// shift is what turns a position into that of the pixel behind whose centre it
// lies, and rounds to the nearest phase: pixel centres are at halves.
func (g *geometry) shift() int64 {
	if g.nearest {
		return 0
	}
	return halfPhase - halfPixel
}

func (g *geometry) inside(u, v int64) bool {
	return u >= 0 && v >= 0 && u < g.limitU && v < g.limitV
}

const (
	halfPixel  = onePixel / 2
	halfPhase  = 1 << (fractionBits - phaseBits - 1)
	phaseShift = fractionBits - phaseBits
)

// placeInside places a row both of whose ends, and so all of it, are inside.
func (g *geometry) placeInside(l line, u, v int64) {
	stride := int64(g.rect.Width())
	if g.nearest {
		for i := range g.at[:g.n] {
			g.at[i] = int32((v>>fractionBits-int64(g.rect.Y0))*stride + u>>fractionBits - int64(g.rect.X0))
			u += l.stepU
			v += l.stepV
		}
		return
	}
	u += g.shift()
	v += g.shift()
	for i := range g.at[:g.n] {
		g.at[i] = int32((v>>fractionBits-int64(g.rect.Y0))*stride + u>>fractionBits - int64(g.rect.X0))
		g.fx[i], g.fy[i] = uint8(u>>phaseShift), uint8(v>>phaseShift)
		u += l.stepU
		v += l.stepV
	}
}

// placeWithOutside places a row that may leave the image.
func (g *geometry) placeWithOutside(l line, first int) bool {
	g.anyOut = true
	any := false
	stride := int64(g.rect.Width())
	for i := range g.n {
		u, v := l.at(first + i)
		u, v = drawnIn(u, g.limitU, g.reachU), drawnIn(v, g.limitV, g.reachV)
		g.out[i] = !g.inside(u, v)
		if g.out[i] {
			continue
		}
		any = true
		u, v = u+g.shift(), v+g.shift()
		g.at[i] = int32((v>>fractionBits-int64(g.rect.Y0))*stride + u>>fractionBits - int64(g.rect.X0))
		g.fx[i], g.fy[i] = uint8(u>>phaseShift), uint8(v>>phaseShift)
	}
	if any {
		g.fillOutside()
	}
	return any
}

// fillOutside gives pixels outside the place of one that is inside, so that
// samplers need not tell them apart; their coverage is taken away afterwards.
func (g *geometry) fillOutside() {
	var inside int
	for g.out[inside] {
		inside++
	}
	for i := range g.n {
		if g.out[i] {
			g.at[i], g.fx[i], g.fy[i] = g.at[inside], g.fx[inside], g.fy[inside]
		}
	}
}
