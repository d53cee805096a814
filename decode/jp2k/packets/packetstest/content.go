package packetstest

import (
	"math/rand/v2"

	"tileserver/decode/jp2k/codestream"
)

// Block is a code-block to write.
type Block struct {
	HT           bool
	Missing      int
	Placeholders int // passes without bytes before the first of an HT block
	Pieces       []Piece
	state        blockState
}

// Piece is the passes of a segment that one layer holds.
type Piece struct {
	Layer, Passes int
	Bytes         []byte
	Ends          bool // the segment ends, by the rules of the style
}

// Key is the position of a block. Column and row count from the first block that touches the band.
type Key struct{ Component, Resolution, Band, Column, Row int }

// Density is the amount of content of a tile.
type Density struct {
	Blocks    float64 // share of code-blocks with content
	Layers    float64 // share of layers with content of such a block
	MaxPasses int     // of a block in one layer
	MaxBytes  int     // of a piece
}

// Content returns random content of all code-blocks of a tile.
func Content(t *codestream.Tile, d Density, random *rand.Rand) map[Key]*Block {
	blocks := map[Key]*Block{}
	for c := range t.Components {
		tc := &t.Components[c]
		for r := range tc.Resolutions {
			for b := range tc.Resolutions[r].Bands {
				band := &tc.Resolutions[r].Bands[b]
				for row := range band.BlockRows() {
					for column := range band.BlockColumns() {
						if random.Float64() < d.Blocks {
							blocks[Key{c, r, b, column, row}] = newBlock(tc.Style, t.Layers, d, random)
						}
					}
				}
			}
		}
	}
	return blocks
}

func newBlock(style codestream.Style, layers int, d Density, random *rand.Rand) *Block {
	b := &Block{Missing: random.IntN(20)}
	b.HT = style&codestream.HT != 0 && (style&codestream.HTMixed == 0 || random.IntN(2) == 0)
	if b.HT && random.IntN(3) == 0 {
		b.Placeholders = 3 * (1 + random.IntN(3))
	}
	passes := -b.Placeholders
	for layer := range layers {
		if random.Float64() >= d.Layers && layer < layers-1 {
			continue
		}
		n := min(1+random.IntN(d.MaxPasses), 200-passes)
		if b.HT && passes <= 0 && passes+n > 3 {
			n = 3 - passes // in the first set, only its refinements may come with its cleanup pass
		}
		if n > 0 {
			b.add(style, layer, passes, n, d.MaxBytes, random)
			passes += n
		}
	}
	return b
}

// add adds passes of a layer, from number first on. Placeholders have negative numbers.
func (b *Block) add(style codestream.Style, layer, first, passes, maxBytes int, random *rand.Rand) {
	piece := Piece{Layer: layer}
	mixed := style&codestream.HT != 0 && !b.HT && first == 0
	for p := first; p < first+passes; p++ {
		piece.Passes++
		placeholders := p < 0 && (p == -1 || p == first+passes-1)
		piece.Ends = p >= 0 && b.ends(style, p)
		if mixed && p < first+passes-1 || !placeholders && !piece.Ends && p < first+passes-1 {
			continue
		}
		if p >= 0 {
			piece.Bytes = randomBytes(random, maxBytes)
			if b.HT && p%3 == 0 || mixed {
				piece.Bytes = append(piece.Bytes, 1, 2) // must not be empty
			}
		}
		b.Pieces = append(b.Pieces, piece)
		piece = Piece{Layer: layer}
	}
}

// ends reports whether a segment ends with a pass.
func (b *Block) ends(style codestream.Style, pass int) bool {
	switch {
	case b.HT:
		return pass%3 != 1
	case style&codestream.TerminateAll != 0:
		return true
	case style&codestream.Bypass != 0:
		return pass >= 9 && pass%3 != 1
	}
	return false
}

// randomBytes returns random bytes without markers.
func randomBytes(random *rand.Rand, maxBytes int) []byte {
	data := make([]byte, random.IntN(maxBytes+1))
	for i := range data {
		data[i] = byte(random.IntN(0x90))
	}
	return data
}
