package container

import (
	"context"
	"sync"
	"sync/atomic"

	"tileserver/source"
)

// opening is a far source while a file in it is opened. Headers are read one after the other, and lie close
// to each other, at the end of the file for example. So each read takes what lies around it too.
type opening struct {
	source.Source

	isOpen atomic.Bool // whether the file is

	mu    sync.Mutex // guards the fields below
	spans []span
	left  int   // spans that may still be read
	room  int64 // for ranges that are read together
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

func newOpening(s source.Source) *opening {
	return &opening{Source: s, left: maxSpans, room: maxKeptBytes}
}

// ReadRanges reads ranges. Those that are asked for together are read as they are.
func (o *opening) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	switch {
	case o.isOpen.Load() || source.CheckBounds(ranges, o.Size()) != nil:
		return o.Source.ReadRanges(ctx, ranges)
	case len(ranges) != 1:
		return o.readTogether(ctx, ranges)
	}
	wanted := ranges[0]
	if known := o.known(wanted); known != nil {
		return [][]byte{known}, ctx.Err()
	}
	around := o.around(wanted)
	if around == wanted {
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

// readTogether reads ranges as they are, as far as they are not known, and keeps them.
func (o *opening) readTogether(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	parts := make([][]byte, len(ranges))
	var missing []source.Range
	for i, r := range ranges {
		if parts[i] = o.known(r); parts[i] == nil {
			missing = append(missing, r)
		}
	}
	if len(missing) == 0 {
		return parts, ctx.Err()
	}
	read, err := o.Source.ReadRanges(ctx, missing)
	if err != nil {
		return nil, err
	}
	for i, r := range ranges {
		if parts[i] == nil {
			parts[i], read = read[0], read[1:]
			o.keepIfThereIsRoom(span{r, parts[i]})
		}
	}
	return parts, nil
}

// known returns a range that was read, or nil.
func (o *opening) known(wanted source.Range) []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := range o.spans {
		if s := &o.spans[i]; s.Offset <= wanted.Offset && wanted.End() <= s.End() {
			return s.part(wanted)
		}
	}
	return nil
}

// around returns what to read for a range: what lies around it too, a few times.
func (o *opening) around(wanted source.Range) source.Range {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.left == 0 || wanted.End() <= source.HeadBytes || wanted.Length == 0 || wanted.Length >= spanBytes-backBytes {
		return wanted
	}
	o.left--
	begin := max(wanted.Offset-backBytes, 0)
	return source.Range{Offset: begin, Length: min(spanBytes, o.Size()-begin)}
}

// part returns a range that lies in the span.
func (s *span) part(r source.Range) []byte {
	at := r.Offset - s.Offset
	return s.bytes[at : at+r.Length : at+r.Length]
}

func (o *opening) keep(s span) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.isOpen.Load() {
		o.spans = append(o.spans, s)
	}
}

func (o *opening) keepIfThereIsRoom(s span) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.room -= s.Length; o.room >= 0 && !o.isOpen.Load() {
		o.spans = append(o.spans, s)
	}
}

// end forgets what was read, since the file is open.
func (o *opening) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.isOpen.Store(true)
	o.spans = nil
}
