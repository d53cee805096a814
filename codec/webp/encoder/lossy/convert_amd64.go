//go:build !purego

package lossy

import "tileserver/internal/cpu"

// columnsPerBatch is the number of columns that the assembly converts at a time. The assembly
// checks no bounds.
const columnsPerBatch = 16

//go:noescape
func convertRGB(upper, lower, upperLuma, lowerLuma, u, v *uint8, batches int)

//go:noescape
func convertRGBA(upper, lower, upperLuma, lowerLuma, u, v *uint8, batches int)

// convertPairs converts columns from the first one on, and returns their number.
func (p *rowPair) convertPairs() int {
	batches := p.width / columnsPerBatch
	if batches == 0 || p.format == Gray || !cpu.Has.AVX2 {
		return 0
	}
	n := batches * columnsPerBatch
	upper, lower := p.upper[:n*p.format.samples()], p.lower[:n*p.format.samples()]
	upperLuma, lowerLuma, u, v := p.upperLuma[:n], p.lowerLuma[:n], p.u[:n/2], p.v[:n/2]
	convert := convertRGB
	if p.format == RGBA {
		convert = convertRGBA
	}
	convert(&upper[0], &lower[0], &upperLuma[0], &lowerLuma[0], &u[0], &v[0], batches)
	return n
}
