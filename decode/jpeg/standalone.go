package jpeg

import (
	"encoding/binary"
	"fmt"
)

// Standalone says what a stream is that lies in another file, so that it can be made a file of its own, which every
// decoder shows as this package does with the same tables.
type Standalone struct {
	Width, Height int
	Components    int    // 1, which is gray, or 3, which are YCbCr
	RGB           bool   // the 3 are red, green and blue
	Tables        []byte // the stream of tables that others share with it, or nil
}

// File returns stream as a file of its own. It decodes nothing, but fails where the stream is of another kind, lacks a
// table that it needs, or does not go on to its end.
//
// Nothing is taken over that may change what decoders show, as do markers of programs, which may turn a picture or tell of
// its colours: these are told anew. What follows the stream is left out.
func (s *Standalone) File(stream []byte) ([]byte, error) {
	c := check{want: s}
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
	file := make([]byte, 0, adobeBytes+len(s.Tables)+head) // what is appended last need not be cleared before
	file = append(file, 0xFF, byte(markerStart))
	file = s.appendColors(file)
	file = appendTables(file, s.Tables, own)
	file = appendHead(file, stream)
	return append(file, scans[:end]...), nil
}

// adobeBytes is the size of the segment that appendColors writes, and of the start before it.
const adobeBytes = 2 + 2 + 14

// appendColors appends the marker from which decoders know what the colours of three components are. Without it they
// guess, by the names of the components.
func (s *Standalone) appendColors(file []byte) []byte {
	if s.Components != 3 {
		return file
	}
	const version, transformYCbCr = 100, 1
	transform := byte(transformYCbCr)
	if s.RGB {
		transform = 0
	}
	return appendSegment(file, markerAdobe, []byte{'A', 'd', 'o', 'b', 'e', 0, version, 0, 0, 0, 0, transform})
}

// appendTables appends the segments of shared tables that hold one which the stream does not define itself.
func appendTables(file, shared []byte, own tableSet) []byte {
	for rest := shared; ; {
		m, body, after, err := nextSegment(rest)
		if err != nil || m == markerNone || m == markerEnd {
			return file
		}
		if m.isTable() {
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
		case err != nil || m == markerNone || m == markerScan:
			return file
		case m.isFrame() || m.isTable():
			file = appendSegment(file, m, body)
		}
		rest = after
	}
}

func appendSegment(file []byte, m marker, body []byte) []byte {
	file = append(file, 0xFF, byte(m))
	return append(binary.BigEndian.AppendUint16(file, uint16(len(body)+2)), body...)
}

// tableSet is a set of tables: a bit for each number of each kind, and one for the interval of restarts.
type tableSet uint32

func quantizerTable(number byte) tableSet { return 1 << (number & 15) & 0xF }
func huffmanTable(class, number byte) tableSet {
	return 1 << (number & 15) & 0xF << (4 + 4*class)
}

const restartInterval tableSet = 1 << 12

// isTable tells whether m begins tables, or the interval of restarts.
func (m marker) isTable() bool {
	return m == markerQuantizer || m == markerHuffman || m == markerInterval
}

// isNote tells whether m begins what is for programs or people, and not for decoding.
func (m marker) isNote() bool {
	const firstApplication, lastApplication, comment = 0xE0, 0xEF, 0xFE
	return m >= firstApplication && m <= lastApplication || m == comment
}

// tablesIn are the tables of a segment.
func tablesIn(m marker, body []byte) (set tableSet, err error) {
	if m == markerInterval && len(body) == 2 {
		return restartInterval, nil
	}
	if m == markerInterval {
		return 0, fmt.Errorf("%w: a restart interval of %d bytes", ErrCorrupt, len(body))
	}
	for len(body) > 0 {
		class, number := body[0]>>4, body[0]&15
		size := 1 + blockSize*int(1+class)
		table := quantizerTable(number)
		if m == markerHuffman {
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

// huffmanBytes is how long the description of a table is, and more than there is where that is cut off.
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
