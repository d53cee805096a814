package packets

import (
	"bytes"

	"tileserver/decode/jp2k/codestream"
)

// packetReader reads packets at given places, and keeps what their headers say.
type packetReader struct {
	stream stream
	header headerReader
	keeper keeper

	// packed are all headers, where they are apart from the bodies, and packedAt is where the next one begins.
	packed   []byte
	packedAt int64

	// startMarkers says that markers may stand before bodies whose headers are elsewhere. Where headers stand there too,
	// markers are looked for in any case.
	startMarkers bool
}

func newPacketReader(r codestream.Reader, t *codestream.Tile, places places, tables []table) *packetReader {
	p := &packetReader{
		stream:       newStream(r, places),
		keeper:       keeper{tables: tables},
		packed:       t.PackedHeaders,
		startMarkers: t.SOP || t.PackedHeaders == nil,
	}
	if p.packed == nil {
		p.header.bits.stream = &p.stream
	}
	return p
}

// unknown is the end of a packet that only its header tells.
const unknown = -1

// read reads the packet that begins at a place of the run, and returns where it ends; or what is wrong with it.
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

// headerAt reads the header that begins at a place of the run, or of the packed headers.
func (r *packetReader) headerAt(state *precinctState, layer int, at int64) error {
	r.header.bits.start(at)
	if len(r.header.bits.bytes) == 0 {
		return ErrMissing
	}
	switch ok := r.header.read(state, layer); {
	case r.header.bits.ended:
		return ErrMissing
	case r.header.idle > mostIdle:
		return ErrEmpty
	case !ok:
		return ErrHeader
	}
	return nil
}

// packedHeader reads the next of the packed headers.
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

// body keeps where the chunks are that a header told of.
func (r *packetReader) body(state *precinctState, layer int, at, until int64) (end int64, reason error) {
	h := &r.header
	length := int64(0)
	for i := range h.found {
		length += h.found[i].length
	}
	if until != unknown && at+length != until {
		return 0, ErrHeader
	}
	whole := r.stream.holds(at, length)
	for i := range h.found {
		c := &h.found[i]
		if !whole && !r.stream.holds(at, c.length) {
			return 0, ErrBody
		}
		b := &state.bands[c.band]
		width := b.rect.Width()
		column, row := b.rect.X0+int(c.block)%width, b.rect.Y0+int(c.block)/width
		r.keeper.keep(b.number, column, row, layer, at, c, h.pieces[c.first:][:c.pieces])
		at += c.length
	}
	return at, nil
}
