package decoder

import "tileserver/codec/jpeg"

// progressiveScan is one scan of a script.
type progressiveScan struct {
	components             []int
	first, last, high, low int
}

// fullScript refines all coefficients twice.
func (d *drawing) fullScript() (script []progressiveScan) {
	script = append(script, progressiveScan{d.all(), 0, 0, 0, 1})
	for _, comp := range d.all() {
		script = append(script,
			progressiveScan{[]int{comp}, 1, 5, 0, 2},
			progressiveScan{[]int{comp}, 6, 63, 0, 2},
			progressiveScan{[]int{comp}, 1, 63, 2, 1},
			progressiveScan{[]int{comp}, 1, 63, 1, 0})
	}
	return append(script, progressiveScan{d.all(), 0, 0, 1, 0})
}

func (d *drawing) progressive(interval int, script []progressiveScan) []byte {
	s := d.begin(jpeg.MarkerFrame+2, interval)
	for _, scan := range script {
		w := progressiveWriter{scan: scan}
		for i := range w.dc {
			w.dc[i], w.ac[i] = newCodes(0, byte(i)), newCodes(1, byte(i))
		}
		d.walk(scan.components, interval, w.block, w.restart)
		w.endRun()
		s.scan(scanHeader(scan.components, scan.first, scan.last, scan.high, scan.low), w.tokens)
	}
	s.bareMarker(jpeg.MarkerEnd)
	return s.bytes
}

// progressiveWriter writes one scan.
type progressiveWriter struct {
	scan   progressiveScan
	dc, ac [2]*codes
	tokens []token
	means  [maxComponents]int

	table   *codes  // codes of the current run of empty blocks
	run     int     // length of that run
	pending []token // refinement bits of that run
}

func (w *progressiveWriter) restart() {
	w.endRun()
	w.means = [maxComponents]int{}
	w.tokens = append(w.tokens, token{isRestart: true})
}

func (w *progressiveWriter) block(comp int, b *[jpeg.BlockSize]int) {
	s := w.scan
	switch {
	case s.first == 0 && s.high == 0:
		mean := b[0] >> s.low
		size, bits := magnitude(mean - w.means[comp])
		w.means[comp] = mean
		w.tokens = append(w.tokens, token{table: w.dc[comp&1], symbol: byte(size), value: bits, bits: size})
	case s.first == 0:
		w.tokens = append(w.tokens, token{value: uint32(b[0]>>s.low) & 1, bits: 1})
	case s.high == 0:
		w.table = w.ac[comp&1]
		w.band(b)
	default:
		w.table = w.ac[comp&1]
		w.refinement(b)
	}
}

// band codes new coefficients. Blocks that end in zeros extend the run.
func (w *progressiveWriter) band(b *[jpeg.BlockSize]int) {
	if band := appendBand(nil, w.table, b, w.scan.first, w.scan.last, w.scan.low); band[0].symbol != 0 {
		w.endRun()
		if band[len(band)-1].symbol == 0 {
			w.tokens = append(w.tokens, band[:len(band)-1]...)
			w.run++
			return
		}
		w.tokens = append(w.tokens, band...)
		return
	}
	w.run++
}

// endRun writes the length of the run and its refinement bits.
func (w *progressiveWriter) endRun() {
	for w.run > 0 {
		size := 0
		for w.run>>(size+1) > 0 && size < 14 {
			size++
		}
		w.tokens = append(w.tokens, token{table: w.table, symbol: byte(size << 4), value: uint32(w.run - 1<<size), bits: size})
		w.run -= min(w.run, 1<<(size+1)-1)
	}
	w.tokens = append(w.tokens, w.pending...)
	w.pending = nil
}

// refinement codes one bit of each known coefficient, and the coefficients that become nonzero.
func (w *progressiveWriter) refinement(b *[jpeg.BlockSize]int) {
	s := w.scan
	lastNew := 0
	for k := s.first; k <= s.last; k++ {
		if v := max(b[k], -b[k]) >> s.low; v == 1 {
			lastNew = k
		}
	}
	if lastNew > 0 {
		w.endRun()
	}
	run := 0
	var bits []token
	for k := s.first; k <= lastNew; k++ {
		v := max(b[k], -b[k]) >> s.low
		if v == 0 {
			if run++; run == 16 {
				w.tokens = append(append(w.tokens, token{table: w.table, symbol: 0xF0}), bits...)
				run, bits = 0, nil
			}
			continue
		}
		if v > 1 {
			bits = append(bits, token{value: uint32(v) & 1, bits: 1})
			continue
		}
		sign := uint32(1)
		if b[k] < 0 {
			sign = 0
		}
		w.tokens = append(w.tokens, token{table: w.table, symbol: byte(run<<4 | 1), value: sign, bits: 1})
		w.tokens = append(w.tokens, bits...)
		run, bits = 0, nil
	}
	if lastNew == s.last {
		return
	}
	for k := max(lastNew+1, s.first); k <= s.last; k++ {
		if v := max(b[k], -b[k]) >> s.low; v > 1 {
			bits = append(bits, token{value: uint32(v) & 1, bits: 1})
		}
	}
	w.pending = append(w.pending, bits...)
	w.run++
}
