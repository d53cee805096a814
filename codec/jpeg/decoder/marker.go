package decoder

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"tileserver/codec/jpeg"
)

// nextSegment splits the first segment off a stream. It skips fill bytes and other bytes before the
// marker. It returns jpeg.MarkerNone if the stream has no further marker.
func nextSegment(stream []byte) (m jpeg.Marker, body, after []byte, err error) {
	at := 0
	for {
		next := bytes.IndexByte(stream[at:], 0xFF)
		if next < 0 || at+next+1 >= len(stream) {
			return jpeg.MarkerNone, nil, nil, nil
		}
		at += next + 1
		if m = jpeg.Marker(stream[at]); m != 0 && m != 0xFF {
			break
		}
	}
	after = stream[at+1:]
	if m.HasNoBody() {
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
	if len(d.rest) < 2 || d.rest[0] != 0xFF || jpeg.Marker(d.rest[1]) != jpeg.MarkerStart {
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
		case m == jpeg.MarkerEnd || m == jpeg.MarkerNone:
			d.truncated = m == jpeg.MarkerNone
			return false, nil
		case m == jpeg.MarkerScan:
			return true, d.readScanHeader(body)
		case m == jpeg.MarkerStart:
			return false, fmt.Errorf("%w: a second start of image", ErrCorrupt)
		case m == jpeg.MarkerAdobe:
			d.readAdobe(body)
		case m == jpeg.MarkerNITF:
			err = d.readNITF(body)
		case m.IsFrame():
			err = d.readFrameHeader(m, body)
		default:
			err = d.tables.read(m, body, &d.own)
		}
		if err != nil {
			return false, err
		}
	}
}
