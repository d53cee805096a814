package stream

import (
	"slices"
	"sync"

	"tileserver/raster"
)

// memory counts what one walk of a stream holds, and has its blocks.
type memory struct {
	stream *Stream
	freed  chan struct{} // has an element if there may be more memory, or room for views, than before

	mu    sync.Mutex // guards the fields below, and users, uses, bytes and place of blocks
	bytes int64      // reserved, for views in flight and blocks
	views int        // in flight
	held  map[raster.BlockID]*block
	idle  idleBlocks
}

func newMemory(s *Stream) *memory {
	return &memory{stream: s, freed: make(chan struct{}, 1), held: make(map[raster.BlockID]*block)}
}

// admit takes a view in flight, if there is memory for it and for the blocks that it needs, and returns the
// blocks to read for it. Views must be admitted in their order. Idle blocks give way, those first that are
// needed last.
func (m *memory) admit(v *View) (missing []*block, isAdmitted bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if most := m.stream.config.MaxViews; most > 0 && m.views >= most {
		return nil, false
	}
	needed, missing := m.blocksOf(v)
	bytes := v.bytes + sumOf(missing)
	if !m.makeRoom(bytes, needed) {
		return nil, false
	}
	m.views, m.bytes = m.views+1, m.bytes+bytes
	for _, b := range missing {
		m.held[b.id], b.uses = b, m.stream.usesOf(b.id)
	}
	for _, b := range needed {
		m.use(b, v.Rank)
	}
	v.blocks = needed
	return missing, true
}

// blocksOf returns the blocks that a view needs, and those of them that are not held.
func (m *memory) blocksOf(v *View) (needed, missing []*block) {
	columns := m.stream.x.blocks(v.Position.Column)
	for _, row := range m.stream.y.blocks(v.Position.Row) {
		for _, column := range columns {
			b := m.held[raster.BlockID{Col: column, Row: row}]
			if b == nil {
				b = m.stream.newBlock(raster.BlockID{Col: column, Row: row})
				missing = append(missing, b)
			}
			needed = append(needed, b)
		}
	}
	return needed, missing
}

func sumOf(blocks []*block) (bytes int64) {
	for _, b := range blocks {
		bytes += b.bytes
	}
	return bytes
}

// makeRoom drops idle blocks until some bytes are free. It drops none if that would not be enough without
// those that are needed now. These are the last to be dropped, since the view that needs them is next. A view that
// is alone always has room: it was found to fit, by what is known of its blocks before they are read.
func (m *memory) makeRoom(bytes int64, needed []*block) bool {
	most := m.stream.config.MaxBytes
	if most == 0 || m.bytes+bytes <= most {
		return true
	}
	droppable := m.idle.bytes
	for _, b := range needed {
		if b.isIdle() {
			droppable -= b.bytes
		}
	}
	if m.bytes+bytes-droppable > most && m.views > 0 {
		return false
	}
	for b := m.idle.last(); b != nil && m.bytes+bytes > most && !slices.Contains(needed, b); b = m.idle.last() {
		m.idle.remove(b)
		m.forget(b)
	}
	return true
}

// use makes a block one that the view of a rank needs.
func (m *memory) use(b *block, rank int) {
	if b.isIdle() {
		m.idle.remove(b)
	}
	b.users++
	for len(b.uses) > 0 && b.nextUse() <= int32(rank) {
		b.uses = b.uses[1:]
	}
}

func (m *memory) forget(b *block) {
	delete(m.held, b.id)
	m.bytes -= b.bytes
}

// release ends a view, and keeps those of its blocks that views to come need.
func (m *memory) release(v *View) {
	if v.memory != nil {
		m.stream.config.Memory.Put(v.memory)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.views, m.bytes = m.views-1, m.bytes-v.bytes
	for _, b := range v.blocks {
		if b.users--; b.users > 0 {
			continue
		}
		if len(b.uses) == 0 {
			m.forget(b)
		} else {
			m.idle.add(b)
		}
	}
	m.signal()
}

// settle replaces what was reserved for a block, before it was read, by what it takes. That is more only if
// bands have their own coverage though the info of the provider does not say so.
func (m *memory) settle(b *block) {
	bytes := int64(blockOverheadBytes)
	if !b.tile.IsZero() {
		bytes += bytesOf(b.tile)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.bytes, b.bytes = m.bytes-b.bytes+bytes, bytes
	m.signal()
}

// bytesOf returns the memory of the pixels of a tile, be they shared with other tiles or not.
func bytesOf(t raster.Tile) int64 {
	pixels := int64(t.Width()) * int64(t.Height())
	planes := 1
	switch {
	case t.AllValid():
		planes = 0
	case t.HasOwnValidity():
		planes = t.Bands()
	}
	return pixels*int64(t.Bands())*int64(t.Type().Size()) + pixels*int64(planes)
}

// signal wakes the planner.
func (m *memory) signal() {
	select {
	case m.freed <- struct{}{}:
	default:
	}
}
