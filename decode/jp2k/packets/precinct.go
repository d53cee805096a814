package packets

import (
	"context"
	"fmt"
	"unsafe"

	"tileserver/decode/jp2k/codestream"
)

// Precinct locates the code-blocks of one precinct.
type Precinct struct {
	blockReader
	position PrecinctPosition
	tables   []table // by band
	damage   *Damage
}

var _ Blocks = (*Precinct)(nil)

// Precinct parses the headers of one precinct's packets. If the reader has the bytes of
// AppendRanges, it needs others only for a header longer than maxBytes. It asks for one byte of
// each packet first and uses what it gets. It checks the context before each packet.
func (m *PacketMap) Precinct(ctx context.Context, r codestream.Reader, at PrecinctPosition) (*Precinct, error) {
	numbers := m.packets(at)
	if numbers == nil {
		return nil, fmt.Errorf("packets: tile %d has no precinct %+v", m.layout.tile.Number, at)
	}
	v := m.layout.level(at.Component, at.Resolution)
	states := states{layout: m.layout, shapes: map[[2]int]*shape{}}
	states.setUp(&savedState{}, v, at.Row*v.precinctColumns+at.Column)
	state := &states.state
	tables := make([]table, state.count)
	for b := range tables {
		tables[b].blocks = state.bands[b].rect
		state.bands[b].number = b
	}
	p := &Precinct{position: at}
	reader := newPacketReader(r, m.layout.tile, m.parts, tables)
	for layer, number := range numbers {
		if number == noPacket {
			break
		}
		if err := context.Cause(ctx); err != nil {
			return nil, fmt.Errorf("packets: tile %d, precinct %+v: %w", m.layout.tile.Number, at, err)
		}
		start, length := m.span(number)
		reader.stream.seek(start, start+length)
		_, reason := reader.read(state, layer, start, start+length)
		if err := reader.stream.err; err != nil {
			return nil, fmt.Errorf("packets: tile %d, precinct %+v: %w", m.layout.tile.Number, at, err)
		}
		if reason != nil {
			p.damage = &Damage{int(number), reason}
			break
		}
	}
	p.tables, p.blockReader = tables, blockReader{m.parts, reader.recorder.finish()}
	return p, nil
}

// Block sets block to a code-block as of its first layers.
func (p *Precinct) Block(at Position, layers int, block *Block) bool {
	if !at.in(p.position) || at.Band < 0 || at.Band >= len(p.tables) {
		return false
	}
	r := p.tables[at.Band].record(at.Column, at.Row)
	return r != nil && r.passes > 0 && p.fill(block, r, layers)
}

// Damage returns the reason why packets could not be read.
func (p *Precinct) Damage() error { return p.damage.asError() }

// Broken reports whether packets of the precinct could not be read. It is true for other precincts.
func (p *Precinct) Broken(at PrecinctPosition) bool { return at != p.position || p.damage != nil }

// Size returns the memory of p in bytes, without the parts, which belong to its PacketMap.
func (p *Precinct) Size() int64 {
	return int64(unsafe.Sizeof(*p)) + int64(cap(p.entries)) + tablesSize(p.tables)
}
