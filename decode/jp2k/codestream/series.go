package codestream

// series is a stream in the main header (PPM, PLM), made of the bodies of marker segments. It has
// one piece for each tile-part, in the order of the codestream. A piece may continue in the next
// segment.
type series struct {
	indexes []byte
	spans   []span // bodies without the byte of their index
}

// span is a range of bytes in the codestream.
type span struct{ offset, length int64 }

// add adds a segment. It returns false if there is no room for it.
func (s *series) add(body []byte, offset int64) bool {
	if len(body) == 0 || len(s.indexes) == maxIndexes {
		return false
	}
	s.indexes = append(s.indexes, body[0])
	s.spans = append(s.spans, span{offset + 1, int64(len(body) - 1)})
	return true
}

// sort sorts the segments by their index.
func (s *series) sort() {
	spans := make([]span, len(s.spans))
	for to, from := range segmentOrder(s.indexes) {
		spans[to] = s.spans[from]
	}
	s.spans, s.indexes = spans, nil
}

// size returns the length of the stream.
func (s *series) size() int64 {
	var size int64
	for _, span := range s.spans {
		size += span.length
	}
	return size
}

// appendRange appends a range of the stream.
func (s *series) appendRange(to []byte, cached *cachedReader, from, until int64) ([]byte, error) {
	var begin int64
	for _, segment := range s.spans {
		first, last := max(from, begin), min(until, begin+segment.length)
		if first < last {
			var err error
			if to, err = cached.appendRange(to, segment.offset+first-begin, last-first); err != nil {
				return to, err
			}
		}
		begin += segment.length
	}
	return to, nil
}

// split returns the offset of each piece and the end of the last. Each piece begins with its
// length, in width bytes. Pieces beyond the end of the stream or the limit are ignored.
func (s *series) split(cached *cachedReader, width int64, limit int) ([]int64, error) {
	if len(s.spans) == 0 {
		return nil, nil
	}
	whole, err := s.appendRange(nil, cached, 0, s.size())
	if err != nil {
		return nil, err
	}
	offsets := []int64{0}
	for at := int64(0); at+width <= int64(len(whole)) && len(offsets) <= limit; {
		length := int64(0)
		for _, b := range whole[at : at+width] {
			length = length<<8 | int64(b)
		}
		at += width + length
		if at > int64(len(whole)) {
			break
		}
		offsets = append(offsets, at)
	}
	return offsets, nil
}
