package packets

import (
	"unsafe"

	"tileserver/decode/jp2k/codestream"
)

// precinctState is what is known of a precinct between its packets, laid out by its code-blocks.
type precinctState struct {
	*knowledge
	bands [3]bandState
	count int // of bands
	style codestream.Style
}

// bandState is that of the code-blocks that one band has in the precinct.
type bandState struct {
	number    int             // of the band in the tile
	rect      codestream.Rect // columns and rows of its blocks
	begin     segmentation    // of a block that comes for the first time
	inclusion tagTree         // of each block: the layer that it first appears in
	missing   tagTree         // the number of bit-planes it lacks
	blocks    []blockState
}

// blockState is what is known of a code-block between packets.
type blockState struct {
	segments   segmentation
	lengthBits uint8 // the standard's Lblock
	passes     uint8
	missing    uint8
}

// knowledge is the part of a precinct's state that has to be kept from one packet to the next.
type knowledge struct {
	nodes  []node       // of all bands: the tree of inclusion, that of missing bit-planes
	blocks []blockState // of all bands

	told   bool // a header told of something
	broken bool // a packet was lost: those that follow make no sense without it
}

func (k *knowledge) size() int {
	return int(unsafe.Sizeof(*k)) + cap(k.nodes)*int(unsafe.Sizeof(node{})) + cap(k.blocks)*int(unsafe.Sizeof(blockState{}))
}

// states has what is known of all precincts of a tile, and lays it out for one at a time.
type states struct {
	layout *layout
	shapes map[[2]int]*shape
	state  precinctState

	kept  []*knowledge // by the number of the precinct, where there is more than one layer
	held  int          // bytes of those
	spare *knowledge   // memory of one of which nothing is to be kept
}

// mostHeld is how many bytes may be held: those of some millions of code-blocks.
const mostHeld = 64 << 20

func newStates(l *layout) *states {
	s := &states{layout: l, shapes: map[[2]int]*shape{}, spare: &knowledge{}}
	if l.tile.Layers > 1 {
		s.kept = make([]*knowledge, l.precincts)
	}
	return s
}

// of returns the state of a packet's precinct, which is good until the next call.
func (s *states) of(p packet) *precinctState {
	if s.kept != nil {
		if k := s.kept[p.level.firstPrecinct+p.precinct]; k != nil {
			s.lay(k, p.level, p.precinct)
			return &s.state
		}
	}
	if s.spare.told { // else nothing was written to it: packets that are empty cost nothing, however large their precinct is
		clear(s.spare.nodes)
		clear(s.spare.blocks)
	}
	s.spare.told, s.spare.broken = false, false
	s.lay(s.spare, p.level, p.precinct)
	return &s.state
}

// done keeps the state of a packet's precinct for the next one, where that is needed. It returns false where that would
// be too much.
func (s *states) done(p packet) bool {
	if s.kept == nil {
		return true
	}
	kept, k := &s.kept[p.level.firstPrecinct+p.precinct], s.state.knowledge
	switch wanted := p.layer < s.layout.tile.Layers-1 && (k.told || k.broken); {
	case wanted && *kept == nil:
		*kept, s.spare = k, &knowledge{}
		s.held += k.size()
	case !wanted && *kept != nil:
		*kept, s.spare = nil, k
		s.held -= k.size()
	}
	return s.held <= mostHeld
}

// lay lays out what is known of a precinct by its code-blocks.
func (s *states) lay(k *knowledge, v *level, precinct int) {
	r := s.layout.resolution(v)
	state := &s.state
	state.knowledge = k
	state.style = s.layout.tile.Components[v.component].Style
	state.count = min(len(r.Bands), len(state.bands))
	nodes, blocks := 0, 0
	for b := range state.bands[:state.count] {
		band := &state.bands[b]
		band.number = v.firstBand + b
		band.begin = first(state.style)
		band.rect = precinctBlocks(r, v.resolution, b, precinct%v.precinctColumns, precinct/v.precinctColumns)
		band.inclusion.shape = s.shape(band.rect.Width(), band.rect.Height())
		band.missing.shape = band.inclusion.shape
		nodes += 2 * band.inclusion.shape.nodes
		blocks += band.rect.Width() * band.rect.Height()
	}
	k.nodes, k.blocks = sized(k.nodes, nodes), sized(k.blocks, blocks)
	state.cut()
}

// cut gives each band its part of what is known.
func (p *precinctState) cut() {
	nodes, blocks := p.nodes, p.blocks
	for b := range p.bands[:p.count] {
		band := &p.bands[b]
		n := band.inclusion.shape.nodes
		band.inclusion.nodes, band.missing.nodes, nodes = nodes[:n], nodes[n:2*n], nodes[2*n:]
		n = band.rect.Width() * band.rect.Height()
		band.blocks, blocks = blocks[:n], blocks[n:]
	}
}

// shape returns that of trees of a size.
func (s *states) shape(columns, rows int) *shape {
	size := [2]int{columns, rows}
	if s.shapes[size] == nil {
		s.shapes[size] = newShape(columns, rows)
	}
	return s.shapes[size]
}

// sized is memory for so many values: that at hand, which then is zeros beyond what was in use, or new.
func sized[T any](memory []T, n int) []T {
	if cap(memory) < n {
		return make([]T, n)
	}
	return memory[:n]
}
