package lossy

import "tileserver/codec/webp/vp8"

// encodeChroma encodes both chroma planes of a macroblock with the same mode.
func (e *Encoder) encodeChroma(at position, m *macroblock) {
	w, u, v := &e.workspace, &e.reconstructed.u, &e.reconstructed.v
	start := u.at(8*at.column, 8*at.row)
	w.around.read(u, 8*at.column, 8*at.row, 8)
	w.aroundV.read(v, 8*at.column, 8*at.row, 8)
	var sums [vp8.WholeModes]int32
	distances8(&sums, &w.around, &w.aroundV, e.source.u.samples[start:], e.source.v.samples[start:], u.stride)
	m.chroma = e.settings.bestWhole(&sums, &chromaPaths)
	w.around.predict(u.samples[start:], u.stride, m.chroma)
	w.aroundV.predict(v.samples[start:], v.stride, m.chroma)
	e.encodeChromaPlane(16, u, &e.source.u, start)
	e.encodeChromaPlane(20, v, &e.source.v, start)
}

// encodeChromaPlane encodes four blocks, of which first is the index. p holds their prediction.
func (e *Encoder) encodeChromaPlane(first int, p, source *plane, start int) {
	w := &e.workspace
	for i := first; i < first+4; i += 2 {
		levels := (*[2]block)(w.levels[i:])
		w.ends[i], w.ends[i+1] = e.settings.chroma.encodePair(source.samples[start:], p.samples[start:], p.stride, levels)
		start += 4 * p.stride
	}
}
