package packetstest

import (
	"math/bits"
	"math/rand/v2"

	"tileserver/decode/jp2k/codestream"
)

// precinct holds the blocks of each band, row by row.
type precinct struct {
	style codestream.Style
	bands []precinctBand
}

type precinctBand struct {
	width              int
	blocks             []*Block
	inclusion, missing *tagTree
}

// blockState is what was written of a block so far.
type blockState struct {
	included   bool
	lengthBits int
	passes     int  // with placeholders
	begun      bool // bytes were written
}

func newPrecinct(t *codestream.Tile, p Packet, blocks map[Key]*Block) *precinct {
	tc := &t.Components[p.Component]
	r := &tc.Resolutions[p.Resolution]
	pr := &precinct{style: tc.Style}
	for b := range r.Bands {
		pr.bands = append(pr.bands, newPrecinctBand(r, p, b, blocks))
	}
	return pr
}

// newPrecinctBand collects the blocks of the band whose upper left corner is in the precinct.
func newPrecinctBand(r *codestream.Resolution, p Packet, b int, blocks map[Key]*Block) precinctBand {
	band, pb := &r.Bands[b], precinctBand{}
	half := min(p.Resolution, 1)
	column := r.Rect.X0>>r.PrecinctWidthLog2 + p.Precinct%r.PrecinctColumns
	row := r.Rect.Y0>>r.PrecinctHeightLog2 + p.Precinct/r.PrecinctColumns
	var first, missing []int
	rows := 0
	for y := range band.BlockRows() {
		if band.Block(0, y).Y0>>(r.PrecinctHeightLog2-half) != row {
			continue
		}
		rows++
		for x := range band.BlockColumns() {
			if band.Block(x, y).X0>>(r.PrecinctWidthLog2-half) != column {
				continue
			}
			block := blocks[Key{p.Component, p.Resolution, b, x, y}]
			pb.blocks = append(pb.blocks, block)
			if block == nil || len(block.Pieces) == 0 {
				first, missing = append(first, 1<<20), append(missing, 0)
			} else {
				first, missing = append(first, block.Pieces[0].Layer), append(missing, block.Missing)
			}
		}
	}
	pb.width = len(pb.blocks) / max(rows, 1)
	pb.inclusion, pb.missing = newTagTree(first, pb.width), newTagTree(missing, pb.width)
	return pb
}

// packet writes the header of a layer and its body.
func (p *precinct) packet(layer int, random *rand.Rand) (header, body []byte) {
	w := &bitWriter{}
	if !p.has(layer) && random.IntN(2) == 0 {
		w.bit(0)
		return w.end(), nil
	}
	w.bit(1)
	for b := range p.bands {
		for i, block := range p.bands[b].blocks {
			pieces := block.of(layer)
			p.bands[b].include(w, i, len(pieces) > 0, layer)
			if len(pieces) > 0 {
				block.write(w, p.style, pieces, random)
			}
			for _, piece := range pieces {
				body = append(body, piece.Bytes...)
			}
		}
	}
	return w.end(), body
}

func (p *precinct) has(layer int) bool {
	for _, b := range p.bands {
		for _, block := range b.blocks {
			if len(block.of(layer)) > 0 {
				return true
			}
		}
	}
	return false
}

// of returns the pieces of a layer.
func (b *Block) of(layer int) []Piece {
	if b == nil {
		return nil
	}
	var pieces []Piece
	for _, p := range b.Pieces {
		if p.Layer == layer {
			pieces = append(pieces, p)
		}
	}
	return pieces
}

func (b *precinctBand) include(w *bitWriter, i int, included bool, layer int) {
	block := b.blocks[i]
	if block != nil && block.state.included {
		w.bit(map[bool]int{true: 1}[included])
		return
	}
	b.inclusion.write(w, i%b.width, i/b.width, layer+1)
	if included {
		b.missing.write(w, i%b.width, i/b.width, 1<<20)
		block.state = blockState{included: true, lengthBits: 3}
	}
}

// write writes the number of passes and the lengths of pieces.
func (b *Block) write(w *bitWriter, style codestream.Style, pieces []Piece, random *rand.Rand) {
	passes, need := 0, b.state.lengthBits
	for _, p := range pieces {
		passes += p.Passes
		need = max(need, bits.Len(uint(len(p.Bytes)))-log2(p.Passes))
	}
	may := style&codestream.HT != 0 && !b.state.begun
	mixed := may && style&codestream.HTMixed != 0
	first, reached := len(pieces[len(pieces)-1].Bytes), true
	if may && b.HT {
		pieces, first, reached = b.joinPlaceholders(pieces)
		if mixed && reached {
			need = max(need, 4, bits.Len(uint(first))+1-log2(pieces[0].Passes))
		}
	}
	if !mixed {
		need += random.IntN(3)
	}
	w.passes(passes)
	w.number(1<<(need-b.state.lengthBits+1)-2, need-b.state.lengthBits+1)
	b.state.lengthBits = need
	b.state.passes += passes
	b.state.begun = b.state.begun || first > 0
	for _, p := range pieces {
		w.number(len(p.Bytes), need+log2(p.Passes))
	}
}

// joinPlaceholders joins placeholders and the cleanup pass after them into one piece, as their
// length is written.
func (b *Block) joinPlaceholders(pieces []Piece) (joined []Piece, length int, reached bool) {
	if b.state.passes >= b.Placeholders || len(pieces) == 1 {
		return pieces, len(pieces[0].Bytes), len(pieces[0].Bytes) > 0
	}
	head := Piece{Passes: pieces[0].Passes + pieces[1].Passes, Bytes: pieces[1].Bytes}
	return append([]Piece{head}, pieces[2:]...), len(head.Bytes), true
}
