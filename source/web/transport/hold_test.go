package transport

import (
	"errors"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source"
)

// An origin that says when to come back gets no request until then, whoever asks.
func TestAServerSaysWhenToComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex // guards the variable below
		var early []time.Duration
		began := time.Now()
		c, s := newTestClient(func(n int, _ *http.Request) (*http.Response, error) {
			if n == 1 {
				return status(503, "", "Retry-After", "3")
			}
			mu.Lock()
			defer mu.Unlock()
			if at := time.Since(began); at < 3*time.Second {
				early = append(early, at)
			}
			return status(200, "bytes")
		})
		var asking sync.WaitGroup
		for i := range 20 {
			asking.Go(func() {
				time.Sleep(time.Duration(i) * 100 * time.Millisecond)
				if body, err := get(t.Context(), c, nil); body != "bytes" || err != nil {
					t.Errorf("request %d: got %q, %v", i, body, err)
				}
			})
		}
		asking.Wait()
		if len(early) != 0 || s.count() != 21 {
			t.Errorf("%d requests, and too early after %v", s.count(), early)
		}
	})
}

// Who would wait for too long learns at once for how long, and after a minute the origin is asked anyway.
func TestAServerThatSaysToComeBackLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := newTestClient(func(int, *http.Request) (*http.Response, error) { return status(429, "", "Retry-After", "86400") })
		began := time.Now()
		for _, left := range []time.Duration{maxHold, maxHold / 3, 6 * time.Second} {
			time.Sleep(time.Until(began.Add(maxHold - left)))
			asked, held := time.Now(), (*source.HeldError)(nil)
			_, err := get(t.Context(), c, nil)
			if !errors.As(err, &held) || !errors.Is(err, source.ErrStalled) || held.RetryAfter() != left || time.Since(asked) != 0 {
				t.Errorf("with %v left: %v after %v", left, err, time.Since(asked))
			}
		}
		if s.count() != 1 {
			t.Errorf("%d requests within a minute", s.count())
		}
		time.Sleep(time.Until(began.Add(maxHold)))
		if _, _ = get(t.Context(), c, nil); s.count() != 2 {
			t.Errorf("%d requests after a minute", s.count())
		}
	})
}

// A server that asks for patience again and again is not waited for without end.
func TestPatienceEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := newTestClient(func(int, *http.Request) (*http.Response, error) { return status(503, "", "Retry-After", "2") })
		began := time.Now()
		if _, err := get(t.Context(), c, nil); !errors.As(err, new(*source.HeldError)) || time.Since(began) > maxHeldTime {
			t.Errorf("got %v after %v", err, time.Since(began))
		}
	})
}

// A date is compared with the clock of the server that tells it.
func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	in := func(wait time.Duration) string { return now.Add(wait).Format(http.TimeFormat) }
	for _, test := range []struct {
		text, date string
		want       time.Duration
	}{
		{"", "", 0}, {"-1", "", 0}, {"soon", "", 0}, {"2", "", 2 * time.Second}, {"99999999999999", "", maxHold}, {"99999999999999999999999", "", 0},
		{"86400", "", maxHold}, {in(20 * time.Second), "", 20 * time.Second}, {in(-time.Second), "", 0}, {in(time.Hour), "", maxHold},
		{in(time.Hour), in(time.Hour - 7*time.Second), 7 * time.Second}, {in(7 * time.Second), "yesterday", 7 * time.Second},
	} {
		if got := retryAfter(http.Header{"Retry-After": {test.text}, "Date": {test.date}}, now); got != test.want {
			t.Errorf("Retry-After %q, Date %q: %v, want %v", test.text, test.date, got, test.want)
		}
	}
}
