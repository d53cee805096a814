package lossy

import "tileserver/codec/webp/vp8"

// branch is a bit on the path to a mode in its tree, with the index of its probability.
type branch struct{ probability, bit uint8 }

// Trees of modes. The first bit for luma tells whether each subblock has its own mode.
var (
	wholeBranches = [vp8.WholeModes][]branch{
		vp8.ModeDC:         {{0, 1}, {1, 0}, {2, 0}},
		vp8.ModeVertical:   {{0, 1}, {1, 0}, {2, 1}},
		vp8.ModeHorizontal: {{0, 1}, {1, 1}, {3, 0}},
		vp8.ModeTrueMotion: {{0, 1}, {1, 1}, {3, 1}},
	}
	chromaBranches = [vp8.WholeModes][]branch{
		vp8.ModeDC:         {{0, 0}},
		vp8.ModeVertical:   {{0, 1}, {1, 0}},
		vp8.ModeHorizontal: {{0, 1}, {1, 1}, {2, 0}},
		vp8.ModeTrueMotion: {{0, 1}, {1, 1}, {2, 1}},
	}
	subblockBranches = [vp8.SubblockModes][]branch{
		vp8.ModeDC:             {{0, 0}},
		vp8.ModeTrueMotion:     {{0, 1}, {1, 0}},
		vp8.ModeVertical:       {{0, 1}, {1, 1}, {2, 0}},
		vp8.ModeHorizontal:     {{0, 1}, {1, 1}, {2, 1}, {3, 0}, {4, 0}},
		vp8.ModeDownRight:      {{0, 1}, {1, 1}, {2, 1}, {3, 0}, {4, 1}, {5, 0}},
		vp8.ModeVerticalRight:  {{0, 1}, {1, 1}, {2, 1}, {3, 0}, {4, 1}, {5, 1}},
		vp8.ModeDownLeft:       {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {6, 0}},
		vp8.ModeVerticalLeft:   {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {6, 1}, {7, 0}},
		vp8.ModeHorizontalDown: {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {6, 1}, {7, 1}, {8, 0}},
		vp8.ModeHorizontalUp:   {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {6, 1}, {7, 1}, {8, 1}},
	}
)

// path holds the tokens of a mode, and their cost in 256ths of a bit.
type path struct {
	tokens [2]uint64
	count  uint8
	cost   uint16
}

// Paths to the modes. The paths of subblock modes depend on the modes above and to the left.
var (
	wholePaths    = makePaths(wholeBranches[:], vp8.LumaModeProbabilities[:])
	chromaPaths   = makePaths(chromaBranches[:], vp8.ChromaModeProbabilities[:])
	subblockPaths = makeSubblockPaths()
)

func makePaths(branches [][]branch, probabilities []uint8) (paths [vp8.SubblockModes]path) {
	for m, list := range branches {
		p := &paths[m]
		for i, b := range list {
			probability := probabilities[b.probability]
			k := uint64(constant+token(probability))<<1 | uint64(b.bit)
			p.tokens[i/4] |= k << (16 * (i % 4))
			p.cost += uint16(bitCost(int(b.bit), probability))
		}
		p.count = uint8(len(list))
	}
	return paths
}

func makeSubblockPaths() (paths [vp8.SubblockModes][vp8.SubblockModes][vp8.SubblockModes]path) {
	for above := range paths {
		for left := range paths[above] {
			paths[above][left] = makePaths(subblockBranches[:], vp8.SubblockModeProbabilities[above][left][:])
		}
	}
	return paths
}

// modeContext holds the modes of the subblocks above and to the left of the current macroblock.
// They are vp8.ModeDC outside the picture.
type modeContext struct {
	above []vp8.Mode // four per macroblock
	left  [4]vp8.Mode
}
