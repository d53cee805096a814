package pyramid

import "tileserver/pyramid/resample"

// position is a position in a level.
type position struct{ u, v int64 }

// onGround is the scratch memory for a row with a relief.
type onGround struct {
	heights   [resample.RowPixels]float64
	positions [resample.RowPixels]position
	paths     [resample.RowPixels]path
}

// placeOnGround is place for a cell with a relief, whose positions along a row are in no order.
func (g *geometry) placeOnGround(k *cell, y int) bool {
	if g.onGround == nil {
		g.onGround = new(onGround)
	}
	line, first := k.relief.line(k, y), k.rect.X0-k.x
	r := k.relief.moves.along(line.level, first, first+g.N-1)
	isInside := g.isPlain(r.lowU, r.lowV) && g.isPlain(r.highU, r.highV)
	if isInside {
		g.AnyOutside = false
		g.setRange(r.lowU, r.lowV, r.highU, r.highV)
	}
	if line.isSmooth() {
		return g.placeOnPaths(line.paths(g.onGround.paths[:0], first, first+g.N), isInside)
	}
	heights := g.onGround.heights[:g.N]
	if areKnown := line.terrain.HeightsAlong(heights, line.under, first); areKnown && isInside {
		g.placeOnHeights(&line, heights, first)
		return true
	}
	positions := g.onGround.positions[:g.N]
	for i, height := range heights {
		positions[i].u, positions[i].v = line.at(first+i, height)
	}
	return g.placeEach(positions)
}

// placeOnPaths places a row of paths. If it is inside, all positions are plain.
func (g *geometry) placeOnPaths(paths []path, isInside bool) bool {
	if isInside {
		for i := range paths {
			g.placeInside(paths[i].line, paths[i].first, paths[i].end)
		}
		return true
	}
	positions := g.onGround.positions[:g.N]
	for i := range paths {
		paths[i].write(positions)
	}
	return g.placeEach(positions)
}

// write writes the positions of a path into those of its row.
func (p *path) write(row []position) {
	for i := range row[p.first:p.end] {
		u, v := p.at(i)
		row[p.first+i] = position{u, v}
	}
}

// placeOnHeights places a row of plain positions under known heights.
func (g *geometry) placeOnHeights(l *reliefLine, heights []float64, first int) {
	stride := int64(g.rect.Width())
	origin := int64(g.rect.Y0)*stride + int64(g.rect.X0)
	zeroU, zeroV := l.zero.at(first)
	zeroU, zeroV = zeroU+g.shift(), zeroV+g.shift()
	stepU, stepV, perMeterU, perMeterV := l.zero.stepU, l.zero.stepV, l.perMeterU, l.perMeterV
	at, phaseX, phaseY := g.At[:len(heights)], g.PhaseX[:len(heights)], g.PhaseY[:len(heights)]
	pixel := float64(first)
	for i, height := range heights { // as reliefLine.at
		u, v := zeroU+int64(height*perMeterU.at(pixel)), zeroV+int64(height*perMeterV.at(pixel))
		at[i] = int32(v>>fractionBits*stride + u>>fractionBits - origin)
		phaseX[i], phaseY[i] = uint8(u>>phaseShift), uint8(v>>phaseShift)
		zeroU, zeroV, pixel = zeroU+stepU, zeroV+stepV, pixel+1
	}
}

// placeEach places a row of positions, some of which may be outside the image.
func (g *geometry) placeEach(positions []position) bool {
	r := newPositionRange()
	g.AnyOutside = false
	for i, p := range positions {
		u, seesAcross := g.across.clamp(p.u)
		v, seesDown := g.down.clamp(p.v)
		if g.Outside[i] = !seesAcross || !seesDown; g.Outside[i] {
			g.AnyOutside = true
			continue
		}
		r.add(u, v)
		g.set(i, u, v)
	}
	if r.isEmpty() {
		return false
	}
	if g.AnyOutside {
		g.fillOutside()
	}
	g.setRange(r.lowU, r.lowV, r.highU, r.highV)
	return true
}
