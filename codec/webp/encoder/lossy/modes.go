package lossy

import "tileserver/codec/webp/vp8"

// mode is an intra prediction mode.
type mode uint8

// Prediction modes (RFC 6386, section 11.2). Whole macroblocks and chroma use the first four.
const (
	modeDC mode = iota
	modeTrueMotion
	modeVertical
	modeHorizontal
	modeDownRight
	modeVerticalRight
	modeDownLeft
	modeVerticalLeft
	modeHorizontalDown
	modeHorizontalUp

	wholeModes    = 4
	subblockModes = vp8.SubblockModes
)

// branch is a bit on the path to a mode in its tree, with the index of its probability.
type branch struct{ probability, bit uint8 }

// Trees of modes. The first bit for luma tells whether each subblock has its own mode.
var (
	wholeProbabilities = []uint8{145, 156, 163, 128}
	wholeBranches      = [wholeModes][]branch{
		modeDC:         {{0, 1}, {1, 0}, {2, 0}},
		modeVertical:   {{0, 1}, {1, 0}, {2, 1}},
		modeHorizontal: {{0, 1}, {1, 1}, {3, 0}},
		modeTrueMotion: {{0, 1}, {1, 1}, {3, 1}},
	}
	chromaProbabilities = []uint8{142, 114, 183}
	chromaBranches      = [wholeModes][]branch{
		modeDC:         {{0, 0}},
		modeVertical:   {{0, 1}, {1, 0}},
		modeHorizontal: {{0, 1}, {1, 1}, {2, 0}},
		modeTrueMotion: {{0, 1}, {1, 1}, {2, 1}},
	}
	subblockBranches = [subblockModes][]branch{
		modeDC:             {{0, 0}},
		modeTrueMotion:     {{0, 1}, {1, 0}},
		modeVertical:       {{0, 1}, {1, 1}, {2, 0}},
		modeHorizontal:     {{0, 1}, {1, 1}, {2, 1}, {3, 0}, {4, 0}},
		modeDownRight:      {{0, 1}, {1, 1}, {2, 1}, {3, 0}, {4, 1}, {5, 0}},
		modeVerticalRight:  {{0, 1}, {1, 1}, {2, 1}, {3, 0}, {4, 1}, {5, 1}},
		modeDownLeft:       {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {6, 0}},
		modeVerticalLeft:   {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {6, 1}, {7, 0}},
		modeHorizontalDown: {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {6, 1}, {7, 1}, {8, 0}},
		modeHorizontalUp:   {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {6, 1}, {7, 1}, {8, 1}},
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
	wholePaths    = makePaths(wholeBranches[:], wholeProbabilities)
	chromaPaths   = makePaths(chromaBranches[:], chromaProbabilities)
	subblockPaths = makeSubblockPaths()
)

func makePaths(branches [][]branch, probabilities []uint8) (paths [subblockModes]path) {
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

func makeSubblockPaths() (paths [subblockModes][subblockModes][subblockModes]path) {
	for above := range paths {
		for left := range paths[above] {
			paths[above][left] = makePaths(subblockBranches[:], vp8.SubblockModeProbabilities[above][left][:])
		}
	}
	return paths
}

// modeContext holds the modes of the subblocks above and to the left of the current macroblock.
// They are modeDC outside the picture.
type modeContext struct {
	above []mode // four per macroblock
	left  [4]mode
}
