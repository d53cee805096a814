package decode

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// The markers of a JPEG stream, the second byte of each.
const (
	markerBaseline    = 0xC0
	markerExtended    = 0xC1
	markerProgressive = 0xC2
	markerHuffman     = 0xC4
	markerStart       = 0xD8
	markerEnd         = 0xD9
	markerScan        = 0xDA
	markerQuantizer   = 0xDB
	markerRestarts    = 0xDD
	markerAdobe       = 0xEE
)

// jpegFrame is what the header of a JPEG stream says of its picture.
type jpegFrame struct {
	width, height int
	components    int
	progressive   bool
	blocks        int // of 8x8 samples, of all components
}

// jpegStream rewrites the stream of a block into one that stands by itself and
// of which nothing but the samples can be read: it holds the shared tables, and
// neither the markers nor the names of components from which decoders guess at
// colours. The file that holds the block knows what they are.
type jpegStream struct {
	bytes     []byte
	frame     jpegFrame
	names     []byte // of the components, in the order of the frame
	scanBytes int    // of entropy-coded data
}

// adobeUntransformed says that four components are four inks, as stored.
var adobeUntransformed = [...]byte{0xFF, markerAdobe, 0, 14, 'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0, 0}

// reassemble builds s from the stream of the tables and that of the block, to
// the end of it: a stream without an end was cut off.
func (s *jpegStream) reassemble(tables, block []byte) error {
	s.bytes = append(s.bytes[:0], 0xFF, markerStart)
	s.frame = jpegFrame{}
	s.names = s.names[:0]
	s.scanBytes = 0
	if len(tables) > 0 {
		if err := s.add(tables); err != nil {
			return fmt.Errorf("JPEG tables: %w", err)
		}
	}
	if err := s.add(block); err != nil {
		return fmt.Errorf("JPEG: %w", err)
	}
	if s.frame.components == 0 {
		return fmt.Errorf("JPEG without a frame: %w", ErrCorrupt)
	}
	s.bytes = append(s.bytes, 0xFF, markerEnd)
	return nil
}

// add appends the segments of a stream that decoding needs.
func (s *jpegStream) add(stream []byte) error {
	if len(stream) < 2 || stream[0] != 0xFF || stream[1] != markerStart {
		return fmt.Errorf("no start of image: %w", ErrCorrupt)
	}
	rest := stream[2:]
	for {
		marker, body, after, err := nextSegment(rest)
		if err != nil {
			return err
		}
		switch {
		case marker == markerEnd:
			return nil
		case marker == markerHuffman || marker == markerQuantizer || marker == markerRestarts:
			s.bytes = append(s.bytes, rest[:len(rest)-len(after)]...)
		case marker == markerScan:
			after, err = s.addScan(body, after)
		case marker >= 0xC0 && marker <= 0xCF:
			err = s.addFrame(marker, body)
		}
		if err != nil {
			return err
		}
		rest = after
	}
}

// nextSegment splits the first segment off a stream. The end marker has no body.
func nextSegment(stream []byte) (marker byte, body, after []byte, err error) {
	if len(stream) < 2 || stream[0] != 0xFF {
		return 0, nil, nil, fmt.Errorf("no marker where one belongs: %w", ErrCorrupt)
	}
	for len(stream) > 2 && stream[1] == 0xFF { // fill bytes
		stream = stream[1:]
	}
	marker, stream = stream[1], stream[2:]
	if marker == markerEnd {
		return marker, nil, stream, nil
	}
	if len(stream) < 2 {
		return 0, nil, nil, fmt.Errorf("ends within marker %#x: %w", marker, ErrCorrupt)
	}
	n := int(binary.BigEndian.Uint16(stream))
	if n < 2 || n > len(stream) {
		return 0, nil, nil, fmt.Errorf("marker %#x of %d bytes: %w", marker, n, ErrCorrupt)
	}
	return marker, stream[2:n], stream[n:], nil
}

// addFrame appends the header of the frame, with the components renamed.
func (s *jpegStream) addFrame(marker byte, body []byte) error {
	switch {
	case marker != markerBaseline && marker != markerExtended && marker != markerProgressive:
		return fmt.Errorf("coding process %d: %w", marker-markerBaseline, ErrUnsupported)
	case s.frame.components != 0:
		return fmt.Errorf("second frame: %w", ErrCorrupt)
	case len(body) < 6 || body[5] == 0 || len(body) != 6+3*int(body[5]):
		return fmt.Errorf("frame header of %d bytes: %w", len(body), ErrCorrupt)
	case body[0] != 8:
		return fmt.Errorf("%d bits a sample: %w", body[0], ErrUnsupported)
	case body[5] == 2 || body[5] > 4:
		return fmt.Errorf("%d components: %w", body[5], ErrUnsupported)
	}
	s.frame = jpegFrame{
		height:      int(binary.BigEndian.Uint16(body[1:])),
		width:       int(binary.BigEndian.Uint16(body[3:])),
		components:  int(body[5]),
		progressive: marker == markerProgressive,
	}
	s.frame.blocks = countBlocks(s.frame, body[6:])
	if marker == markerExtended {
		marker = markerBaseline // the same, at 8 bits, but for more tables
	}
	if s.frame.components == 4 {
		s.bytes = append(s.bytes, adobeUntransformed[:]...)
	}
	at := s.addSegment(marker, body)
	for i := range s.frame.components {
		name := &s.bytes[at+6+3*i]
		s.names = append(s.names, *name)
		*name = byte(i + 1)
	}
	return nil
}

// countBlocks counts the blocks of the components, whose descriptions hold their
// sampling factors. Only those of several components are padded to whole units.
func countBlocks(f jpegFrame, components []byte) int {
	maxX, maxY, perUnit := 1, 1, 0
	for i := range f.components {
		x, y := int(components[3*i+1]>>4), int(components[3*i+1]&15)
		maxX, maxY, perUnit = max(maxX, x), max(maxY, y), perUnit+x*y
	}
	if f.components == 1 {
		maxX, maxY, perUnit = 1, 1, 1
	}
	return (f.width + 8*maxX - 1) / (8 * maxX) * ((f.height + 8*maxY - 1) / (8 * maxY)) * perUnit
}

// addScan appends a scan's header, with the components renamed, and its data.
func (s *jpegStream) addScan(body, data []byte) (after []byte, err error) {
	if len(body) < 1 || len(body) != 4+2*int(body[0]) {
		return nil, fmt.Errorf("scan header of %d bytes: %w", len(body), ErrCorrupt)
	}
	at := s.addSegment(markerScan, body)
	for i := range int(body[0]) {
		name := &s.bytes[at+1+2*i]
		place := bytes.IndexByte(s.names, *name)
		if place < 0 {
			return nil, fmt.Errorf("scan of a component that the frame lacks: %w", ErrCorrupt)
		}
		*name = byte(place + 1)
	}
	n := scanLength(data)
	s.scanBytes += n
	s.bytes = append(s.bytes, data[:n]...)
	return data[n:], nil
}

func (s *jpegStream) addSegment(marker byte, body []byte) (bodyAt int) {
	s.bytes = append(s.bytes, 0xFF, marker)
	s.bytes = binary.BigEndian.AppendUint16(s.bytes, uint16(len(body)+2))
	s.bytes = append(s.bytes, body...)
	return len(s.bytes) - len(body)
}

// scanLength is where the data of a scan end: at a marker that is no restart.
func scanLength(data []byte) int {
	at := 0
	for {
		next := bytes.IndexByte(data[at:], 0xFF)
		if next < 0 || at+next+1 >= len(data) {
			return len(data)
		}
		at += next
		switch m := data[at+1]; {
		case m == 0xFF:
			at++
		case m == 0 || m >= 0xD0 && m <= 0xD7:
			at += 2
		default:
			return at
		}
	}
}
