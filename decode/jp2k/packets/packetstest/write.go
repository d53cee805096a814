package packetstest

import (
	"math/rand/v2"

	"tileserver/decode/jp2k/codestream"
)

// Options says how packets are written.
type Options struct {
	SOP, EPH      bool // markers are written; with Sometimes, not for each packet
	Sometimes     bool
	PackedHeaders bool
	Lengths       bool // PacketLengths is set
	Parts         int  // number of tile-parts
	Straddle      bool // parts end anywhere, not only between packets
}

// EncodedTile is a tile as bytes.
type EncodedTile struct {
	Tile    *codestream.Tile
	Bytes   []byte // of a codestream with only the tile's parts, and gaps between them
	Packets []Packet
	Starts  []int // position of each packet in the run of all parts
	Headers int   // bytes of all headers and markers
	Blocks  map[Key]*Block
}

// Write writes all packets of a tile, and sets their location in the tile.
func Write(t *codestream.Tile, blocks map[Key]*Block, m Options, random *rand.Rand) *EncodedTile {
	w := &writer{tile: t, blocks: blocks, options: m, random: random, precincts: map[Packet]*precinct{}}
	written := &EncodedTile{Tile: t, Packets: Order(t), Blocks: blocks}
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
	options     Options
	random      *rand.Rand
	precincts   map[Packet]*precinct // by the packet of layer 0
	run, packed []byte
	headers     int
}

// parts splits the run into tile-parts.
func (w *writer) parts(starts []int) []byte {
	var data []byte
	from := 0
	for i := range max(w.options.Parts, 1) {
		to := len(w.run)
		if left := max(w.options.Parts, 1) - 1 - i; left > 0 && len(starts) > 0 {
			to = max(from, starts[(i+1)*len(starts)/(left+i+1)])
			if w.options.Straddle {
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

// has reports whether to write a marker.
func (w *writer) has(marker bool) bool {
	return marker && (!w.options.Sometimes || w.random.IntN(2) == 0)
}

func (w *writer) packet(p Packet, number int) {
	before := len(w.run) + len(w.packed)
	if w.has(w.options.SOP) {
		w.run = append(w.run, 0xff, 0x91, 0, 4, byte(number>>8), byte(number))
	}
	header, body := w.precinct(p).packet(p.Layer, w.random)
	if w.has(w.options.EPH) {
		header = append(header, 0xff, 0x92)
	}
	if w.options.PackedHeaders {
		w.packed = append(w.packed, header...)
	} else {
		w.run = append(w.run, header...)
	}
	w.headers += len(w.run) + len(w.packed) - before
	w.run = append(w.run, body...)
}

// precinct returns the state of a packet's precinct, which it creates if needed.
func (w *writer) precinct(p Packet) *precinct {
	p.Layer = 0
	if w.precincts[p] == nil {
		w.precincts[p] = newPrecinct(w.tile, p, w.blocks)
	}
	return w.precincts[p]
}
