package pyramid

import "tileserver/raster"

// geometry holds the positions of the pixels of a row segment in a window. All bands share it.
type geometry struct {
	rect         raster.Rect // of the window
	across, down span        // of the level
	nearest      bool

	n      int
	at     [1 << cellShift]int32 // index of the pixel under the position, or of the pixel whose center lies before it
	fx, fy [1 << cellShift]uint8 // distance behind that center, in phases
	out    [1 << cellShift]bool  // the position is outside the image
	anyOut bool

	lowest, highest int // bounds of the indices
}

func (r *reader) geometry(w window) *geometry {
	g := &geometry{rect: w.rect}
	g.across, g.down = r.pyramid.spans(r.plan)
	return g
}

// place computes the positions of a row of a cell. It returns false if all of them are outside the
// image.
func (g *geometry) place(k *cell, y int) bool {
	l := k.line(y)
	g.n = k.rect.Width()
	first := k.rect.X0 - k.x
	u, v := l.at(first)
	endU, endV := l.at(first + g.n - 1)
	g.bound(u, v, endU, endV)
	if !g.isPlain(u, v) || !g.isPlain(endU, endV) {
		return g.placeWithOutside(l, first)
	}
	g.anyOut = false
	g.placeInside(l, u, v)
	return true
}

// bound computes the bounds of the indices of a row from the positions of its ends. Positions are
// monotonic along a row, and none is outside.
func (g *geometry) bound(u, v, endU, endV int64) {
	leftmost, rightmost := g.across.clampRange(u, endU)
	topmost, lowermost := g.down.clampRange(v, endV)
	pixel := func(position int64) int { return int((position + g.shift()) >> fractionBits) }
	stride := g.rect.Width()
	g.lowest = (pixel(topmost)-g.rect.Y0)*stride + pixel(leftmost) - g.rect.X0
	g.highest = (pixel(lowermost)-g.rect.Y0)*stride + pixel(rightmost) - g.rect.X0
}

// shift returns an offset to add to a position. It leads to the pixel whose center lies before the
// position and rounds to the nearest phase, since pixel centers are at halves.
func (g *geometry) shift() int64 {
	if g.nearest {
		return 0
	}
	return halfPhase - halfPixel
}

// isPlain reports whether a position needs no adjustment at the edge of the image.
func (g *geometry) isPlain(u, v int64) bool { return g.across.isPlain(u) && g.down.isPlain(v) }

const (
	halfPixel  = onePixel / 2
	halfPhase  = 1 << (fractionBits - phaseBits - 1)
	phaseShift = fractionBits - phaseBits
)

// placeInside places a row whose ends, and so all positions, are plain.
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
		u, seesAcross := g.across.clamp(u)
		v, seesDown := g.down.clamp(v)
		g.out[i] = !seesAcross || !seesDown
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

// fillOutside gives pixels outside the image the position of one inside, so that samplers need not
// distinguish them. clearOutside resets their coverage afterwards.
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
