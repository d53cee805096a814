package lzma

import "fmt"

const (
	states            = 12
	firstMatchState   = 7 // from here on the last symbol was a match
	maxPositionStates = 16
	literalSize       = 0x300
	maxLiteralBits    = 4 // of position and of the byte before, together
	minMatchBytes     = 2
)

// model is all that LZMA learns about the data: the probabilities of bits by what came before.
type model struct {
	isMatch       [states][maxPositionStates]probability
	isRepeat      [states]probability // of one of the last four distances
	isRepeat1     [states]probability // not of the last one
	isRepeat2     [states]probability
	isRepeat3     [states]probability
	isLong        [states][maxPositionStates]probability // more than a byte at the last distance
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
	last  [4]uint32 // distances, less one
}

// lengthModel is that of the lengths of matches.
type lengthModel struct {
	choice [2]probability
	low    [maxPositionStates][8]probability
	middle [maxPositionStates][8]probability
	high   [256]probability
}

// setProperties sets how the place and the byte before count in the model.
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

// reset forgets all that was learnt. Properties stay.
func (m *model) reset() {
	for s := range states {
		forget(m.isMatch[s][:])
		forget(m.isLong[s][:])
	}
	for _, p := range []([]probability){m.isRepeat[:], m.isRepeat1[:], m.isRepeat2[:], m.isRepeat3[:], m.distances[:], m.align[:]} {
		forget(p)
	}
	for i := range m.slots {
		forget(m.slots[i][:])
	}
	m.lengths.reset()
	m.repeatLengths.reset()
	for i := range (m.literalPositionMask + 1) << m.literalContextBits {
		forget(m.literals[i][:])
	}
	m.state, m.last = 0, [4]uint32{}
}

func (l *lengthModel) reset() {
	forget(l.choice[:])
	for i := range l.low {
		forget(l.low[i][:])
		forget(l.middle[i][:])
	}
	forget(l.high[:])
}

func forget(probabilities []probability) {
	for i := range probabilities {
		probabilities[i] = probabilityOne / 2
	}
}
