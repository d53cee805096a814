package decoder

import (
	"encoding/binary"
	"fmt"

	"tileserver/codec/jpeg"
)

// Standalone describes an embedded stream, so that File can convert it to a file of its own. Every
// decoder shows that file as this package shows the stream with its tables.
type Standalone struct {
	Width, Height int
	Components    int    // 1 for gray, 3 for YCbCr
	RGB           bool   // the three components are red, green and blue
	Tables        []byte // the stream of shared tables, or nil
}

// File returns stream as a file of its own without decoding it. It returns an error if the stream
// differs from the description, lacks a table that it needs, or is incomplete.
//
// File drops application markers, which may rotate the picture or declare other colors, and writes
// its own color marker. It also drops data behind the stream.
func (s *Standalone) File(stream []byte) ([]byte, error) {
	c := standaloneCheck{want: s}
	scans, err := c.head(stream)
	if err != nil {
		return nil, err
	}
	own := c.defined
	if err := c.shared(s.Tables); err != nil {
		return nil, err
	}
	end, err := c.scans(scans)
	if err != nil {
		return nil, err
	}
	head := len(stream) - len(scans)
	// The last append fills the rest, so only this part needs room.
	file := make([]byte, 0, adobeBytes+len(s.Tables)+head)
	file = append(file, 0xFF, byte(jpeg.MarkerStart))
	file = s.appendColors(file)
	file = appendTables(file, s.Tables, own)
	file = appendHead(file, stream)
	return append(file, scans[:end]...), nil
}

// adobeBytes is the size of the start marker and the segment that appendColors writes.
const adobeBytes = 2 + 2 + 14

// appendColors appends the marker that declares the colors of three components. Without it,
// decoders guess from the identifiers of the components.
func (s *Standalone) appendColors(file []byte) []byte {
	if s.Components != 3 {
		return file
	}
	const version, transformYCbCr = 100, 1
	transform := byte(transformYCbCr)
	if s.RGB {
		transform = 0
	}
	return appendSegment(file, jpeg.MarkerAdobe, []byte{'A', 'd', 'o', 'b', 'e', 0, version, 0, 0, 0, 0, transform})
}

// appendTables appends each segment of shared that defines a table missing from own.
func appendTables(file, shared []byte, own tableSet) []byte {
	for rest := shared; ; {
		m, body, after, err := nextSegment(rest)
		if err != nil || m == jpeg.MarkerNone || m == jpeg.MarkerEnd {
			return file
		}
		if m.IsTable() {
			if set, err := tablesIn(m, body); err == nil && set&^own != 0 {
				file = appendSegment(file, m, body)
			}
		}
		rest = after
	}
}

// appendHead appends the tables and the frame of a stream that has been checked.
func appendHead(file, stream []byte) []byte {
	for rest := stream; ; {
		m, body, after, err := nextSegment(rest)
		switch {
		case err != nil || m == jpeg.MarkerNone || m == jpeg.MarkerScan:
			return file
		case m.IsFrame() || m.IsTable():
			file = appendSegment(file, m, body)
		}
		rest = after
	}
}

func appendSegment(file []byte, m jpeg.Marker, body []byte) []byte {
	file = append(file, 0xFF, byte(m))
	return append(binary.BigEndian.AppendUint16(file, uint16(len(body)+2)), body...)
}

// tableSet is a set of tables: one bit per kind and number, and one for the restart interval.
type tableSet uint32

func quantizerTable(number byte) tableSet { return 1 << (number & 15) & 0xF }
func huffmanTable(class, number byte) tableSet {
	return 1 << (number & 15) & 0xF << (4 + 4*class)
}

const restartInterval tableSet = 1 << 12

// tablesIn returns the tables that a segment defines.
func tablesIn(m jpeg.Marker, body []byte) (set tableSet, err error) {
	if m == jpeg.MarkerInterval && len(body) == 2 {
		return restartInterval, nil
	}
	if m == jpeg.MarkerInterval {
		return 0, fmt.Errorf("%w: a restart interval of %d bytes", ErrCorrupt, len(body))
	}
	for len(body) > 0 {
		class, number := body[0]>>4, body[0]&15
		size := 1 + jpeg.BlockSize*int(1+class)
		table := quantizerTable(number)
		if m == jpeg.MarkerHuffman {
			size = huffmanBytes(body)
			table = huffmanTable(class, number)
		}
		if class > 1 || number >= tableNumbersEnd || size > len(body) {
			return 0, fmt.Errorf("%w: table %d of class %d in %d bytes", ErrCorrupt, number, class, len(body))
		}
		set |= table
		body = body[size:]
	}
	return set, nil
}

// huffmanBytes returns the length of a table description. If body is truncated, the result exceeds
// its length.
func huffmanBytes(body []byte) int {
	size := 1 + maxCodeBits
	if len(body) < size {
		return size
	}
	for _, n := range body[1:size] {
		size += int(n)
	}
	return size
}
