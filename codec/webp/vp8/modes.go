package vp8

// Mode is an intra prediction mode.
type Mode uint8

// Prediction modes (RFC 6386, section 11.2). Whole macroblocks and chroma use the first four.
const (
	ModeDC Mode = iota
	ModeTrueMotion
	ModeVertical
	ModeHorizontal
	ModeDownRight
	ModeVerticalRight
	ModeDownLeft
	ModeVerticalLeft
	ModeHorizontalDown
	ModeHorizontalUp

	WholeModes    = 4
	SubblockModes = 10
)

// Probabilities of the bits that lead to a mode. The first bit for luma says whether each subblock
// has a mode of its own. Those of subblocks depend on the modes above and to the left.
var (
	LumaModeProbabilities   = [4]uint8{145, 156, 163, 128}
	ChromaModeProbabilities = [3]uint8{142, 114, 183}
)
