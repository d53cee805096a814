package lossy

import "tileserver/codec/webp/vp8"

// encodeLuma encodes the luma of a macroblock with the best mode for the whole, or with one mode
// for each subblock.
func (e *Encoder) encodeLuma(at position, m *macroblock) {
	w, s, p := &e.workspace, &e.settings, &e.reconstructed.y
	start := p.at(16*at.column, 16*at.row)
	source, reconstructed := e.source.y.samples[start:], p.samples[start:]
	w.around.read(p, 16*at.column, 16*at.row, 16)
	var sums [vp8.WholeModes]int32
	distances16(&sums, &w.around, source, p.stride)
	m.luma = s.bestWhole(&sums, &wholePaths)
	w.around.predict(reconstructed, p.stride, m.luma)
	if s.restriction == allModes {
		effort := effort16(source, reconstructed, p.stride) + s.modeEffort(wholePaths[m.luma].cost)
		if m.hasSubblocks = effort > s.minSubblockEffort && e.encodeSubblocks(at, m, effort); m.hasSubblocks {
			return
		}
		w.around.predict(reconstructed, p.stride, m.luma)
	}
	e.encodeWhole(source, reconstructed)
}

// bestWhole returns the mode with the smallest sum of squared differences and mode cost.
func (s *settings) bestWhole(sums *[vp8.WholeModes]int32, paths *[vp8.SubblockModes]path) vp8.Mode {
	if s.restriction == oneModeOnly {
		return vp8.ModeDC
	}
	best, bestScore := vp8.ModeDC, int32(1<<31-1)
	for i, sum := range sums {
		if score := sum + s.modeDistance(paths[i].cost); score < bestScore {
			best, bestScore = vp8.Mode(i), score
		}
	}
	return best
}

// encodeWhole encodes a macroblock with a single mode. The DC coefficients of its blocks form a
// separate block.
func (e *Encoder) encodeWhole(source, reconstructed []uint8) {
	w, s, stride := &e.workspace, &e.settings, e.reconstructed.y.stride
	transformWhole(&w.coefficients, source, reconstructed, stride)
	extractDC(&w.dcValues, &w.coefficients)
	w.dcEnd = uint8(s.lumaDC.quantize(&w.dcLevels, &w.dcValues))
	ends := w.dcEnd
	for i := range w.coefficients {
		w.ends[i] = uint8(s.whole.quantize(&w.levels[i], &w.coefficients[i]))
		ends |= w.ends[i]
	}
	if ends > 0 {
		distributeDC(&w.coefficients, &w.dcValues)
		addWhole(reconstructed, stride, &w.coefficients)
	}
}

// encodeSubblocks chooses a mode for each subblock, predicted from the previous ones. It gives up
// and returns false if the effort reaches limit, the effort of a single mode. To stop early, it
// assumes that the remaining subblocks take half of their share.
func (e *Encoder) encodeSubblocks(at position, m *macroblock, limit int32) bool {
	w, p := &e.workspace, &e.reconstructed.y
	start := p.at(16*at.column, 16*at.row)
	corner := [4]uint8(p.samples[start-p.stride+16:])
	if at.row > 0 && at.column == e.columns-1 {
		last := p.samples[start-p.stride+15] // there is no next macroblock
		corner = [4]uint8{last, last, last, last}
	}
	above, left := [4]vp8.Mode(e.modes.above[4*at.column:]), e.modes.left
	effort := e.settings.subblockEffort
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
		best := vp8.Mode(key & 15)
		m.modes[i], above[i&3], left[i>>2] = best, best, best
		w.ends[i] = uint8(e.settings.subblock.encodeBlock(&w.predictions[best], source, p.samples[b:], p.stride, &w.levels[i]))
	}
	return true
}

// invalidModeEffort is the effort of an invalid mode.
const invalidModeEffort = 1 << 26

// computeModeEfforts computes the costs of subblock modes for the current settings.
func (e *Encoder) computeModeEfforts() {
	for above := range e.modeEfforts {
		for left := range e.modeEfforts[above] {
			for m := range e.modeEfforts[above][left] {
				e.modeEfforts[above][left][m] = invalidModeEffort
				if m < vp8.SubblockModes {
					e.modeEfforts[above][left][m] = e.settings.modeEffort(subblockPaths[above][left][m].cost)
				}
			}
		}
	}
}
