package packets

import (
	"fmt"
	"sort"

	"tileserver/decode/jp2k/codestream"
)

// parts maps the run, the concatenated bytes of a tile's tile-parts, to the codestream.
type parts []runPart

// runPart is one tile-part: its position in the run and its offset in the codestream.
type runPart struct {
	start, offset, length int64
	afterGap              bool // bytes are missing before it
}

// maxRunBytes is the maximum length of a run. Positions must fit into 40 bits.
const maxRunBytes = 1 << 40

func newParts(t *codestream.Tile) (parts, error) {
	p := make(parts, 0, len(t.Parts))
	start, gap := int64(0), false
	for i, part := range t.Parts {
		gap = gap || part.AfterGap
		if part.Length <= 0 || part.Offset < 0 {
			continue
		}
		if part.Length >= maxRunBytes-start {
			return nil, fmt.Errorf("packets: tile-part %d of %d bytes: %w", i, part.Length, ErrLimit)
		}
		p = append(p, runPart{start, part.Offset, part.Length, gap})
		start, gap = start+part.Length, false
	}
	return p, nil
}

// length returns the length of the run.
func (p parts) length() int64 {
	if len(p) == 0 {
		return 0
	}
	last := &p[len(p)-1]
	return last.start + last.length
}

// gap returns the position of the first gap in the run at or after a part, or the end of the run.
func (p parts) gap(part int) int64 {
	for _, q := range p[min(part, len(p)):] {
		if q.afterGap {
			return q.start
		}
	}
	return p.length()
}

// find returns the index of the part that contains a byte of the run.
func (p parts) find(at int64) int {
	if len(p) == 1 {
		return 0
	}
	return sort.Search(len(p), func(i int) bool { return at < p[i].start+p[i].length })
}

// appendRanges appends the ranges of the codestream for a range of the run, as few as possible.
func (p parts) appendRanges(ranges []Range, at, length int64) []Range {
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

// stream reads the run.
type stream struct {
	reader codestream.Reader
	parts  parts
	part   int // the last part that was read

	until int64 // limit of reading
	first int   // bytes to ask for at a position that does not continue the last read

	window   []byte // available bytes
	windowAt int64

	err error // of the reader
}

// The sizes of reads of a header. The first is small, since the body may follow soon; they grow
// with the header.
const (
	minReadBytes = 4 << 10
	maxReadBytes = 256 << 10
)

func newStream(r codestream.Reader, parts parts) stream {
	return stream{reader: r, parts: parts, until: parts.length(), first: minReadBytes}
}

// seek limits the stream to one packet. The first read asks for one byte, which returns whatever is
// available.
func (s *stream) seek(at, until int64) {
	s.window, s.windowAt = nil, at-1
	s.first, s.until = 1, until
}

// bytes returns the available bytes from a position on. It returns none at the end of the run or of
// the codestream, or after an error.
func (s *stream) bytes(at int64) []byte {
	if i := at - s.windowAt; i >= 0 && i < int64(len(s.window)) {
		return s.window[i:]
	}
	minLength := s.first
	if len(s.window) > 0 && at == s.windowAt+int64(len(s.window)) {
		minLength = max(minReadBytes, min(2*len(s.window), maxReadBytes))
	}
	s.window, s.windowAt = nil, at
	if s.err != nil || at >= s.until {
		return nil
	}
	if p := &s.parts[s.part]; at < p.start || at >= p.start+p.length {
		s.part = s.parts.find(at)
	}
	p := &s.parts[s.part]
	left := min(p.length, s.reader.Size()-p.offset, s.until-p.start) - (at - p.start)
	if left <= 0 {
		return nil
	}
	var window []byte
	window, s.err = s.reader.Peek(p.offset+at-p.start, int(min(int64(minLength), left)))
	s.window = window[:min(int64(len(window)), left)]
	return s.window
}

// The markers between packets. No header and no body begins like one.
const (
	startOfPacket       = 0x91
	startOfPacketLength = 6
	endOfHeader         = 0x92
	endOfHeaderLength   = 2
)

// marker returns the bytes of a marker at a position, or nil if there is none.
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

// contains reports whether a range of the run can be the body of a packet: the codestream, which
// may be truncated, has all bytes, none are missing between, and no other packet begins in it.
func (s *stream) contains(at, length int64) bool {
	if at+length > s.until {
		return false
	}
	for i, first := s.parts.find(at), true; length > 0; i, first = i+1, false {
		if !first && s.marker(at, startOfPacket, startOfPacketLength) != nil {
			return false
		}
		p := &s.parts[i]
		n := min(length, p.start+p.length-at)
		if p.offset+at-p.start+n > s.reader.Size() {
			return false
		}
		at, length = at+n, length-n
	}
	return true
}
