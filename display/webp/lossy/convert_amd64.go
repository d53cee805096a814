//go:build !purego

package lossy

import "golang.org/x/sys/cpu"

// columnsATurn is how many columns the assembly converts at a time. It looks at no bounds.
const columnsATurn = 16

//go:noescape
func convertRGB(upper, lower, upperLuma, lowerLuma, u, v *uint8, turns int)

//go:noescape
func convertRGBA(upper, lower, upperLuma, lowerLuma, u, v *uint8, turns int)

// convertPairs converts columns from the first one on, and returns how many.
func (p *rowPair) convertPairs() int {
	turns := p.width / columnsATurn
	if turns == 0 || p.format == Gray || !cpu.X86.HasAVX2 {
		return 0
	}
	n := turns * columnsATurn
	upper, lower := p.upper[:n*p.format.samples()], p.lower[:n*p.format.samples()]
	upperLuma, lowerLuma, u, v := p.upperLuma[:n], p.lowerLuma[:n], p.u[:n/2], p.v[:n/2]
	convert := convertRGB
	if p.format == RGBA {
		convert = convertRGBA
	}
	convert(&upper[0], &lower[0], &upperLuma[0], &lowerLuma[0], &u[0], &v[0], turns)
	return n
}
