package resample

const (
	// RowPixels is the maximum length of a Row.
	RowPixels = 128

	// PhaseBits is the precision of positions between pixels: they are rounded to 1/256.
	PhaseBits = 8
	phases    = 1 << PhaseBits
)

// Row holds the positions in a window of the pixels of a row segment. All bands share it. A kernel
// must fit into the window around each position.
type Row struct {
	N              int
	At             [RowPixels]int32 // index of the pixel under the position, or of the pixel whose center lies before it
	PhaseX, PhaseY [RowPixels]uint8 // distance behind that center, in phases
	Outside        [RowPixels]bool  // the position is outside the image; At is valid nevertheless
	AnyOutside     bool

	Lowest, Highest int // bounds of the indices
}
