package farfiles

import (
	"context"
	"strings"
	"sync"
	"time"

	"tileserver/source"
	"tileserver/source/local"
)

const (
	// scheme begins the addresses of far files.
	scheme = "far://"

	// roundTrip is how long a far object takes to answer, by the clock of synctest. That stands still while
	// anybody computes, so times are round trips and nothing else.
	roundTrip = time.Second
)

// farStore has the files of a disk as if they were far away. To open one takes a round trip, and so does each
// call that needs more than its head. As in a folder that was listed, it is known which files there are.
type farStore struct {
	local.Store
	traffic *traffic
}

// traffic records the calls that took a round trip.
type traffic struct {
	mu    sync.Mutex // guards the field below
	calls [][]source.Range
}

func (c *traffic) note(missing []source.Range) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = append(c.calls, missing)
}

func (s farStore) Open(ctx context.Context, path string) (source.Object, error) {
	o, err := s.Store.Open(ctx, strings.TrimPrefix(path, scheme))
	if err != nil {
		return nil, err
	}
	far, err := s.opened(ctx, o)
	if err != nil {
		return nil, err
	}
	return &farObject{o, far}, nil
}

// opened returns what was opened as if it were far away.
func (s farStore) opened(ctx context.Context, near source.Source) (*farSource, error) {
	head := min(source.HeadBytes, near.Size())
	if err := s.answer(ctx, []source.Range{{Length: head}}); err != nil {
		return nil, err
	}
	return &farSource{near, s, head}, nil
}

// answer takes a round trip.
func (s farStore) answer(ctx context.Context, wanted []source.Range) error {
	s.traffic.note(wanted)
	select {
	case <-time.After(roundTrip):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// farSource is a file of which the head is known.
type farSource struct {
	source.Source
	store farStore
	head  int64
}

func (s *farSource) Name() string { return scheme + s.Source.Name() }

func (s *farSource) ReadRanges(ctx context.Context, wanted []source.Range) ([][]byte, error) {
	var missing []source.Range
	for _, r := range wanted {
		if r.Length > 0 && r.End() > s.head {
			missing = append(missing, r)
		}
	}
	if len(missing) > 0 && source.CheckBounds(wanted, s.Size()) == nil {
		if err := s.store.answer(ctx, missing); err != nil {
			return nil, err
		}
	}
	return s.Source.ReadRanges(ctx, wanted)
}

// farObject is a file with others beside it.
type farObject struct {
	source.Object
	far *farSource
}

func (o *farObject) Name() string { return o.far.Name() }

func (o *farObject) ReadRanges(ctx context.Context, wanted []source.Range) ([][]byte, error) {
	return o.far.ReadRanges(ctx, wanted)
}

func (o *farObject) Sibling(ctx context.Context, name string) (source.Source, error) {
	near, err := o.Object.Sibling(ctx, name)
	if err != nil {
		return nil, err
	}
	return o.far.store.opened(ctx, near)
}
