package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source"
)

// servers answers the requests of a client by functions of the number of the request, from 1.
type servers struct {
	answer func(n int, r *http.Request) (*http.Response, error)

	mu    sync.Mutex // guards the field below
	asked []*http.Request
}

func (s *servers) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	s.asked = append(s.asked, r)
	n := len(s.asked)
	s.mu.Unlock()
	return s.answer(n, r)
}

func (s *servers) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

// status returns an answer with a body.
func status(code int, body string, header ...string) (*http.Response, error) {
	answer := &http.Response{StatusCode: code, Header: make(http.Header), Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body))}
	for i := 0; i < len(header); i += 2 {
		answer.Header.Set(header[i], header[i+1])
	}
	return answer, nil
}

// hang waits for the end of a request.
func hang(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, context.Cause(r.Context())
}

func newTestClient(answer func(n int, r *http.Request) (*http.Response, error)) (*Client, *servers) {
	s := &servers{answer: answer}
	c := New(Config{})
	c.trusted, c.guarded = s, s
	return c, s
}

var address = &url.URL{Scheme: "https", Host: "example.org", Path: "/a.tif", RawQuery: "sig=secret"}

// exhaust lets a client make no retries for a second.
func exhaust(c *Client) {
	retries := &c.originOf(address).retries
	retries.saved, retries.earned = 0, time.Now()
}

// get fetches the body at the address.
func get(ctx context.Context, c *Client, signer Signer) (string, error) {
	turn, err := c.Enter(ctx, address)
	if err != nil {
		return "", err
	}
	defer turn.Leave()
	var body []byte
	err = turn.Fetch(ctx, func() Request { return Request{URL: address, Signer: signer, IsTrusted: true} }, func(a *Answer) (err error) {
		body, err = io.ReadAll(a.Body)
		return err
	})
	return string(body), err
}

func TestWhatBreaksIsTriedAgain(t *testing.T) {
	broken := errors.New("connection reset")
	for name, first := range map[string]func() (*http.Response, error){
		"a connection":      func() (*http.Response, error) { return nil, broken },
		"a status":          func() (*http.Response, error) { return status(500, "") },
		"a gateway":         func() (*http.Response, error) { return status(502, "") },
		"too many requests": func() (*http.Response, error) { return status(429, "") },
		"a body":            func() (*http.Response, error) { return &http.Response{StatusCode: 200, Body: brokenBody{broken}}, nil },
		"a body that is cut": func() (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: brokenBody{io.ErrUnexpectedEOF}}, nil
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, s := newTestClient(func(n int, _ *http.Request) (*http.Response, error) {
				if n == 1 {
					return first()
				}
				return status(200, "bytes")
			})
			c.originOf(address).retries.saved = 1
			if body, err := get(t.Context(), c, nil); body != "bytes" || err != nil || s.count() != 2 {
				t.Errorf("%s: got %q, %v after %d requests", name, body, err, s.count())
			}
		})
	}
}

type brokenBody struct{ err error }

func (b brokenBody) Read([]byte) (int, error) { return 0, b.err }
func (brokenBody) Close() error               { return nil }

func TestTriesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := newTestClient(func(int, *http.Request) (*http.Response, error) { return status(500, "") })
		began := time.Now()
		_, err := get(t.Context(), c, nil)
		if !errors.Is(err, source.ErrObjectStalled) || s.count() != maxTries {
			t.Errorf("got %v after %d requests", err, s.count())
		}
		if strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "https://example.org/a.tif") {
			t.Errorf("the error is %q", err)
		}
		if took := time.Since(began); took < firstPause || took > 10*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// Only an answer may be the fault of the object.
func TestASilentServerIsNoFaultOfTheObject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := newTestClient(func(int, *http.Request) (*http.Response, error) { return nil, errors.New("connection refused") })
		if _, err := get(t.Context(), c, nil); !errors.Is(err, source.ErrStalled) || errors.Is(err, source.ErrObjectStalled) {
			t.Errorf("got %v", err)
		}
	})
}

func TestRetriesAreAShareOfTheRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := newTestClient(func(int, *http.Request) (*http.Response, error) { return status(503, "") })
		const calls = 2000
		began := time.Now()
		for range calls {
			_, _ = get(t.Context(), c, nil)
		}
		if most := calls + calls*retryShare + maxRetries + time.Since(began).Seconds(); float64(s.count()) > most {
			t.Errorf("%d requests for %d calls, at most %v were allowed", s.count(), calls, most)
		}
	})
}

func TestAServerThatIsAskedTooMuchIsAskedLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		isBusy := true
		c, _ := newTestClient(func(int, *http.Request) (*http.Response, error) {
			if isBusy {
				return status(503, "<Code>SlowDown</Code>")
			}
			return status(200, "")
		})
		limit := func() int { return c.Stats()[0].Limit }
		for want := defaultMaxParallel; want > 1; time.Sleep(time.Minute) {
			exhaust(c)
			_, _ = get(t.Context(), c, nil)
			if want /= 2; limit() != want {
				t.Fatalf("%d requests at a time, want %d", limit(), want)
			}
		}
		isBusy = false
		for range 2000 {
			_, _ = get(t.Context(), c, nil)
		}
		if limit() != defaultMaxParallel {
			t.Errorf("later %d requests at a time", limit())
		}
	})
}

func TestALateAnswerIsAskedForOnceMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const usual, late = 20 * time.Millisecond, 30
		c, s := newTestClient(func(n int, r *http.Request) (*http.Response, error) {
			if n == late {
				return hang(r)
			}
			time.Sleep(usual)
			return status(200, "bytes")
		})
		for range late - 1 {
			_, _ = get(t.Context(), c, nil)
		}
		began := time.Now()
		if body, err := get(t.Context(), c, nil); body != "bytes" || err != nil || time.Since(began) > 3*usual {
			t.Errorf("got %q, %v after %v", body, err, time.Since(began))
		}
		if stats := c.Stats()[0]; stats.Hedges != 1 || s.count() != late+1 {
			t.Errorf("%+v", stats)
		}
		synctest.Wait()
		if err := s.asked[late-1].Context().Err(); err == nil {
			t.Error("the late request goes on")
		}
	})
}

func TestHedgesAreAShareOfTheRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := newTestClient(func(n int, r *http.Request) (*http.Response, error) {
			if n > enoughSamples { // from here on, all are late
				select {
				case <-time.After(time.Duration(n) * time.Second / 20):
				case <-r.Context().Done():
					return nil, r.Context().Err()
				}
			}
			return status(200, "")
		})
		const calls = 100
		for range calls {
			if _, err := get(t.Context(), c, nil); err != nil {
				t.Fatal(err)
			}
		}
		if most := calls * (1 + hedgeShare); float64(s.count()) > most || c.Stats()[0].Hedges == 0 {
			t.Errorf("%d requests for %d calls, %d of them hedges", s.count(), calls, c.Stats()[0].Hedges)
		}
	})
}

func TestASilentServerIsLeft(t *testing.T) {
	for name, silent := range map[string]func(r *http.Request) (*http.Response, error){
		"before it answers": hang,
		"within a body": func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: silentBody{r.Context()}}, nil
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, s := newTestClient(func(n int, r *http.Request) (*http.Response, error) {
				if n == 1 {
					return silent(r)
				}
				return status(200, "bytes")
			})
			c.originOf(address).retries.saved = 1
			began := time.Now()
			if body, err := get(t.Context(), c, nil); body != "bytes" || err != nil || time.Since(began) > defaultTimeout+time.Second {
				t.Errorf("%s: got %q, %v after %v and %d requests", name, body, err, time.Since(began), s.count())
			}
		})
	}
}

type silentBody struct{ ctx context.Context }

func (b silentBody) Read([]byte) (int, error) {
	<-b.ctx.Done()
	return 0, b.ctx.Err()
}
func (silentBody) Close() error { return nil }

func TestWhoLeavesEndsTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := newTestClient(func(_ int, r *http.Request) (*http.Response, error) { return hang(r) })
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := get(ctx, c, nil); !errors.Is(err, context.DeadlineExceeded) || s.count() != 1 {
			t.Errorf("got %v after %d requests", err, s.count())
		}
		if running := c.Stats()[0].Running; running != 0 {
			t.Errorf("%d turns are still taken", running)
		}
	})
}

// pass signs with a number, and learns of refusals as it is told.
type pass struct {
	number  int
	learns  bool
	refused []Refusal
}

func (p *pass) Sign(_ context.Context, r *http.Request) error {
	r.Header.Set("Authorization", fmt.Sprint("pass ", p.number))
	return nil
}

func (p *pass) Learn(_ context.Context, refused Refusal) bool {
	p.refused = append(p.refused, refused)
	p.number++
	return p.learns
}

func TestARefusalIsLearnedFromOnce(t *testing.T) {
	const reason = "<Error><Code>ExpiredToken</Code><StringToSign>secret</StringToSign></Error>"
	for _, test := range []struct {
		learns   bool
		validAt  int // the number of a pass that is accepted; 0 is none
		requests int
		isDone   bool
	}{{true, 1, 2, true}, {true, 2, 2, false}, {false, 1, 1, false}} {
		c, s := newTestClient(func(_ int, r *http.Request) (*http.Response, error) {
			if r.Header.Get("Authorization") == fmt.Sprint("pass ", test.validAt) {
				return status(200, "bytes")
			}
			return status(403, reason)
		})
		signer := &pass{learns: test.learns}
		_, err := get(t.Context(), c, signer)
		if (err == nil) != test.isDone || s.count() != test.requests || len(signer.refused) != 1 {
			t.Errorf("%+v: got %v after %d requests, of which %d refusals were told", test, err, s.count(), len(signer.refused))
		}
		if !bytes.Equal(signer.refused[0].Body, []byte(reason)) || signer.refused[0].Status != 403 {
			t.Errorf("told %+v", signer.refused[0])
		}
		refused := (*RefusedError)(nil)
		if err != nil && (!errors.As(err, &refused) || refused.Code != "ExpiredToken" || strings.Contains(err.Error(), "secret")) {
			t.Errorf("the error is %q", err)
		}
	}
}

func TestOtherErrorsOfTakersAreFinal(t *testing.T) {
	mine := errors.New("mine")
	c, s := newTestClient(func(int, *http.Request) (*http.Response, error) { return status(200, "bytes") })
	turn, err := c.Enter(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer turn.Leave()
	err = turn.Fetch(t.Context(), func() Request { return Request{URL: address, IsTrusted: true} }, func(*Answer) error { return mine })
	if !errors.Is(err, mine) || errors.Is(err, source.ErrStalled) || s.count() != 1 {
		t.Errorf("got %v after %d requests", err, s.count())
	}
}

func TestManyThatBreakAtOnceAreAllTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const calls = 32
		c, _ := newTestClient(func(n int, _ *http.Request) (*http.Response, error) {
			if n <= calls {
				return nil, errors.New("connection reset")
			}
			return status(200, "bytes")
		})
		var asking sync.WaitGroup
		for range calls {
			asking.Go(func() {
				if _, err := get(t.Context(), c, nil); err != nil {
					t.Error(err)
				}
			})
		}
		asking.Wait()
	})
}

// A server that means what it says wrongly is not away.
func TestAWrongAnswerIsAskedForTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := newTestClient(func(int, *http.Request) (*http.Response, error) { return status(200, "bytes") })
		turn, err := c.Enter(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		defer turn.Leave()
		err = turn.Fetch(t.Context(), func() Request { return Request{URL: address, IsTrusted: true} }, func(*Answer) error { return Wrong(errors.New("no range")) })
		if err == nil || errors.Is(err, source.ErrStalled) || s.count() != 2 {
			t.Errorf("got %v after %d requests", err, s.count())
		}
	})
}

// What brings a part is not counted as broken.
func TestTriesThatAdvanceAreNotCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := newTestClient(func(int, *http.Request) (*http.Response, error) { return status(206, "x") })
		turn, err := c.Enter(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		defer turn.Leave()
		turn.origin.retries.saved = 0
		left := 20
		err = turn.Fetch(t.Context(), func() Request { return Request{URL: address, IsTrusted: true} }, func(*Answer) error {
			if left--; left > 0 {
				return Advanced(io.ErrUnexpectedEOF)
			}
			return nil
		})
		if err != nil || s.count() != 20 {
			t.Errorf("got %v after %d requests", err, s.count())
		}
	})
}

func TestABusyHedgeDoesNotWin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const late = 30
		c, _ := newTestClient(func(n int, _ *http.Request) (*http.Response, error) {
			switch n {
			case late:
				time.Sleep(time.Second)
			case late + 1:
				return status(503, "")
			default:
				time.Sleep(10 * time.Millisecond)
			}
			return status(200, "bytes")
		})
		for range late {
			if body, err := get(t.Context(), c, nil); body != "bytes" || err != nil {
				t.Errorf("got %q, %v", body, err)
			}
		}
		if stats := c.Stats()[0]; stats.Hedges != 1 || stats.Retries != 0 || stats.Slowdowns != 0 {
			t.Errorf("%+v", stats)
		}
	})
}

func TestCompressedBodiesAreRefused(t *testing.T) {
	for encoding, isTaken := range map[string]bool{"gzip": false, "br": false, "identity": true, "aws-chunked": true, "": true} {
		c, _ := newTestClient(func(int, *http.Request) (*http.Response, error) {
			return status(206, "bytes", "Content-Encoding", encoding)
		})
		if _, err := get(t.Context(), c, nil); (err == nil) != isTaken {
			t.Errorf("%q: %v", encoding, err)
		}
	}
}

type panicking struct{ pass }

func (*panicking) Sign(context.Context, *http.Request) error { panic("in a library") }

func TestAPanicOfASignerIsAnError(t *testing.T) {
	c, _ := newTestClient(func(int, *http.Request) (*http.Response, error) { return status(200, "bytes") })
	if _, err := get(t.Context(), c, new(panicking)); err == nil || !strings.Contains(err.Error(), "in a library") {
		t.Errorf("got %v", err)
	}
}

// trackedBody tells when it is closed.
type trackedBody struct {
	io.Reader
	closed chan struct{}
}

func (b trackedBody) Close() error {
	close(b.closed)
	return nil
}

func TestBodiesAreClosedAndTheirContextsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex // guards the variable below
		var closed []chan struct{}
		const late = 30
		c, s := newTestClient(func(n int, _ *http.Request) (*http.Response, error) {
			time.Sleep(10 * time.Millisecond)
			if n == late {
				time.Sleep(100 * time.Millisecond) // its hedge answers sooner, and both do
			}
			body := trackedBody{strings.NewReader("bytes"), make(chan struct{})}
			mu.Lock()
			defer mu.Unlock()
			closed = append(closed, body.closed)
			return &http.Response{StatusCode: 200, Header: http.Header{}, ContentLength: 5, Body: body}, nil
		})
		for range late {
			if _, err := get(t.Context(), c, nil); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		for i, body := range closed {
			select {
			case <-body:
			default:
				t.Errorf("body %d of %d is open", i, len(closed))
			}
		}
		for i, r := range s.asked {
			if r.Context().Err() == nil {
				t.Errorf("the context of request %d goes on", i)
			}
		}
	})
}
