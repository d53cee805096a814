package lossless

import "math/bits"

// candidates are the modes worth trying. The others seldom predict better, and what chance makes of them costs more.
var candidates = [...]mode{modeLeft, modeAbove, modeLeftAbove, modeAllAround, modeSelect, modeGradient}

// roughBits is about how many eighths of a bit a sample takes by the size of its difference: below 16, and in sixteens
// above.
var roughBits = func() (table [2][16]uint8) {
	for i := range 16 {
		table[0][i] = eighthsOf(1 + 2*i)
		table[1][i] = eighthsOf(1 + 2*(16*i+8))
	}
	table[1][0] = 0
	return table
}()

func eighthsOf(n int) uint8 { return uint8(logarithm(uint32(n)) * 8 >> logBits) }

// block is some pixels of a picture; right and bottom are not in it.
type block struct{ left, top, right, bottom int }

// blockAt is a block of an image that has as many across as are needed.
func blockAt(i, width, height, blockBits int) block {
	across := blocksAcross(width, blockBits)
	left, top := i%across<<blockBits, i/across<<blockBits
	return block{left, top, min(left+1<<blockBits, width), min(top+1<<blockBits, height)}
}

func blocksAcross(side, blockBits int) int { return (side + 1<<blockBits - 1) >> blockBits }

// blockBitsOf makes a few hundred blocks of a tile, and larger ones of a larger picture.
func blockBitsOf(width, height int) int {
	return min(max(bits.Len(uint(max(width, height)-1))-4, 4), 7)
}

// chooseModes finds a mode for each block of 1 << blockBits pixels a side, and how lively the block is: what its
// differences cost in proportion to its pixels.
func chooseModes(modes []mode, liveliness []uint32, pixels []pixel, width, blockBits int) {
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
		liveliness[i] = costs[best] * 16 / uint32(max((area.right-area.left)*(area.bottom-area.top), 1))
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
			costs[4] += cost(subtract(p, nearer(left, above, aboveLeft)))
			costs[5] += cost(subtract(p, gradient(left, above, aboveLeft)))
		}
	}
}

func cost(difference pixel) uint32 {
	return uint32(sampleCosts[difference>>24]) + uint32(sampleCosts[difference>>16&0xff]) +
		uint32(sampleCosts[difference>>8&0xff]) + uint32(sampleCosts[difference&0xff])
}

// sampleCosts is roughBits for all differences.
var sampleCosts = func() (costs [256]uint8) {
	for difference := range costs {
		away := min(difference, 256-difference)
		if costs[difference] = roughBits[1][away>>4]; away < 16 {
			costs[difference] = roughBits[0][away]
		}
	}
	return costs
}()
