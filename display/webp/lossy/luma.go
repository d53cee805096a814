package lossy

// encodeLuma takes the best of the modes of a whole macroblock, or one for each of its subblocks.
func (e *Encoder) encodeLuma(at place, m *macroblock) {
	w, s, p := &e.work, &e.settings, &e.rebuilt.y
	start := p.at(16*at.column, 16*at.row)
	source, rebuilt := e.source.y.samples[start:], p.samples[start:]
	w.around.read(p, 16*at.column, 16*at.row, 16)
	var sums [wholeModes]int32
	distances16(&sums, &w.around, source, p.stride)
	m.luma = s.bestWhole(&sums, &wholePaths)
	w.around.predict(rebuilt, p.stride, m.luma)
	if s.restraint == allModes {
		effort := effort16(source, rebuilt, p.stride) + s.modeEffort(wholePaths[m.luma].cost)
		if m.detailed = effort > s.leastForDetail && e.encodeSubblocks(at, m, effort); m.detailed {
			return
		}
		w.around.predict(rebuilt, p.stride, m.luma)
	}
	e.encodeWhole(source, rebuilt)
}

// bestWhole weighs squared distances and what modes cost.
func (s *settings) bestWhole(sums *[wholeModes]int32, paths *[subblockModes]path) mode {
	if s.restraint == oneModeOnly {
		return modeMean
	}
	best, bestScore := modeMean, int32(1<<31-1)
	for i, sum := range sums {
		if score := sum + s.modeDistance(paths[i].cost); score < bestScore {
			best, bestScore = mode(i), score
		}
	}
	return best
}

// encodeWhole encodes a macroblock that is predicted at once. Its means are written apart.
func (e *Encoder) encodeWhole(source, rebuilt []uint8) {
	w, s, stride := &e.work, &e.settings, e.rebuilt.y.stride
	transformWhole(&w.coefficients, source, rebuilt, stride)
	gatherMeans(&w.means, &w.coefficients)
	w.meansEnd = uint8(s.means.quantize(&w.meansLevels, &w.means))
	ends := w.meansEnd
	for i := range w.coefficients {
		w.ends[i] = uint8(s.whole.quantize(&w.levels[i], &w.coefficients[i]))
		ends |= w.ends[i]
	}
	if ends > 0 {
		spreadMeans(&w.coefficients, &w.means)
		addWhole(rebuilt, stride, &w.coefficients)
	}
}

// encodeSubblocks predicts each subblock by itself, from those before it. It gives up when that takes as much effort as
// to predict the macroblock at once, or would if the subblocks that are left took half of their share.
func (e *Encoder) encodeSubblocks(at place, m *macroblock, limit int32) bool {
	w, p := &e.work, &e.rebuilt.y
	start := p.at(16*at.column, 16*at.row)
	corner := [4]uint8(p.samples[start-p.stride+16:])
	if at.row > 0 && at.column == e.columns-1 {
		last := p.samples[start-p.stride+15] // the next macroblock is not there
		corner = [4]uint8{last, last, last, last}
	}
	above, left := [4]mode(e.modes.above[4*at.column:]), e.modes.left
	effort := e.settings.detailEffort
	for i := range m.modes {
		b := start + i>>2*4*p.stride + i&3*4
		right := corner
		if i&3 != 3 {
			right = [4]uint8(p.samples[b-p.stride+4:])
		}
		around := p.edgesOf(b, right)
		source := e.source.y.samples[b:]
		key := around.choose(&w.predictions, source, p.stride, &e.modeEfforts[above[i&3]][left[i>>2]])
		if effort += int32(key >> 4); effort+limit*int32(15-i)/32 >= limit {
			return false
		}
		best := mode(key & 15)
		m.modes[i], above[i&3], left[i>>2] = best, best, best
		w.ends[i] = uint8(e.settings.detailed.encodeBlock(&w.predictions[best], source, p.samples[b:], p.stride, &w.levels[i]))
	}
	return true
}

// noMode is the effort for what is no mode.
const noMode = 1 << 26

// weighModes reckons what the modes of subblocks cost with these settings.
func (e *Encoder) weighModes() {
	for above := range e.modeEfforts {
		for left := range e.modeEfforts[above] {
			for m := range e.modeEfforts[above][left] {
				e.modeEfforts[above][left][m] = noMode
				if m < subblockModes {
					e.modeEfforts[above][left][m] = e.settings.modeEffort(subblockPaths[above][left][m].cost)
				}
			}
		}
	}
}
