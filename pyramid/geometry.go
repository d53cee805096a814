package pyramid

import "tileserver/raster"

// geometry is where the pixels of a piece of a row fall in a window. All bands
// share it.
type geometry struct {
	rect           raster.Rect // of the window
	limitU, limitV int64       // positions from there on are outside the image
	nearest        bool

	n      int
	at     [1 << cellShift]int32 // index of the pixel that the position lies on, or behind whose centre it lies
	fx, fy [1 << cellShift]uint8 // how far behind, in phases
	out    [1 << cellShift]bool  // the position is outside the image
	anyOut bool
}

func (r *reading) geometry(w window) *geometry {
	finest := r.pyramid.info.Levels[0]
	return &geometry{
		rect:    w.rect,
		limitU:  toFixed(float64(finest.Width) / r.level.ScaleX),
		limitV:  toFixed(float64(finest.Height) / r.level.ScaleY),
		nearest: r.kernelX.weight == nil,
	}
}

// place finds the positions of a row of a cell. It is false if all of them are
// outside the image.
func (g *geometry) place(k *cell, y int) bool {
	l := k.line(y)
	g.n = k.rect.Width()
	first := k.rect.X0 - k.x
	u, v := l.at(first)
	endU, endV := l.at(first + g.n - 1)
	if !g.inside(u, v) || !g.inside(endU, endV) {
		return g.placeWithOutside(l, first)
	}
	g.anyOut = false
	g.placeInside(l, u, v)
	return true
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
	// Pixel centres are at halves; half a phase rounds to the nearest phase.
	u += halfPhase - halfPixel
	v += halfPhase - halfPixel
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
		g.out[i] = !g.inside(u, v)
		if g.out[i] {
			continue
		}
		any = true
		if !g.nearest {
			u, v = u+halfPhase-halfPixel, v+halfPhase-halfPixel
		}
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
