package kernel

import (
	_ "embed"

	"tileserver/decode/jp2k/tier1"
	"tileserver/gpu"
)

//go:embed decoder.wgsl
var decoder string

// Decoder returns the WGSL that decodes a code-block and gives its coefficients. It comes before the entries
// of a kernel, behind a gpu.Header.
func Decoder() string { return decoder }

// Lanes is the number of code-blocks that a workgroup of the decoder decodes.
const Lanes = 16

// What the source says, too.
const (
	groupColumns    = 6
	stripeRows      = 4
	stateWords      = 29
	fields          = 5 // beside one for each bit-plane
	roundsPerStep   = 2048
	symbolsPerRound = 6
	wordsPerSegment = 2
)

// workOfByte is the work of a byte, where that of a coefficient in a pass is 1. The time that real
// code-blocks take on a core is about proportional to the sum (R² 0.98; to the bytes alone, 0.97).
const workOfByte = 150

// Needs is what the decoder needs for a code-block.
type Needs struct {
	Input, Scratch int64 // bytes
	Segments       int   // codewords
	Steps          int   // in which it is decoded, at most
	Work           int64
}

// NeedsOf returns what the decoder needs for a code-block, or why that has to be decoded on a core: an error
// of tier1.
func NeedsOf(b *tier1.Block) (Needs, error) {
	if err := b.Sound(); err != nil {
		return Needs{}, err
	}
	n := Needs{
		Scratch: gpu.WordBytes * scratchWords(b),
		Steps:   decodeSteps(b.Width, b.Height, b.BitPlanes, b.Passes),
		Work:    int64(b.Width) * int64(b.Height) * int64(b.Passes),
	}
	for _, codeword := range codewords(b) {
		n.Segments++
		n.Input += gpu.WordBytes * int64(wordsPerSegment+wordsOf(codeword))
		n.Work += workOfByte * int64(len(codeword))
	}
	return n, nil
}

// decodeSteps returns in how many steps a code-block is decoded at most.
func decodeSteps(width, height, bitPlanes, passes int) int {
	return maxRounds(width, height, bitPlanes, passes)/roundsPerStep + 1
}

// maxRounds returns how many rounds a code-block takes at most: one for each group that a pass enters and for
// the end of the pass, and more for the symbols that exceed those of a round.
func maxRounds(width, height, bitPlanes, passes int) int {
	columns, stripes := gridOf(width, height)
	return passes*(columns*stripes+1) + maxSymbols(width*height, bitPlanes)/symbolsPerRound
}

// maxSymbols returns how many symbols coefficients have at most. Each has one in each bit-plane, and a
// sign. A column of four may have three more in a bit-plane, which tell where its first 1 is.
func maxSymbols(coefficients, bitPlanes int) int {
	return coefficients * (bitPlanes + 1 + (bitPlanes*3+stripeRows-1)/stripeRows)
}

// gridOf returns the groups of a block.
func gridOf(width, height int) (columns, stripes int) {
	return (width + groupColumns - 1) / groupColumns, (height + stripeRows - 1) / stripeRows
}

// scratchWords returns the size of what is kept of a code-block: the state of its decoder, and fields with a
// border.
func scratchWords(b *tier1.Block) int64 {
	columns, stripes := gridOf(b.Width, b.Height)
	return stateWords + int64(fields+b.BitPlanes)*int64((columns+1)*(stripes+2)+1)
}

// wordsOf returns how many words a codeword takes at most.
func wordsOf(codeword []byte) int { return gpu.WholeWords(len(codeword)) / gpu.WordBytes }
