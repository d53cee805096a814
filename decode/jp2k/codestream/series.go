package codestream

// series is where marker segments of the main header lie that are read as one stream, which has a piece for each tile-part
// in the order of the codestream (PPM, PLM). A piece may go over from one segment to the next.
type series struct {
	turns []byte
	spans []span // of the bodies, without the byte that says their turn
}

// span is a run of bytes in the codestream.
type span struct{ offset, length int64 }

// add takes a segment, and tells whether there is room for it.
func (s *series) add(body []byte, offset int64) bool {
	if len(body) == 0 || len(s.turns) == maxTurns {
		return false
	}
	s.turns = append(s.turns, body[0])
	s.spans = append(s.spans, span{offset + 1, int64(len(body) - 1)})
	return true
}

// settle puts the segments in their order.
func (s *series) settle() {
	spans := make([]span, len(s.spans))
	for to, from := range order(s.turns) {
		spans[to] = s.spans[from]
	}
	s.spans, s.turns = spans, nil
}

// size is the length of the stream.
func (s *series) size() int64 {
	var size int64
	for _, span := range s.spans {
		size += span.length
	}
	return size
}

// appendRange appends a part of the stream.
func (s *series) appendRange(to []byte, view *pieces, from, until int64) ([]byte, error) {
	var begin int64
	for _, segment := range s.spans {
		first, last := max(from, begin), min(until, begin+segment.length)
		if first < last {
			var err error
			if to, err = view.appendRange(to, segment.offset+first-begin, last-first); err != nil {
				return to, err
			}
		}
		begin += segment.length
	}
	return to, nil
}

// split finds the pieces, each of which begins with its length in so many bytes: where one begins, and the end of
// the last. There are as many as fit, and no more than the limit.
func (s *series) split(view *pieces, width int64, limit int) ([]int64, error) {
	if len(s.spans) == 0 {
		return nil, nil
	}
	whole, err := s.appendRange(nil, view, 0, s.size())
	if err != nil {
		return nil, err
	}
	places := []int64{0}
	for at := int64(0); at+width <= int64(len(whole)) && len(places) <= limit; {
		length := int64(0)
		for _, b := range whole[at : at+width] {
			length = length<<8 | int64(b)
		}
		at += width + length
		if at > int64(len(whole)) {
			break
		}
		places = append(places, at)
	}
	return places, nil
}
