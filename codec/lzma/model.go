package lzma

import "fmt"

const (
	states            = 12
	firstMatchState   = 7 // states from here on follow a match
	maxPositionStates = 16
	literalSize       = 0x300
	maxLiteralBits    = 4 // of position and previous byte together
	minMatchBytes     = 2
)

// model holds the adaptive probabilities of LZMA.
type model struct {
	isMatch       [states][maxPositionStates]probability
	isRepeat      [states]probability // of one of the last four distances
	isRepeat1     [states]probability // not of the last one
	isRepeat2     [states]probability
	isRepeat3     [states]probability
	isLong        [states][maxPositionStates]probability // more than one byte at the last distance
	slots         [4][64]probability
	distances     [128]probability
	align         [16]probability
	lengths       lengthModel
	repeatLengths lengthModel
	literals      [1 << maxLiteralBits][literalSize]probability

	literalContextBits  uint
	literalPositionMask int
	positionMask        int

	state uint32
	last  [4]uint32 // last distances, minus one
}

// lengthModel holds the probabilities of match lengths.
type lengthModel struct {
	choice [2]probability
	low    [maxPositionStates][8]probability
	middle [maxPositionStates][8]probability
	high   [256]probability
}

// setProperties sets the number of position and context bits of the model.
func (m *model) setProperties(properties byte) error {
	contextBits := uint(properties % 9)
	positionBits := uint(properties / 9 % 5)
	stateBits := uint(properties / 9 / 5)
	if stateBits > 4 || contextBits+positionBits > maxLiteralBits {
		return fmt.Errorf("LZMA properties %#02x: %w", properties, ErrCorrupt)
	}
	m.literalContextBits = contextBits
	m.literalPositionMask = 1<<positionBits - 1
	m.positionMask = 1<<stateBits - 1
	return nil
}

// reset resets all probabilities, but not the properties.
func (m *model) reset() {
	for s := range states {
		resetProbabilities(m.isMatch[s][:])
		resetProbabilities(m.isLong[s][:])
	}
	for _, p := range []([]probability){m.isRepeat[:], m.isRepeat1[:], m.isRepeat2[:], m.isRepeat3[:], m.distances[:], m.align[:]} {
		resetProbabilities(p)
	}
	for i := range m.slots {
		resetProbabilities(m.slots[i][:])
	}
	m.lengths.reset()
	m.repeatLengths.reset()
	for i := range (m.literalPositionMask + 1) << m.literalContextBits {
		resetProbabilities(m.literals[i][:])
	}
	m.state, m.last = 0, [4]uint32{}
}

func (l *lengthModel) reset() {
	resetProbabilities(l.choice[:])
	for i := range l.low {
		resetProbabilities(l.low[i][:])
		resetProbabilities(l.middle[i][:])
	}
	resetProbabilities(l.high[:])
}

func resetProbabilities(probabilities []probability) {
	for i := range probabilities {
		probabilities[i] = probabilityOne / 2
	}
}
