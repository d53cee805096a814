package jpeg

import "bytes"

// Splitter finds streams in data that hold one after the other, without decoding them. The data
// come in pieces of any size, from the beginning on. The zero value is ready to use.
type Splitter struct {
	Streams []Extent // found so far, in order
	Limit   int      // how many streams are noted; 0 for all

	at     int64 // where the next piece begins
	inside bool  // the last stream has no end yet
	state  splitState
	length int // of a segment, as far as it is read
	skip   int // bytes of a segment that are left
}

// Extent is where a stream lies in the data. Its length is 0 as long as its end is not known.
type Extent struct{ Offset, Length int64 }

// fillByte may stand before the second byte of a marker, any number of times.
const fillByte Marker = 0xFF

// splitState is what the next byte is.
type splitState uint8

const (
	anyByte    splitState = iota
	markerByte            // behind 0xFF
	firstLengthByte
	lastLengthByte
)

// Add continues with the next piece of the data.
func (s *Splitter) Add(piece []byte) {
	for i := 0; i < len(piece); {
		switch {
		case s.skip > 0:
			n := min(s.skip, len(piece)-i)
			s.skip, i = s.skip-n, i+n
		case s.state == anyByte:
			next := bytes.IndexByte(piece[i:], 0xFF)
			if next < 0 {
				i = len(piece)
				continue
			}
			s.state, i = markerByte, i+next+1
		default:
			s.readByte(piece[i], s.at+int64(i)+1)
			i++
		}
	}
	s.at += int64(len(piece))
}

// readByte reads a byte behind 0xFF or of the length of a segment. end is the offset behind it.
func (s *Splitter) readByte(b byte, end int64) {
	const lengthBytes = 2
	switch s.state {
	case markerByte:
		s.readMarker(Marker(b), end)
	case firstLengthByte:
		s.length, s.state = int(b)<<8, lastLengthByte
	case lastLengthByte:
		s.skip, s.state = max(0, s.length+int(b)-lengthBytes), anyByte
	}
}

// readMarker reads a marker. Those outside of streams mean nothing, unless they begin one.
func (s *Splitter) readMarker(m Marker, end int64) {
	const markerBytes = 2
	s.state = anyByte
	switch {
	case m == fillByte:
		s.state = markerByte
	case m == MarkerStart:
		s.end(end - markerBytes)
		s.begin(end - markerBytes)
	case !s.inside || m == MarkerNone || m.HasNoBody() && m != MarkerEnd:
	case m == MarkerEnd:
		s.end(end)
	default:
		s.state = firstLengthByte
	}
}

// begin notes a stream.
func (s *Splitter) begin(at int64) {
	if s.Limit == 0 || len(s.Streams) < s.Limit {
		s.Streams = append(s.Streams, Extent{Offset: at})
		s.inside = true
	}
}

// end notes the end of a stream, if there is one. A stream whose end is missing ends where the next
// one begins.
func (s *Splitter) end(at int64) {
	if s.inside {
		last := &s.Streams[len(s.Streams)-1]
		last.Length, s.inside = at-last.Offset, false
	}
}
