package packets

import (
	"context"
	"fmt"
	"unsafe"

	"tileserver/decode/jp2k/codestream"
)

// Precinct tells of the code-blocks of one precinct.
type Precinct struct {
	shelf
	position PrecinctPosition
	tables   []table // of each band
	damage   *Damage
}

var _ Blocks = (*Precinct)(nil)

// Precinct reads the headers of one precinct's packets. Where the reader has the bytes that AppendRanges told of, it needs
// others only if a header is longer than the most that was asked for: of each packet it asks for one byte first, and
// takes what it is given. The context is asked before each packet.
func (l *Located) Precinct(ctx context.Context, r codestream.Reader, at PrecinctPosition) (*Precinct, error) {
	numbers := l.packets(at)
	if numbers == nil {
		return nil, fmt.Errorf("packets: tile %d has no precinct %+v", l.layout.tile.Number, at)
	}
	v := l.layout.level(at.Component, at.Resolution)
	states := states{layout: l.layout, shapes: map[[2]int]*shape{}}
	states.lay(&knowledge{}, v, at.Row*v.precinctColumns+at.Column)
	state := &states.state
	tables := make([]table, state.count)
	for b := range tables {
		tables[b].blocks = state.bands[b].rect
		state.bands[b].number = b
	}
	p := &Precinct{position: at}
	reader := newPacketReader(r, l.layout.tile, l.places, tables)
	for layer, number := range numbers {
		if number == noPacket {
			break
		}
		if err := context.Cause(ctx); err != nil {
			return nil, fmt.Errorf("packets: tile %d, precinct %+v: %w", l.layout.tile.Number, at, err)
		}
		start, length := l.span(number)
		reader.stream.seek(start, start+length)
		_, reason := reader.read(state, layer, start, start+length)
		if err := reader.stream.err; err != nil {
			return nil, fmt.Errorf("packets: tile %d, precinct %+v: %w", l.layout.tile.Number, at, err)
		}
		if reason != nil {
			p.damage = &Damage{int(number), reason}
			break
		}
	}
	p.tables, p.shelf = tables, shelf{l.places, reader.keeper.settle()}
	return p, nil
}

// Block tells of a code-block as the first so many layers have it.
func (p *Precinct) Block(at Position, layers int, block *Block) bool {
	if !at.in(p.position) || at.Band < 0 || at.Band >= len(p.tables) {
		return false
	}
	r := p.tables[at.Band].record(at.Column, at.Row)
	return r != nil && r.passes > 0 && p.fill(block, r, layers)
}

// Damage is what kept packets from being read.
func (p *Precinct) Damage() error { return p.damage.asError() }

// Broken reports whether packets of the precinct could not be read. Nothing is known of others.
func (p *Precinct) Broken(at PrecinctPosition) bool { return at != p.position || p.damage != nil }

// Size is how many bytes of memory p holds. Where the tile's parts are is its Located's.
func (p *Precinct) Size() int64 {
	return int64(unsafe.Sizeof(*p)) + int64(cap(p.entries)) + tablesSize(p.tables)
}
