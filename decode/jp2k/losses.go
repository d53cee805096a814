package jp2k

import (
	"fmt"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
	"tileserver/raster"
)

// The kinds of parts that may be lost.
const (
	lostTile      = "missing tile"
	lostPackets   = "incomplete tile"
	lostCodeBlock = "code-block"
)

// missing is a tile of which nothing is stored that can be read, and what it was wanted for.
type missing struct {
	hole
	loss raster.Loss
}

// lost says that nothing can be read of the tile.
func (t *tile) lost(number int) raster.Loss {
	if t.damage == nil {
		return raster.Loss{Part: lostTile, Text: fmt.Sprintf("tile %d: nothing of it is stored", number)}
	}
	return raster.Loss{Part: lostTile, Text: fmt.Sprintf("tile %d: %v", number, t.damage)}
}

// noteLosses tells each outlet what is lost of its samples, once the code-blocks are decoded.
// An outlet is totally lost if all pieces are that go to it.
func (r *request) noteLosses() {
	for _, m := range r.missing {
		m.tell()
	}
	isSound := r.isSound()
	for _, p := range r.pieces {
		if isSound {
			p.tellSound()
			continue
		}
		l := losses{request: r, piece: p, blocks: r.blocks[p.tile.Number]}
		l.find()
		for i := range p.parts {
			l.tell(&p.parts[i])
		}
	}
}

// isSound reports whether nothing is lost of any piece, as of most requests.
func (r *request) isSound() bool {
	for number, t := range r.tiles {
		if blocks := r.blocks[number]; t.damage != nil || blocks != nil && blocks.Damage() != nil {
			return false
		}
	}
	for i := range r.values {
		if r.values[i].lost != nil {
			return false
		}
	}
	return true
}

// tellSound notes in the outlets of the piece that nothing of it is lost.
func (p *piece) tellSound() {
	for i := range p.parts {
		for _, t := range p.parts[i].targets {
			if !t.rect.Intersect(p.window).Empty() {
				t.buffer.Lose(raster.Damage{})
			}
		}
	}
}

// tell notes in the outlets that wanted it that the tile is lost.
func (m *missing) tell() {
	for _, t := range m.targets {
		if !t.rect.Intersect(m.rect).Empty() {
			t.buffer.Lose(raster.NewDamage([]raster.Loss{m.loss}, true))
		}
	}
}

// losses are those of one piece.
type losses struct {
	*request
	piece  *piece
	blocks packets.Blocks

	incomplete *raster.Loss // of the tile, if packets of it are lost
	found      []lossUnder
	decoded    int // code-blocks of which anything is sound
}

// lossUnder is a loss with the samples of the window that it touches.
type lossUnder struct {
	raster.Loss
	rect codestream.Rect
}

func (l *losses) find() {
	damage := l.blocks.Damage()
	if damage == nil {
		damage = l.piece.tile.damage
	}
	if damage != nil {
		l.incomplete = &raster.Loss{Part: lostPackets, Text: fmt.Sprintf("tile %d: %v", l.piece.tile.Number, damage)}
	}
	for i := range l.piece.parts {
		part := &l.piece.parts[i]
		for stage := range part.stages {
			for b := range part.stages[stage].bands {
				l.findInBand(part, stage, b)
			}
		}
	}
}

// findInBand looks at the code-blocks of a band.
func (l *losses) findInBand(part *part, resolution, band int) {
	w := &part.stages[resolution].bands[band]
	columns := w.grid.Width()
	for i, value := range w.found {
		column, row := w.grid.X0+i%max(columns, 1), w.grid.Y0+i/max(columns, 1)
		if value != noBlock {
			c := &l.values[value]
			if c.lost != nil {
				loss := raster.Loss{Part: lostCodeBlock, Text: fmt.Sprintf("%v: %v", l.keys[value], c.lost)}
				l.found = append(l.found, lossUnder{loss, part.footprint(resolution, w.Block(column, row))})
			}
			if c.lost == nil || c.numbers != nil {
				l.decoded++
			}
		}
		if l.incomplete != nil && l.isBroken(part, resolution, band, codestream.Rect{X0: column, Y0: row, X1: column + 1, Y1: row + 1}) {
			l.found = append(l.found, lossUnder{*l.incomplete, part.footprint(resolution, w.Block(column, row))})
		}
	}
}

// isBroken tells whether packets of a code-block are lost. Where only headers are known to be
// damaged, nothing of the tile is beyond doubt.
func (l *losses) isBroken(part *part, resolution, band int, block codestream.Rect) bool {
	if l.blocks.Damage() == nil {
		return true
	}
	at := packets.PrecinctsOf(l.piece.tile.Tile, part.component, resolution, band, block)
	return l.blocks.Broken(packets.PrecinctPosition{Component: part.component, Resolution: resolution, Column: at.X0, Row: at.Y0})
}

// tell notes in the outlets of a part what is lost of them.
func (l *losses) tell(part *part) {
	isTotal := l.decoded == 0
	for _, t := range part.targets {
		if t.rect.Intersect(l.piece.window).Empty() {
			continue
		}
		var under []raster.Loss
		for _, loss := range l.found {
			if !loss.rect.Intersect(t.rect).Empty() {
				under = append(under, loss.Loss)
			}
		}
		t.buffer.Lose(raster.NewDamage(under, isTotal))
	}
}

// footprint is the samples of the part's level that a code-block of a resolution is seen in, with
// those that the wavelet spreads it to.
func (p *part) footprint(resolution int, block codestream.Rect) codestream.Rect {
	const reach = 4 // of the longer of the wavelets, in coefficients
	doublings := len(p.stages) - 1 - resolution
	if resolution > 0 {
		doublings++ // the bands of a resolution have half of its samples
	}
	if doublings > 0 {
		block = codestream.Rect{
			X0: (block.X0 - reach) << doublings, Y0: (block.Y0 - reach) << doublings,
			X1: (block.X1 + reach) << doublings, Y1: (block.Y1 + reach) << doublings,
		}
	}
	return reduced(block, p.halvings)
}
