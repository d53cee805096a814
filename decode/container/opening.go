package container

import (
	"context"
	"sync"

	"tileserver/source"
)

// opening is a far source while a file in it is opened. Headers are read one after the other, and lie close
// to each other, at the end of the file for example. So each read takes what lies around it too.
type opening struct {
	source.Source

	mu     sync.Mutex // guards the fields below
	isOpen bool       // whether the file is
	spans  []span
	left   int // how many may still be read
}

// span is bytes of the source.
type span struct {
	source.Range
	bytes []byte
}

const (
	maxSpans  = 8 // a file whose headers lie far apart gains nothing
	spanBytes = source.TripBytes

	// maxKeptBytes bounds what is kept of ranges that are read together, which a format asks for ahead.
	maxKeptBytes = 4 << 20

	// backBytes is how much of a span is before what is asked for: the values of a directory may be.
	backBytes = spanBytes / 4
)

func newOpening(s source.Source) *opening { return &opening{Source: s, left: maxSpans} }

// ReadRanges reads ranges. Those that are asked for together are read as they are.
func (o *opening) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	if len(ranges) != 1 {
		return o.readTogether(ctx, ranges)
	}
	wanted := ranges[0]
	if wanted.End() <= source.HeadBytes || source.CheckBounds(ranges, o.Size()) != nil {
		return o.Source.ReadRanges(ctx, ranges)
	}
	known, around := o.find(wanted)
	switch {
	case known != nil:
		return [][]byte{known}, ctx.Err()
	case around == wanted:
		return o.Source.ReadRanges(ctx, ranges)
	}
	parts, err := o.Source.ReadRanges(ctx, []source.Range{around})
	if err != nil {
		return nil, err
	}
	s := span{around, parts[0]}
	o.keep(s)
	return [][]byte{s.part(wanted)}, nil
}

// readTogether reads ranges as they are, and keeps them.
func (o *opening) readTogether(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	parts, err := o.Source.ReadRanges(ctx, ranges)
	if err != nil {
		return nil, err
	}
	left := int64(maxKeptBytes)
	for i, r := range ranges {
		if left -= r.Length; left >= 0 {
			o.keep(span{r, parts[i]})
		}
	}
	return parts, nil
}

// find returns a range if it is known, and else what to read around it.
func (o *opening) find(wanted source.Range) (known []byte, around source.Range) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := range o.spans {
		if s := &o.spans[i]; s.Offset <= wanted.Offset && wanted.End() <= s.End() {
			return s.part(wanted), wanted
		}
	}
	if o.left == 0 || wanted.Length == 0 || wanted.Length >= spanBytes-backBytes {
		return nil, wanted
	}
	o.left--
	begin := max(wanted.Offset-backBytes, 0)
	return nil, source.Range{Offset: begin, Length: min(spanBytes, o.Size()-begin)}
}

// part returns a range that lies in the span.
func (s *span) part(r source.Range) []byte {
	at := r.Offset - s.Offset
	return s.bytes[at : at+r.Length : at+r.Length]
}

func (o *opening) keep(s span) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.isOpen {
		o.spans = append(o.spans, s)
	}
}

// end forgets what was read, since the file is open.
func (o *opening) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.isOpen, o.spans, o.left = true, nil, 0
}
