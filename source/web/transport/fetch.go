package transport

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"tileserver/source/permit"
)

// maxDrainBytes is how much is read of a body that is not needed, so that its connection can be used again.
const maxDrainBytes = 16 << 10

// Fetch sends a request until take accepts its answer. It asks anew where a try breaks or the server asks to
// come back soon; prepare returns the request of each try, which may ask for what is left. The function
// take reads the body. Its errors are those of Fetch, unless they are Broken.
func (t *Turn) Fetch(ctx context.Context, prepare func() Request, take func(*Answer) error) error {
	t.origin.retries.earn()
	t.origin.hedges.earn()
	for tries := (attempts{turn: t}); ; {
		r := prepare()
		err := t.tryOnce(ctx, r, take)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		if err := tries.fail(ctx, r, err); err != nil {
			return err
		}
	}
}

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
		return t.passing(answer)
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
