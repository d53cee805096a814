package transport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"tileserver/source/permit"
)

const (
	// maxTries bounds the tries of a request that break.
	maxTries = 5

	// The pauses between two tries are drawn at random from a span that doubles.
	firstPause = 100 * time.Millisecond
	maxPause   = 5 * time.Second

	// maxDrainBytes is how much is read of a body that is not needed, so that its connection can be used again.
	maxDrainBytes = 16 << 10
)

// Fetch sends a request until take accepts its answer. It asks anew where a try breaks or the server asks to
// come back later; prepare returns the request of each try, which may ask for what is left. The function
// take reads the body. Its errors are those of Fetch, unless they are Broken.
func (t *Turn) Fetch(ctx context.Context, prepare func() Request, take func(*Answer) error) error {
	t.origin.retries.earn()
	t.origin.hedges.earn()
	for tries, hasLearned := 1, false; ; tries++ {
		r := prepare()
		err := t.tryOnce(ctx, r, take)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		if refused := (*refusedError)(nil); errors.As(err, &refused) {
			if hasLearned || !t.learns(ctx, r, refused) {
				return cmp.Or(context.Cause(ctx), refused.refusal.err())
			}
			hasLearned = true
			continue
		}
		if progressOf(err) == advanced {
			tries = 0
			continue
		}
		pause, again := t.again(tries, err)
		if !again {
			return stalledUnlessFinal(r.URL, err)
		}
		if err := Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// learns tells a signer of a refusal, unless another server than the one that it signs for refused.
func (t *Turn) learns(ctx context.Context, r Request, refused *refusedError) (again bool) {
	return r.Signer != nil && refused.isOwn && r.Signer.Learn(ctx, refused.refusal)
}

// refusedError is a refusal of which a signer may learn.
type refusedError struct {
	refusal Refusal
	isOwn   bool // whether the server that was asked refused, and none that it redirects to
}

func (e *refusedError) Error() string { return e.refusal.err().Error() }

// tryOnce sends a request, and lets take read what answers it.
func (t *Turn) tryOnce(ctx context.Context, r Request, take func(*Answer) error) error {
	answer, err := t.begin(ctx, r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	switch {
	case isAnswer(answer.StatusCode):
	case isPassing(answer.StatusCode):
		drain(answer.Body)
		return &passingError{answer.StatusCode, answer.Header}
	default:
		t.origin.counts.refusals.Add(1)
		isOwn := answer.Request == nil || permit.IsSameServer(answer.Request.URL, r.URL)
		return &refusedError{refusalOf(r.URL, answer), isOwn}
	}
	if err := checkEncoding(answer); err != nil {
		return err
	}
	began := time.Now()
	reading := &counted{Reader: answer.Body}
	if err := take(&Answer{answer.StatusCode, answer.Header, answer.ContentLength, isDelimited(answer), reading}); err != nil {
		return unlessBroken(err)
	}
	t.origin.pace.noteBody(reading.bytes, time.Since(began))
	t.origin.turns.noteAnswer()
	drain(answer.Body)
	return nil
}

// checkEncoding returns an error for a body that is compressed, although that was not asked for: its bytes are not
// those of the object. Some stores tell how an object was sent to them (aws-chunked).
func checkEncoding(answer *http.Response) error {
	switch encoding := answer.Header.Get("Content-Encoding"); encoding {
	case "", "identity", "aws-chunked":
		return nil
	default:
		return &finalError{fmt.Errorf("the server sends it compressed (Content-Encoding %.20q)", encoding)}
	}
}

// isDelimited reports whether the body says where it ends, so that a cut one is noticed.
func isDelimited(answer *http.Response) bool {
	return answer.ContentLength >= 0 || len(answer.TransferEncoding) > 0
}

// counted counts the bytes that are read.
type counted struct {
	io.Reader
	bytes int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.bytes += int64(n)
	return n, err
}

// drain reads the rest of a body, if there is little.
func drain(body io.Reader) { io.CopyN(io.Discard, body, maxDrainBytes) }

// again reports whether a failed try should be followed by another one, and after which pause.
func (t *Turn) again(tries int, err error) (pause time.Duration, again bool) {
	passing := (*passingError)(nil)
	if errors.As(err, &passing) && passing.isSlowDown() {
		t.origin.counts.slowdowns.Add(1)
		t.origin.turns.slowDown()
	}
	isWrongAgain := progressOf(err) == wrong && tries > 1
	if isFinal(err) || isWrongAgain || tries == maxTries || !t.origin.retries.spend() {
		return 0, false
	}
	t.origin.counts.retries.Add(1)
	span := min(firstPause<<(tries-1), maxPause)
	pause = span/2 + rand.N(span/2)
	if passing != nil {
		pause = max(pause, retryAfter(passing.header))
	}
	return pause, true
}

// retryAfter returns how long a server asks to wait; at most maxPause.
func retryAfter(header http.Header) time.Duration {
	seconds, err := strconv.Atoi(header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return min(time.Duration(min(seconds, 60))*time.Second, maxPause)
}

// Sleep waits, unless the context ends before.
func Sleep(ctx context.Context, pause time.Duration) error {
	waited := time.NewTimer(pause)
	defer waited.Stop()
	select {
	case <-waited.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
