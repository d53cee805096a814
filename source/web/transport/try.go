package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"time"
)

// try is a request that was sent. Its context ends with the body of its answer.
type try struct {
	result chan result // has one element
	cancel context.CancelFunc
	turn   *Turn
}

type result struct {
	answer *http.Response
	err    error
}

// errLate is why a try ends that takes too long.
var errLate = errors.New("no answer in time")

// start sends a request. The try ends if its answer does not begin in time.
func (t *Turn) start(ctx context.Context, r Request) *try {
	ctx, cancel := context.WithCancelCause(ctx)
	sent := &try{make(chan result, 1), func() { cancel(nil) }, t}
	go func() {
		overdue := time.AfterFunc(t.client.config.HeaderTimeout, func() { cancel(errLate) })
		answer, err := t.exchange(ctx, r)
		overdue.Stop()
		if err != nil && errors.Is(context.Cause(ctx), errLate) {
			err = Broken(errLate)
		}
		sent.result <- result{answer, err}
	}()
	return sent
}

// exchange sends a request once. How long the answer takes is told of the origin that was asked, with all redirects: that
// is when a hedge is due. A panic of what signs it is an error, since nobody else would recover.
func (t *Turn) exchange(ctx context.Context, r Request) (answer *http.Response, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = &finalError{fmt.Errorf("panic in a request: %v\n%s", panicked, debug.Stack())}
		}
	}()
	began := time.Now()
	if answer, err = t.client.exchange(ctx, r); err == nil {
		t.origin.pace.noteDelay(time.Since(began))
	}
	return answer, err
}

// begin sends a request, and sends it once more if its answer is late. It returns the sooner answer, whose
// body the caller closes.
func (t *Turn) begin(ctx context.Context, r Request) (*http.Response, error) {
	first := t.start(ctx, r)
	wait, isKnown := t.origin.pace.hedgeAfter()
	if !isKnown {
		return first.finish(<-first.result)
	}
	late := time.NewTimer(wait)
	defer late.Stop()
	select {
	case got := <-first.result:
		return first.finish(got)
	case <-late.C:
	}
	if !t.origin.hedges.spend() {
		return first.finish(<-first.result)
	}
	t.origin.counts.hedges.Add(1)
	return sooner(first, t.start(ctx, r))
}

// sooner returns the answer of the try that succeeds first.
func sooner(a, b *try) (*http.Response, error) {
	select {
	case got := <-a.result:
		return a.unless(got, b)
	case got := <-b.result:
		return b.unless(got, a)
	}
}

// unless returns what a try got, unless it failed and the other one may not.
func (s *try) unless(got result, other *try) (*http.Response, error) {
	if got.err == nil && !isPassing(got.answer.StatusCode) {
		go other.abandon()
		return s.finish(got)
	}
	second := <-other.result
	if second.err != nil && got.err == nil { // then the first one says more
		other.cancel()
		return s.finish(got)
	}
	s.discard(got)
	return other.finish(second)
}

// abandon ends a try whose answer is not needed.
func (s *try) abandon() {
	s.cancel()
	s.discard(<-s.result)
}

// discard ends a try whose result is not needed.
func (s *try) discard(got result) {
	if got.answer != nil {
		got.answer.Body.Close()
	}
	s.cancel()
}

// finish returns what a try got. The body ends the try.
func (s *try) finish(got result) (*http.Response, error) {
	if got.err != nil {
		s.cancel()
		return nil, got.err
	}
	got.answer.Body = &body{ReadCloser: got.answer.Body, try: s}
	return got.answer, nil
}

// body is the body of an answer. It breaks off if it pauses for too long.
type body struct {
	io.ReadCloser
	try *try
}

// Read reads. An error other than io.EOF is one that another try may not have.
func (b *body) Read(p []byte) (int, error) {
	paused := time.AfterFunc(b.try.turn.client.config.IdleTimeout, b.try.cancel)
	n, err := b.ReadCloser.Read(p)
	if !paused.Stop() && err != nil {
		err = errLate
	}
	b.try.turn.origin.counts.bytes.Add(int64(n))
	if err != nil && err != io.EOF {
		err = Broken(err)
	}
	return n, err
}

// Close ends the try. The connection can be used again if the body was read to its end.
func (b *body) Close() error {
	defer b.try.cancel()
	return b.ReadCloser.Close()
}
