package decoder

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// marker is the second byte of a marker. The first byte is 0xFF.
type marker byte

const (
	markerNone         marker = 0x00
	markerTemporary    marker = 0x01
	markerFrame        marker = 0xC0 // first of 16 codes; three of them are not frames
	markerHuffman      marker = 0xC4
	markerExtension    marker = 0xC8
	markerConditioning marker = 0xCC // of arithmetic coding
	markerLastFrame    marker = 0xCF
	markerRestart      marker = 0xD0 // first of eight
	markerLastRestart  marker = 0xD7
	markerStart        marker = 0xD8
	markerEnd          marker = 0xD9
	markerScan         marker = 0xDA
	markerQuantizer    marker = 0xDB
	markerLines        marker = 0xDC
	markerInterval     marker = 0xDD
	markerAdobe        marker = 0xEE
)

// isFrame reports whether m begins a frame header.
func (m marker) isFrame() bool {
	return m >= markerFrame && m <= markerLastFrame && m != markerHuffman && m != markerExtension && m != markerConditioning
}

func (m marker) isRestart() bool { return m >= markerRestart && m <= markerLastRestart }

// hasNoBody reports whether m has no segment body.
func (m marker) hasNoBody() bool {
	return m == markerEnd || m == markerStart || m == markerTemporary || m.isRestart()
}

// nextSegment splits the first segment off a stream. It skips fill bytes and other bytes before the
// marker. It returns markerNone if the stream has no further marker.
func nextSegment(stream []byte) (m marker, body, after []byte, err error) {
	at := 0
	for {
		next := bytes.IndexByte(stream[at:], 0xFF)
		if next < 0 || at+next+1 >= len(stream) {
			return markerNone, nil, nil, nil
		}
		at += next + 1
		if m = marker(stream[at]); m != 0 && m != 0xFF {
			break
		}
	}
	after = stream[at+1:]
	if m.hasNoBody() {
		return m, nil, after, nil
	}
	const lengthBytes = 2
	if len(after) < lengthBytes {
		return 0, nil, nil, fmt.Errorf("%w: ends within marker %#x", ErrCorrupt, m)
	}
	n := int(binary.BigEndian.Uint16(after))
	if n < lengthBytes || n > len(after) {
		return 0, nil, nil, fmt.Errorf("%w: marker %#x of %d bytes", ErrCorrupt, m, n)
	}
	return m, after[lengthBytes:n], after[n:], nil
}

func (d *Decoder) readStart() error {
	if len(d.rest) < 2 || d.rest[0] != 0xFF || marker(d.rest[1]) != markerStart {
		return fmt.Errorf("%w: no start of image", ErrCorrupt)
	}
	d.rest = d.rest[2:]
	return nil
}

// readToScan reads segments up to and including a scan header. It returns found = false at the end
// of the stream.
func (d *Decoder) readToScan() (found bool, err error) {
	for {
		m, body, after, err := nextSegment(d.rest)
		if err != nil {
			return false, err
		}
		d.rest = after
		switch {
		case m == markerEnd || m == markerNone:
			d.truncated = m == markerNone
			return false, nil
		case m == markerScan:
			return true, d.readScanHeader(body)
		case m == markerStart:
			return false, fmt.Errorf("%w: a second start of image", ErrCorrupt)
		case m == markerAdobe:
			d.readAdobe(body)
		case m.isFrame():
			err = d.readFrameHeader(m, body)
		default:
			err = d.tables.read(m, body, &d.own)
		}
		if err != nil {
			return false, err
		}
	}
}
