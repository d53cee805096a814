package packets

import (
	"unsafe"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/internal/reuse"
)

// precinctState is the state of a precinct between its packets, split by band and code-block.
type precinctState struct {
	*savedState
	bands [3]bandState
	count int // number of bands
	style codestream.Style
}

// bandState is the state of one band's code-blocks in the precinct.
type bandState struct {
	number    int          // of the band in the tile
	rect      wavelet.Rect // columns and rows of its code-blocks
	begin     segmentation // of new code-blocks
	inclusion tagTree      // the first layer of each code-block
	missing   tagTree      // the missing bit-planes of each code-block
	blocks    []blockState
}

// blockState is the state of a code-block between packets.
type blockState struct {
	segments   segmentation
	lengthBits uint8 // Lblock of the standard
	passes     uint8
	missing    uint8
}

// savedState is the memory of a precinct's state that must survive from one packet to the next.
type savedState struct {
	nodes  []node       // of all bands: the inclusion tree, then the tree of missing bit-planes
	blocks []blockState // of all bands

	hasContent bool // a header had contributions
	broken     bool // a packet was lost, so later packets cannot be parsed
}

func (s *savedState) size() int {
	return int(unsafe.Sizeof(*s)) + cap(s.nodes)*int(unsafe.Sizeof(node{})) + cap(s.blocks)*int(unsafe.Sizeof(blockState{}))
}

// states holds the states of all precincts of a tile, and sets up one of them at a time.
type states struct {
	layout *layout
	shapes map[[2]int]*shape
	state  precinctState

	saved      []*savedState // by number of the precinct; nil if the tile has one layer
	savedBytes int           // bytes of saved
	spare      *savedState   // memory for a precinct without saved state
}

// maxSavedBytes limits the saved states: enough for some millions of code-blocks.
const maxSavedBytes = 64 << 20

func newStates(l *layout) *states {
	s := &states{layout: l, shapes: map[[2]int]*shape{}, spare: &savedState{}}
	if l.tile.Layers > 1 {
		s.saved = make([]*savedState, l.precincts)
	}
	return s
}

// load returns the state of a packet's precinct. It is valid until the next call.
func (s *states) load(p packet) *precinctState {
	if s.saved != nil {
		if k := s.saved[p.level.firstPrecinct+p.precinct]; k != nil {
			s.setUp(k, p.level, p.precinct)
			return &s.state
		}
	}
	// Without content nothing was written. So empty packets cost nothing, however large their precinct.
	if s.spare.hasContent {
		clear(s.spare.nodes)
		clear(s.spare.blocks)
	}
	s.spare.hasContent, s.spare.broken = false, false
	s.setUp(s.spare, p.level, p.precinct)
	return &s.state
}

// save saves the state of a packet's precinct if a later packet needs it. It returns false if the
// saved states exceed the limit.
func (s *states) save(p packet) bool {
	if s.saved == nil {
		return true
	}
	saved, k := &s.saved[p.level.firstPrecinct+p.precinct], s.state.savedState
	switch needed := p.layer < s.layout.tile.Layers-1 && (k.hasContent || k.broken); {
	case needed && *saved == nil:
		*saved, s.spare = k, &savedState{}
		s.savedBytes += k.size()
	case !needed && *saved != nil:
		*saved, s.spare = nil, k
		s.savedBytes -= k.size()
	}
	return s.savedBytes <= maxSavedBytes
}

// setUp makes k the state of a precinct and splits it by band and code-block.
func (s *states) setUp(k *savedState, v *level, precinct int) {
	r := s.layout.resolution(v)
	state := &s.state
	state.savedState = k
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
	k.nodes, k.blocks = reuse.Slice(k.nodes, nodes), reuse.Slice(k.blocks, blocks)
	state.split()
}

// split gives each band its part of the saved state.
func (p *precinctState) split() {
	nodes, blocks := p.nodes, p.blocks
	for b := range p.bands[:p.count] {
		band := &p.bands[b]
		n := band.inclusion.shape.nodes
		band.inclusion.nodes, band.missing.nodes, nodes = nodes[:n], nodes[n:2*n], nodes[2*n:]
		n = band.rect.Width() * band.rect.Height()
		band.blocks, blocks = blocks[:n], blocks[n:]
	}
}

// shape returns the shape of trees of a size.
func (s *states) shape(columns, rows int) *shape {
	size := [2]int{columns, rows}
	if s.shapes[size] == nil {
		s.shapes[size] = newShape(columns, rows)
	}
	return s.shapes[size]
}
