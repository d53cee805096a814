package packets

import (
	"fmt"
	"sort"

	"tileserver/decode/jp2k/codestream"
)

// places says where the bytes of a tile's parts are, taken as one run of bytes: one behind the other.
type places []place

// place is one part: where it begins in the run, and in the codestream.
type place struct {
	start, offset, length int64
	afterGap              bool // something is missing before it
}

// longestRun is how many bytes a tile may have. Places in it fit into 40 bits.
const longestRun = 1 << 40

func newPlaces(t *codestream.Tile) (places, error) {
	p := make(places, 0, len(t.Parts))
	start, gap := int64(0), false
	for i, part := range t.Parts {
		gap = gap || part.AfterGap
		if part.Length <= 0 || part.Offset < 0 {
			continue
		}
		if part.Length >= longestRun-start {
			return nil, fmt.Errorf("packets: tile-part %d of %d bytes: %w", i, part.Length, ErrLimit)
		}
		p = append(p, place{start, part.Offset, part.Length, gap})
		start, gap = start+part.Length, false
	}
	return p, nil
}

// length is that of the run.
func (p places) length() int64 {
	if len(p) == 0 {
		return 0
	}
	last := &p[len(p)-1]
	return last.start + last.length
}

// gap is where in the run something is missing, in or behind the part of a number; or where the run ends.
func (p places) gap(part int) int64 {
	for _, place := range p[min(part, len(p)):] {
		if place.afterGap {
			return place.start
		}
	}
	return p.length()
}

// find is the number of the part that a byte of the run is in.
func (p places) find(at int64) int {
	if len(p) == 1 {
		return 0
	}
	return sort.Search(len(p), func(i int) bool { return at < p[i].start+p[i].length })
}

// appendRanges appends where bytes of the run are in the codestream, in as few ranges as there can be.
func (p places) appendRanges(ranges []Range, at, length int64) []Range {
	for i := p.find(at); length > 0 && i < len(p); i++ {
		n := min(length, p[i].start+p[i].length-at)
		ranges = appendRange(ranges, Range{p[i].offset + at - p[i].start, n})
		at, length = at+n, length-n
	}
	return ranges
}

func appendRange(ranges []Range, r Range) []Range {
	if last := len(ranges) - 1; last >= 0 && ranges[last].Offset+ranges[last].Length == r.Offset {
		ranges[last].Length += r.Length
		return ranges
	}
	return append(ranges, r)
}

// stream reads the run of bytes that the parts of a tile are.
type stream struct {
	reader codestream.Reader
	places places
	part   int // the one last read

	until int64 // nothing is read from there on
	first int   // how many bytes are asked for at a place that does not follow on the last

	window   []byte // bytes at hand
	windowAt int64

	err error // of the reader
}

// A header is read in pieces of so many bytes: few at first, since a body may follow, and more the longer it gets.
const (
	leastPiece = 4 << 10
	mostPiece  = 256 << 10
)

func newStream(r codestream.Reader, places places) stream {
	return stream{reader: r, places: places, until: places.length(), first: leastPiece}
}

// seek makes bytes those of one packet, and asks at first for no more than what is at hand.
func (s *stream) seek(at, until int64) {
	s.window, s.windowAt = nil, at-1
	s.first, s.until = 1, until
}

// bytes returns those from a place on that are at hand, or none where the run or the codestream ends, or cannot
// be read.
func (s *stream) bytes(at int64) []byte {
	if i := at - s.windowAt; i >= 0 && i < int64(len(s.window)) {
		return s.window[i:]
	}
	least := s.first
	if len(s.window) > 0 && at == s.windowAt+int64(len(s.window)) {
		least = max(leastPiece, min(2*len(s.window), mostPiece))
	}
	s.window, s.windowAt = nil, at
	if s.err != nil || at >= s.until {
		return nil
	}
	if p := &s.places[s.part]; at < p.start || at >= p.start+p.length {
		s.part = s.places.find(at)
	}
	p := &s.places[s.part]
	left := min(p.length, s.reader.Size()-p.offset, s.until-p.start) - (at - p.start)
	if left <= 0 {
		return nil
	}
	var window []byte
	window, s.err = s.reader.Peek(p.offset+at-p.start, int(min(int64(least), left)))
	s.window = window[:min(int64(len(window)), left)]
	return s.window
}

// Markers between packets. No header begins like one, and no body.
const (
	startOfPacket       = 0x91
	startOfPacketLength = 6
	endOfHeader         = 0x92
	endOfHeaderLength   = 2
)

// marker returns the bytes that a marker at a place would take, or nil where there is none.
func (s *stream) marker(at int64, code byte, length int) []byte {
	w := s.bytes(at)
	if len(w) == 0 || w[0] != 0xff {
		return nil
	}
	if len(w) < length {
		w = append([]byte(nil), w...)
		for len(w) < length {
			more := s.bytes(at + int64(len(w)))
			if len(more) == 0 {
				return nil
			}
			w = append(w, more[:min(len(more), length-len(w))]...)
		}
	}
	if w[1] != code {
		return nil
	}
	return w[:length]
}

// holds tells whether some bytes of the run can be the body of a packet: the codestream, which may be cut short,
// has them all, none is missing between, and no other packet begins among them.
func (s *stream) holds(at, length int64) bool {
	if at+length > s.until {
		return false
	}
	for i, first := s.places.find(at), true; length > 0; i, first = i+1, false {
		if !first && s.marker(at, startOfPacket, startOfPacketLength) != nil {
			return false
		}
		p := &s.places[i]
		n := min(length, p.start+p.length-at)
		if p.offset+at-p.start+n > s.reader.Size() {
			return false
		}
		at, length = at+n, length-n
	}
	return true
}
