package packets

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"

	"tileserver/decode/jp2k/codestream"
)

// Walk reads the headers of all packets of a tile, one behind the other, and passes over the bodies. Errors are those of
// the reader, ErrLimit, and the cause if ctx ends; for a tile that is damaged it gives an Index of what is sound. Where markers
// stand before the packets it goes on, after damage, with the next tile-part.
//
// The context is asked before each packet: a reader that knows it is not enough, since a few bytes that are at hand may be
// millions of packets.
//
// The index has all layers: how many of them to decode is said with each block, so that one index serves any number.
func Walk(ctx context.Context, r codestream.Reader, t *codestream.Tile, limits Limits) (*Index, error) {
	limits = limits.withDefaults()
	l, err := newLayout(t, limits)
	if err != nil {
		return nil, fmt.Errorf("packets: tile %d: %w", t.Number, err)
	}
	places, err := newPlaces(t)
	if err != nil {
		return nil, err
	}
	w := &walker{
		states: newStates(l), reader: newPacketReader(r, t, places, l.tables()), whole: make([]uint16, l.precincts),
		noteBytes: min(int64(limits.NoteBytes), freeNoteBytes+notesOfAByte*places.length()),
	}
	w.reader.stream.until = places.gap(0)
	if err := w.walk(newOrder(ctx, l)); err != nil {
		return nil, fmt.Errorf("packets: tile %d, packet %d: %w", t.Number, w.count, err)
	}
	x := newIndex(l, places, &w.reader.keeper)
	if w.damage != nil {
		x.damage, x.broken = w.damage, newBroken(l, w.whole)
	}
	return x, nil
}

// walker goes from packet to packet.
type walker struct {
	states *states
	reader *packetReader
	at     int64 // in the run of the tile's bytes
	count  int   // of packets until now
	lost   int   // how many of those that come now were passed over
	damage *Damage

	whole []uint16 // of each precinct: how many of its packets were read

	noteBytes int64 // at most
}

// How many bytes of notes a tile may take by its own bytes. The least that encoders write for a layer of a code-block is about
// four bytes, at a tenth of a bit for a sample in twelve layers, and most are dozens; what is hostile takes less than one.
const (
	freeNoteBytes = 1 << 20
	notesOfAByte  = 4
)

// walk reads all packets. Errors are those of the reader, or the cause of an end of the context.
func (w *walker) walk(o *order) error {
	for p := range o.packets {
		if !w.packet(p) {
			break
		}
		w.count++
	}
	if o.idle <= 0 {
		w.note(ErrIdle)
	}
	return cmp.Or(w.reader.stream.err, context.Cause(o.ctx))
}

// packet reads the next packet and returns whether there is a way on.
func (w *walker) packet(p packet) bool {
	goesOn := w.read(p, w.states.of(p))
	if !w.states.done(p) || w.reader.keeper.log.size() > w.noteBytes {
		w.note(ErrHeld)
		return false
	}
	return goesOn
}

// read reads the packet, whose precinct has that state.
func (w *walker) read(p packet, state *precinctState) bool {
	if s := &w.reader.stream; w.lost == 0 && w.at == s.until && w.at < s.places.length() {
		w.note(ErrMissing)
		if !w.resume(0) {
			return false
		}
	}
	if w.lost > 0 {
		w.lost--
		state.broken = true
		return true
	}
	reason := ErrMissing
	if !state.broken {
		var end int64
		if end, reason = w.reader.read(state, p.layer, w.at, unknown); reason == nil {
			w.at = end
			w.whole[p.level.firstPrecinct+p.precinct]++
			return true
		}
	}
	if w.reader.stream.err != nil {
		return false
	}
	state.broken = true
	w.note(reason)
	return w.resume(1)
}

// note keeps the first damage.
func (w *walker) note(reason error) {
	if w.damage == nil {
		w.damage = &Damage{w.count, reason}
	}
}

// resume goes to the next tile-part that begins with a marker, which has the number of the packet behind it: 16 bits of it. That
// is by at least so many packets beyond the one that was to come: by one if that was tried. Packed headers do not tell where
// that packet's would be.
func (w *walker) resume(least uint16) bool {
	s := &w.reader.stream
	if w.reader.packed != nil {
		return false
	}
	first := s.places.find(w.at)
	for i, p := range s.places[first:] {
		if p.start < w.at+int64(least) {
			continue
		}
		if p.start >= s.until {
			s.until = s.places.gap(first + i + 1)
		}
		marker := s.marker(p.start, startOfPacket, startOfPacketLength)
		if marker == nil {
			continue
		}
		if ahead := uint16(int(binary.BigEndian.Uint16(marker[4:])) - w.count); ahead >= least {
			w.at, w.lost = p.start, int(ahead-least)
			return true
		}
	}
	return false
}
