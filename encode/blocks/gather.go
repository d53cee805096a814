package blocks

import "tileserver/encode/rows"

// gather interleaves the planes of pixels. Columns and rows beyond them repeat the last ones.
func (w *worker) gather(s *Shape, p *Pixels) {
	rowBytes, pixelBytes, size := s.rowBytes(), s.pixelBytes(), s.Type.Size()
	for y := range p.Height {
		row := w.block[y*rowBytes:][:rowBytes]
		for band, plane := range p.Planes {
			rows.Interleave(row[band*size:], plane[y*p.Width*size:][:p.Width*size], size, pixelBytes)
		}
		rows.Repeat(row, p.Width*pixelBytes, pixelBytes)
	}
	last := w.block[(p.Height-1)*rowBytes:][:rowBytes]
	for y := p.Height; y < s.Height; y++ {
		copy(w.block[y*rowBytes:], last)
	}
}

// predict replaces the samples of all rows by differences.
func (w *worker) predict(s *Shape, predictor Predictor) {
	rowBytes, size := s.rowBytes(), s.Type.Size()
	for rest := w.block; len(rest) > 0; rest = rest[rowBytes:] {
		switch predictor {
		case HorizontalPredictor:
			rows.SubtractLeft(rest[:rowBytes], size, s.pixelBytes())
		case FloatPredictor:
			rows.SplitFloats(rest[:rowBytes], w.row, size, s.Samples)
		}
	}
}
