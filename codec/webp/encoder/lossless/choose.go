package lossless

import "math/bits"

// candidates lists the predictor modes to try. Other modes rarely predict better, and
// choosing among more modes by chance adds cost.
var candidates = [...]mode{modeLeft, modeAbove, modeLeftAbove, modeAllAround, modeSelect, modeGradient}

// roughBits estimates the cost of a difference in eighths of a bit, by its magnitude. The first row
// is for magnitudes below 16, the second for steps of 16.
var roughBits = func() (table [2][16]uint8) {
	for i := range 16 {
		table[0][i] = eighthsOf(1 + 2*i)
		table[1][i] = eighthsOf(1 + 2*(16*i+8))
	}
	table[1][0] = 0
	return table
}()

func eighthsOf(n int) uint8 { return uint8(logarithm(uint32(n)) * 8 >> logBits) }

// block is a rectangle of pixels. right and bottom are exclusive.
type block struct{ left, top, right, bottom int }

// blockAt returns the i-th block of an image that is divided into blocks of 1 << blockBits pixels a
// side.
func blockAt(i, width, height, blockBits int) block {
	across := blocksAcross(width, blockBits)
	left, top := i%across<<blockBits, i/across<<blockBits
	return block{left, top, min(left+1<<blockBits, width), min(top+1<<blockBits, height)}
}

func blocksAcross(side, blockBits int) int { return (side + 1<<blockBits - 1) >> blockBits }

// blockBitsOf divides a tile into a few hundred blocks. Larger pictures get larger blocks.
func blockBitsOf(width, height int) int {
	return min(max(bits.Len(uint(max(width, height)-1))-4, 4), 7)
}

// chooseModes finds the best mode for each block of 1 << blockBits pixels a side. It also returns
// the activity of each block: the cost of its differences per pixel, in 16ths.
func chooseModes(modes []mode, activity []uint32, pixels []pixel, width, blockBits int) {
	for i := range modes {
		area := blockAt(i, width, len(pixels)/width, blockBits)
		area.left, area.top = max(area.left, 1), max(area.top, 1)
		var costs [len(candidates)]uint32
		addCosts(&costs, pixels, width, area)
		best := 0
		for j, cost := range costs {
			if cost < costs[best] {
				best = j
			}
		}
		modes[i] = candidates[best]
		activity[i] = costs[best] * 16 / uint32(max((area.right-area.left)*(area.bottom-area.top), 1))
	}
}

func addCostsInGo(costs *[len(candidates)]uint32, pixels []pixel, width int, area block) {
	for y := area.top; y < area.bottom; y++ {
		row := pixels[y*width : (y+1)*width]
		above := pixels[(y-1)*width : y*width+1]
		for x := area.left; x < area.right; x++ {
			p, left, above, aboveLeft, aboveRight := row[x], row[x-1], above[x], above[x-1], above[x+1]
			costs[0] += cost(subtract(p, left))
			costs[1] += cost(subtract(p, above))
			costs[2] += cost(subtract(p, average(left, above)))
			costs[3] += cost(subtract(p, average(average(left, aboveLeft), average(above, aboveRight))))
			costs[4] += cost(subtract(p, selectNearest(left, above, aboveLeft)))
			costs[5] += cost(subtract(p, gradient(left, above, aboveLeft)))
		}
	}
}

func cost(difference pixel) uint32 {
	return uint32(sampleCosts[difference>>24]) + uint32(sampleCosts[difference>>16&0xff]) +
		uint32(sampleCosts[difference>>8&0xff]) + uint32(sampleCosts[difference&0xff])
}

// sampleCosts expands roughBits to all differences.
var sampleCosts = func() (costs [256]uint8) {
	for difference := range costs {
		away := min(difference, 256-difference)
		if costs[difference] = roughBits[1][away>>4]; away < 16 {
			costs[difference] = roughBits[0][away]
		}
	}
	return costs
}()
