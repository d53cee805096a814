package packetstest

import (
	"math/rand/v2"

	"tileserver/decode/jp2k/codestream"
)

// Manner is how packets are written.
type Manner struct {
	SOP, EPH      bool // markers are there, and in Sometimes not before each packet
	Sometimes     bool
	PackedHeaders bool
	Lengths       bool // PacketLengths are told
	Parts         int  // as many tile-parts as that
	Straddle      bool // parts end anywhere, and not between packets
}

// Written is a tile as bytes.
type Written struct {
	Tile    *codestream.Tile
	Bytes   []byte // of a codestream that has nothing but the tile's parts, with gaps between them
	Packets []Packet
	Starts  []int // where in the run of all parts each packet begins
	Headers int   // bytes of all headers and markers
	Blocks  map[Key]*Block
}

// Write writes all packets of a tile, and tells in the tile where they are.
func Write(t *codestream.Tile, blocks map[Key]*Block, m Manner, random *rand.Rand) *Written {
	w := &writer{tile: t, blocks: blocks, manner: m, random: random, precincts: map[Packet]*precinct{}}
	written := &Written{Tile: t, Packets: Order(t), Blocks: blocks}
	t.SOP, t.EPH = m.SOP, m.EPH
	for i, p := range written.Packets {
		written.Starts = append(written.Starts, len(w.run))
		w.packet(p, i)
		if m.Lengths {
			t.PacketLengths = append(t.PacketLengths, uint32(len(w.run)-written.Starts[i]))
		}
	}
	if m.PackedHeaders {
		t.PackedHeaders = w.packed
	}
	written.Headers = w.headers
	written.Bytes = w.parts(written.Starts)
	return written
}

type writer struct {
	tile        *codestream.Tile
	blocks      map[Key]*Block
	manner      Manner
	random      *rand.Rand
	precincts   map[Packet]*precinct // of layer 0
	run, packed []byte
	headers     int
}

// parts cuts the run into tile-parts.
func (w *writer) parts(starts []int) []byte {
	var data []byte
	from := 0
	for i := range max(w.manner.Parts, 1) {
		to := len(w.run)
		if left := max(w.manner.Parts, 1) - 1 - i; left > 0 && len(starts) > 0 {
			to = max(from, starts[(i+1)*len(starts)/(left+i+1)])
			if w.manner.Straddle {
				to = from + w.random.IntN(len(w.run)-from+1)
			}
		}
		data = append(data, "gap between parts"...)
		w.tile.Parts = append(w.tile.Parts, codestream.TilePart{
			Offset: int64(len(data)), Length: int64(to - from),
		})
		data = append(data, w.run[from:to]...)
		from = to
	}
	return append(data, "what follows"...)
}

// has tells whether a marker is written.
func (w *writer) has(marker bool) bool {
	return marker && (!w.manner.Sometimes || w.random.IntN(2) == 0)
}

func (w *writer) packet(p Packet, number int) {
	before := len(w.run) + len(w.packed)
	if w.has(w.manner.SOP) {
		w.run = append(w.run, 0xff, 0x91, 0, 4, byte(number>>8), byte(number))
	}
	header, body := w.precinct(p).packet(p.Layer, w.random)
	if w.has(w.manner.EPH) {
		header = append(header, 0xff, 0x92)
	}
	if w.manner.PackedHeaders {
		w.packed = append(w.packed, header...)
	} else {
		w.run = append(w.run, header...)
	}
	w.headers += len(w.run) + len(w.packed) - before
	w.run = append(w.run, body...)
}

// precinct finds what a packet's precinct has, or begins it.
func (w *writer) precinct(p Packet) *precinct {
	p.Layer = 0
	if w.precincts[p] == nil {
		w.precincts[p] = newPrecinct(w.tile, p, w.blocks)
	}
	return w.precincts[p]
}
