package packets

import (
	"bytes"

	"tileserver/decode/jp2k/codestream"
)

// packetReader reads packets at given positions and records their contributions.
type packetReader struct {
	stream   stream
	header   headerReader
	recorder recorder

	// packed holds all headers if they are apart from the bodies. packedAt is the start of the next
	// header.
	packed   []byte
	packedAt int64

	// startMarkers is set if SOP markers may precede bodies. If the headers are not packed, markers
	// are always expected.
	startMarkers bool
}

func newPacketReader(r codestream.Reader, t *codestream.Tile, parts parts, tables []table) *packetReader {
	p := &packetReader{
		stream:       newStream(r, parts),
		recorder:     recorder{tables: tables},
		packed:       t.PackedHeaders,
		startMarkers: t.SOP || t.PackedHeaders == nil,
	}
	if p.packed == nil {
		p.header.bits.stream = &p.stream
	}
	return p
}

// unknown is the end of a packet whose length only its header gives.
const unknown = -1

// read reads the packet at a position of the run. It returns its end, or the reason why it is
// invalid.
func (r *packetReader) read(state *precinctState, layer int, at, until int64) (end int64, reason error) {
	if r.startMarkers && r.stream.marker(at, startOfPacket, startOfPacketLength) != nil {
		at += startOfPacketLength
	}
	if r.packed != nil {
		if reason := r.packedHeader(state, layer); reason != nil {
			return 0, reason
		}
	} else {
		if reason := r.headerAt(state, layer, at); reason != nil {
			return 0, reason
		}
		if at = r.header.bits.at; r.stream.marker(at, endOfHeader, endOfHeaderLength) != nil {
			at += endOfHeaderLength
		}
	}
	return r.body(state, layer, at, until)
}

// headerAt parses the header at a position of the run, or of the packed headers.
func (r *packetReader) headerAt(state *precinctState, layer int, at int64) error {
	r.header.bits.start(at)
	if len(r.header.bits.bytes) == 0 {
		return ErrMissing
	}
	switch ok := r.header.read(state, layer); {
	case r.header.bits.ended:
		return ErrMissing
	case r.header.idle > maxIdle:
		return ErrEmpty
	case !ok:
		return ErrHeader
	}
	return nil
}

// packedHeader parses the next packed header.
func (r *packetReader) packedHeader(state *precinctState, layer int) error {
	r.header.bits.bytes = r.packed[r.packedAt:]
	if reason := r.headerAt(state, layer, r.packedAt); reason != nil {
		return reason
	}
	r.packedAt = min(r.header.bits.at, int64(len(r.packed)))
	if bytes.HasPrefix(r.packed[r.packedAt:], []byte{0xff, endOfHeader}) {
		r.packedAt += endOfHeaderLength
	}
	return nil
}

// body records the chunks of the packet.
func (r *packetReader) body(state *precinctState, layer int, at, until int64) (end int64, reason error) {
	h := &r.header
	length := int64(0)
	for i := range h.contributions {
		length += h.contributions[i].length
	}
	if until != unknown && at+length != until {
		return 0, ErrHeader
	}
	whole := r.stream.contains(at, length)
	for i := range h.contributions {
		c := &h.contributions[i]
		if !whole && !r.stream.contains(at, c.length) {
			return 0, ErrBody
		}
		b := &state.bands[c.band]
		width := b.rect.Width()
		column, row := b.rect.X0+int(c.block)%width, b.rect.Y0+int(c.block)/width
		r.recorder.add(b.number, column, row, layer, at, c, h.pieces[c.first:][:c.pieces])
		at += c.length
	}
	return at, nil
}
