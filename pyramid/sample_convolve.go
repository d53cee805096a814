package pyramid

import "tileserver/raster"

// convolve is any other kernel, with weights by coverage.
func (s *sampler[T]) convolve(g *geometry, to int, cov []uint8) {
	for _, p := range s.planes {
		target, coverage := p.target[to:to+g.n], cov
		firstX, firstY := s.x.taps/2-1, s.y.taps/2-1
		for i := range target {
			wx, wy := s.x.phase(g.fx[i]), s.y.phase(g.fy[i])
			start := int(g.at[i]) - firstY*s.stride - firstX
			var value, sum float64
			for j, y := range wy {
				row := p.source[start+j*s.stride:][:len(wx)]
				var rowValue, rowSum float64
				if s.coverage == nil {
					for k, x := range wx {
						rowValue += float64(x) * float64(row[k])
					}
					rowSum = 1
				} else {
					for k, c := range s.coverage[start+j*s.stride:][:len(wx)] {
						if c > 0 {
							w := float64(wx[k]) * float64(c)
							rowSum += w / raster.Valid
							rowValue += w / raster.Valid * float64(row[k])
						}
					}
				}
				value += rowValue * float64(y)
				sum += rowSum * float64(y)
			}
			coverage[i] = raster.Clamp[uint8](sum * raster.Valid)
			if coverage[i] > 0 {
				target[i] = s.round.to(value / sum)
			}
		}
	}
}
