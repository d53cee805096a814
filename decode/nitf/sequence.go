package nitf

import (
	"context"
	"sync"

	"tileserver/source"
)

// sequence reads a range of a file from its beginning on, in steps, as far as somebody asks for. Each
// step is read once. What the steps so far tell is known without waiting for the next one. It is safe
// for concurrent use.
type sequence struct {
	src   source.Source
	data  source.Range
	learn func(read []byte) // is called with each step, with mu held

	turn chan struct{} // held while a step is read

	mu sync.Mutex // guards at, and what the steps tell; not held while reading
	at int64      // of the next step, from the beginning of the data
}

func newSequence(src source.Source, data source.Range, learn func(read []byte)) *sequence {
	return &sequence{src: src, data: data, learn: learn, turn: make(chan struct{}, 1)}
}

// isAtEnd reports whether all data are read. The caller holds mu.
func (s *sequence) isAtEnd() bool { return s.at == s.data.Length }

// step reads at most so many bytes, if the data have not ended. The caller holds the turn.
func (s *sequence) step(ctx context.Context, most int64) error {
	s.mu.Lock()
	next := source.Range{Offset: s.data.Offset + s.at, Length: min(most, s.data.Length-s.at)}
	s.mu.Unlock()
	if next.Length == 0 { // the last one was read while the caller waited for its turn
		return nil
	}
	read, err := s.src.ReadRanges(ctx, []source.Range{next})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at += next.Length
	s.learn(read[0])
	return nil
}

// until reads on until places are found.
func (s *sequence) until(ctx context.Context, find func() (places []location, ok bool)) ([]location, error) {
	const stepBytes, farStepBytes = 1 << 20, 8 << 20
	most, isFar := int64(stepBytes), source.IsFar(s.src)
	for {
		if places, ok := find(); ok {
			return places, nil
		}
		select {
		case s.turn <- struct{}{}:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if isFar {
			most = min(2*most, farStepBytes)
		}
		err := s.step(ctx, most)
		<-s.turn
		if err != nil {
			return nil, err
		}
	}
}
