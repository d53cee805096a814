package packets

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"

	"tileserver/decode/jp2k/codestream"
)

// Scan parses the headers of all packets of a tile, one after the other, and skips the bodies. The
// error is the reader's, ErrLimit, or the cause if ctx ends. For a damaged tile, Scan returns an
// Index of the sound part. If markers precede the packets, it resumes at the next tile-part after
// damage.
//
// Scan checks the context before each packet. It cannot rely on the reader for that, since a few
// available bytes may hold millions of packets.
//
// The index has all layers. The caller chooses the number of layers with each Block, so one index
// serves any number.
func Scan(ctx context.Context, r codestream.Reader, t *codestream.Tile, limits Limits) (*Index, error) {
	limits = limits.withDefaults()
	l, err := newLayout(t, limits)
	if err != nil {
		return nil, fmt.Errorf("packets: tile %d: %w", t.Number, err)
	}
	parts, err := newParts(t)
	if err != nil {
		return nil, err
	}
	w := &scanner{
		states: newStates(l), reader: newPacketReader(r, t, parts, l.tables()), readCounts: make([]uint16, l.precincts),
		noteBytes: min(int64(limits.NoteBytes), freeNoteBytes+notesPerByte*parts.length()),
	}
	w.reader.stream.until = parts.gap(0)
	if err := w.scan(newOrder(ctx, l)); err != nil {
		return nil, fmt.Errorf("packets: tile %d, packet %d: %w", t.Number, w.count, err)
	}
	x := newIndex(l, parts, &w.reader.recorder)
	if w.damage != nil {
		x.damage, x.broken = w.damage, newBrokenSet(l, w.readCounts)
	}
	return x, nil
}

// scanner goes from packet to packet.
type scanner struct {
	states *states
	reader *packetReader
	at     int64 // position in the run
	count  int   // number of packets so far
	lost   int   // number of the coming packets that were lost
	damage *Damage

	readCounts []uint16 // number of packets that were read, by precinct

	noteBytes int64 // maximum
}

// The bytes of notes that a tile may take for its own bytes. For a layer of a code-block, encoders
// write at least about four bytes, at a tenth of a bit per sample in twelve layers, and usually
// dozens. A hostile file may have less than one.
const (
	freeNoteBytes = 1 << 20
	notesPerByte  = 4
)

// scan reads all packets. The error is the reader's, or the cause of the end of the context.
func (w *scanner) scan(o *order) error {
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

// packet reads the next packet. It reports whether the scan can continue.
func (w *scanner) packet(p packet) bool {
	canContinue := w.read(p, w.states.load(p))
	if !w.states.save(p) || w.reader.recorder.log.size() > w.noteBytes {
		w.note(ErrTooMuchState)
		return false
	}
	return canContinue
}

// read reads the packet; state is the state of its precinct.
func (w *scanner) read(p packet, state *precinctState) bool {
	if s := &w.reader.stream; w.lost == 0 && w.at == s.until && w.at < s.parts.length() {
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
			w.readCounts[p.level.firstPrecinct+p.precinct]++
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

// note stores the first damage.
func (w *scanner) note(reason error) {
	if w.damage == nil {
		w.damage = &Damage{w.count, reason}
	}
}

// resume moves to the next tile-part that begins with a SOP marker. The marker has the lower 16
// bits of its packet's number. That number must be at least minAhead after the expected packet: 1
// if the expected packet was tried. With packed headers, resume fails, since the position of that
// packet's header is unknown.
func (w *scanner) resume(minAhead uint16) bool {
	s := &w.reader.stream
	if w.reader.packed != nil {
		return false
	}
	first := s.parts.find(w.at)
	for i, p := range s.parts[first:] {
		if p.start < w.at+int64(minAhead) {
			continue
		}
		if p.start >= s.until {
			s.until = s.parts.gap(first + i + 1)
		}
		marker := s.marker(p.start, startOfPacket, startOfPacketLength)
		if marker == nil {
			continue
		}
		if ahead := uint16(int(binary.BigEndian.Uint16(marker[4:])) - w.count); ahead >= minAhead {
			w.at, w.lost = p.start, int(ahead-minAhead)
			return true
		}
	}
	return false
}
