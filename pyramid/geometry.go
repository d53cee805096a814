package pyramid

import (
	"tileserver/pyramid/resample"
	"tileserver/raster"
)

// geometry places the pixels of a row of a cell in a window.
type geometry struct {
	rect         raster.Rect // of the window
	across, down span        // of the level
	nearest      bool
	onGround     *onGround // nil until a cell has a relief

	resample.Row
}

func (r *reader) geometry(w window) *geometry {
	g := &geometry{rect: w.rect}
	g.across, g.down = r.pyramid.spans(r.plan)
	return g
}

// place computes the positions of a row of a cell. It returns false if all of them are outside the
// image.
func (g *geometry) place(k *cell, y int) bool {
	g.N = k.rect.Width()
	if k.relief != nil {
		return g.placeOnGround(k, y)
	}
	l := k.line(y)
	first := k.rect.X0 - k.x
	u, v := l.at(first)
	endU, endV := l.at(first + g.N - 1)
	g.bound(u, v, endU, endV)
	if !g.isPlain(u, v) || !g.isPlain(endU, endV) {
		return g.placeWithOutside(l, first)
	}
	g.AnyOutside = false
	g.placeInside(line{u, v, l.stepU, l.stepV}, 0, g.N)
	return true
}

// bound computes the bounds of the indices of a row from the positions of its ends. Positions are
// monotonic along a row, and none is outside.
func (g *geometry) bound(u, v, endU, endV int64) {
	leftmost, rightmost := g.across.clampRange(u, endU)
	topmost, lowermost := g.down.clampRange(v, endV)
	g.setRange(leftmost, topmost, rightmost, lowermost)
}

// setRange sets the bounds of the indices of a row from bounds of its positions.
func (g *geometry) setRange(leftmost, topmost, rightmost, lowermost int64) {
	pixel := func(position int64) int { return int((position + g.shift()) >> fractionBits) }
	stride := g.rect.Width()
	g.Lowest = (pixel(topmost)-g.rect.Y0)*stride + pixel(leftmost) - g.rect.X0
	g.Highest = (pixel(lowermost)-g.rect.Y0)*stride + pixel(rightmost) - g.rect.X0
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
	halfPhase  = 1 << (fractionBits - resample.PhaseBits - 1)
	phaseShift = fractionBits - resample.PhaseBits
)

// placeInside places pixels of a row on a line that begins at the first of them. Its ends, and so
// all positions, are plain.
func (g *geometry) placeInside(l line, first, end int) {
	stride := int64(g.rect.Width())
	origin := int64(g.rect.Y0)*stride + int64(g.rect.X0)
	u, v := l.u+g.shift(), l.v+g.shift()
	at := g.At[first:end]
	if g.nearest {
		for i := range at {
			at[i] = int32(v>>fractionBits*stride + u>>fractionBits - origin)
			u += l.stepU
			v += l.stepV
		}
		return
	}
	phaseX, phaseY := g.PhaseX[first:end][:len(at)], g.PhaseY[first:end][:len(at)]
	for i := range at {
		at[i] = int32(v>>fractionBits*stride + u>>fractionBits - origin)
		phaseX[i], phaseY[i] = uint8(u>>phaseShift), uint8(v>>phaseShift)
		u += l.stepU
		v += l.stepV
	}
}

// placeWithOutside places a row that may leave the image.
func (g *geometry) placeWithOutside(l line, first int) bool {
	g.AnyOutside = true
	any := false
	for i := range g.N {
		u, v := l.at(first + i)
		u, seesAcross := g.across.clamp(u)
		v, seesDown := g.down.clamp(v)
		g.Outside[i] = !seesAcross || !seesDown
		if g.Outside[i] {
			continue
		}
		any = true
		g.set(i, u, v)
	}
	if any {
		g.fillOutside()
	}
	return any
}

// set sets the position of a pixel of a row.
func (g *geometry) set(i int, u, v int64) {
	u, v = u+g.shift(), v+g.shift()
	g.At[i] = int32((v>>fractionBits-int64(g.rect.Y0))*int64(g.rect.Width()) + u>>fractionBits - int64(g.rect.X0))
	g.PhaseX[i], g.PhaseY[i] = uint8(u>>phaseShift), uint8(v>>phaseShift)
}

// fillOutside gives pixels outside the image the position of one inside, so that samplers need not
// distinguish them. clearOutside resets their coverage afterwards.
func (g *geometry) fillOutside() {
	var inside int
	for g.Outside[inside] {
		inside++
	}
	for i := range g.N {
		if g.Outside[i] {
			g.At[i], g.PhaseX[i], g.PhaseY[i] = g.At[inside], g.PhaseX[inside], g.PhaseY[inside]
		}
	}
}
