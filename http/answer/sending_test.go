package answer

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/layer"
)

// sender returns an exchange that sends within s.
func sender(t *testing.T, s *Sending) *Exchange {
	e := &Exchange{ResponseWriter: httptest.NewRecorder(), Sending: s}
	t.Cleanup(e.Release)
	return e
}

const mebibyte = 1 << 20

func TestLargeAnswersLeaveTheShareOfSmallOnes(t *testing.T) {
	s := NewSending(SendingConfig{MaxBytes: 16 * mebibyte})
	for i := range 6 {
		if !sender(t, s).Hold(make([]byte, 2*mebibyte)) {
			t.Fatalf("large answer %d of 12 MiB is refused", i)
		}
	}
	if sender(t, s).Hold(make([]byte, 2*mebibyte)) {
		t.Error("large answers took more than three quarters")
	}
	for i := range 4 {
		if !sender(t, s).Hold(make([]byte, smallBytes)) {
			t.Errorf("small answer %d of 4 MiB is refused", i)
		}
	}
	if sender(t, s).Hold(make([]byte, smallBytes)) {
		t.Error("small answers took more than a quarter")
	}
	if !sender(t, s).Hold(make([]byte, unheldBytes)) {
		t.Error("a message is refused")
	}
	if got := s.Stats(); got.UsedBytes != 16*mebibyte || got.MaxBytes != 16*mebibyte {
		t.Errorf("%+v", got)
	}
}

func TestAHoldEndsWithItsExchange(t *testing.T) {
	s := NewSending(SendingConfig{MaxBytes: 8 * mebibyte})
	large, small := make([]byte, 2*mebibyte), make([]byte, 5000)
	for name, take := range map[string]func(e *Exchange) bool{
		"nothing":       func(*Exchange) bool { return true },
		"a reservation": func(e *Exchange) bool { return e.Reserve(t.Context(), mebibyte) == nil },
		"two reservations": func(e *Exchange) bool {
			return e.Reserve(t.Context(), 6*mebibyte) == nil && e.Reserve(t.Context(), 5*mebibyte) == nil
		},
		"a small body":                func(e *Exchange) bool { return e.Hold(small) && e.Hold(small[:9]) },
		"a large body":                func(e *Exchange) bool { return e.Hold(large) && e.Hold(large[:9]) },
		"one body, then another":      func(e *Exchange) bool { return e.Hold(large) && e.Hold(small) && e.Hold(large) },
		"less than reserved":          func(e *Exchange) bool { return e.Reserve(t.Context(), 6*mebibyte) == nil && e.Hold(large) },
		"more than reserved":          func(e *Exchange) bool { return e.Reserve(t.Context(), mebibyte) == nil && e.Hold(large) },
		"a small body of a large one": func(e *Exchange) bool { return e.Reserve(t.Context(), 6*mebibyte) == nil && e.Hold(small) },
		"more than there is":          func(e *Exchange) bool { return !e.Hold(make([]byte, 7*mebibyte)) },
	} {
		e := &Exchange{Sending: s}
		if !take(e) {
			t.Errorf("%s: not as expected", name)
		}
		e.Release()
		if got := s.Stats(); got.UsedBytes != 0 || len(s.sent) != 0 {
			t.Errorf("%s: at the end %+v, %d shared bodies", name, got, len(s.sent))
		}
	}
}

func TestAReservationShrinksToItsBody(t *testing.T) {
	s := NewSending(SendingConfig{MaxBytes: 8 * mebibyte})
	e := sender(t, s)
	if err := e.Reserve(t.Context(), 6*mebibyte); err != nil {
		t.Fatal(err)
	}
	if got := s.Stats().UsedBytes; got != 6*mebibyte || !e.Hold(make([]byte, mebibyte)) {
		t.Fatalf("%d bytes reserved", got)
	}
	if got := s.Stats().UsedBytes; got != mebibyte {
		t.Errorf("%d bytes held", got)
	}
}

func TestALargeBodyIsSharedUntilItsLastClientLeaves(t *testing.T) {
	s := NewSending(SendingConfig{MaxBytes: 8 * mebibyte})
	body := make([]byte, 4*mebibyte)
	clients := []*Exchange{sender(t, s), sender(t, s), sender(t, s)}
	for _, e := range clients {
		if !e.Hold(body) {
			t.Fatal("refused")
		}
	}
	for i, e := range clients {
		if got := s.Stats().UsedBytes; got != 4*mebibyte {
			t.Errorf("with %d clients, %d bytes are held", len(clients)-i, got)
		}
		e.Release()
	}
	if got := s.Stats().UsedBytes; got != 0 {
		t.Errorf("without clients, %d bytes are held", got)
	}
}

func TestReserveWaitsForHalfOfTheTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSending(SendingConfig{MaxBytes: 8 * mebibyte})
		first, second := sender(t, s), sender(t, s)
		if !first.Hold(make([]byte, 6*mebibyte)) {
			t.Fatal("refused")
		}
		ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
		defer cancel()
		began := time.Now()
		busy := new(layer.Error)
		if err := second.Reserve(ctx, 2*mebibyte); !errors.As(err, &busy) || busy.Code != layer.Busy || time.Since(began) != 4*time.Second {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		go func() {
			time.Sleep(time.Second)
			first.Release()
		}()
		if err := second.Reserve(ctx, 2*mebibyte); err != nil || time.Since(began) != 5*time.Second {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		synctest.Wait() // the first has ended
		if err := sender(t, s).Reserve(ctx, 6*mebibyte+1); FailureOf(err).Status != http.StatusRequestEntityTooLarge {
			t.Errorf("more than there is: %v", err)
		}
		cancel()
		if err := sender(t, s).Reserve(ctx, 6*mebibyte); !errors.Is(err, context.Canceled) {
			t.Errorf("a client that left: %v", err)
		}
		if got := s.Stats(); got.Waiting != 0 || got.UsedBytes != 2*mebibyte {
			t.Errorf("%+v", got)
		}
	})
}

// A wire records how a response is written.
type wire struct {
	*httptest.ResponseRecorder
	pieces    []int
	deadlines []time.Duration // from the start
	began     time.Time
}

func (w *wire) Write(p []byte) (int, error) {
	w.pieces = append(w.pieces, len(p))
	time.Sleep(time.Second)
	return w.ResponseRecorder.Write(p)
}

func (w *wire) SetWriteDeadline(at time.Time) error {
	w.deadlines = append(w.deadlines, at.Sub(w.began))
	return nil
}

// A large answer for whose bytes others wait must be read faster, in proportion to its size, but not
// while the next of them needs more than half of the bytes of all large ones.
func TestLargeAnswersAreReadFasterWhileOthersWait(t *testing.T) {
	const usual = 160 << 10
	for _, test := range []struct {
		size    int
		waiting []int64 // in order of arrival; the first waits for 2.5 seconds, each further one for one more
		pieces  []int   // the first five, one a second
	}{
		{4 * mebibyte, []int64{3 * mebibyte}, []int{4 * usual, 4 * usual, 4 * usual, usual, usual}},
		{4*mebibyte + 100, []int64{3 * mebibyte}, []int{5 * usual, 5 * usual, 5 * usual, usual, usual}},
		{4 * mebibyte, []int64{3*mebibyte + 1}, []int{usual, usual, usual, usual, usual}},
		{4 * mebibyte, []int64{3*mebibyte + 1, 3 * mebibyte}, []int{usual, usual, usual, 4 * usual, usual}},
		{4 * mebibyte, []int64{3 * mebibyte, 3*mebibyte + 1}, []int{4 * usual, 4 * usual, 4 * usual, usual, usual}},
		{mebibyte, []int64{3 * mebibyte}, []int{usual, usual, usual, usual, usual}},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := NewSending(SendingConfig{MaxBytes: 8 * mebibyte, MinRate: 16 << 10, Allowance: 3 * time.Second})
			w := &wire{ResponseRecorder: httptest.NewRecorder(), began: time.Now()}
			e, body := &Exchange{ResponseWriter: w, Sending: s}, make([]byte, test.size)
			if !e.Hold(body) {
				t.Fatal("refused")
			}
			for i, n := range test.waiting {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(5+2*i)*time.Second)
				defer cancel()
				go sender(t, s).Reserve(ctx, n) // for half of the time
				synctest.Wait()
			}
			e.Send(httptest.NewRequest(http.MethodGet, "/", nil), http.StatusOK, Content{Body: body, MIME: "image/png"})
			if !slices.Equal(w.pieces[:5], test.pieces) || w.deadlines[0] != 13*time.Second || w.deadlines[3] != 13*time.Second || w.Body.Len() != test.size {
				t.Errorf("while %d bytes are waited for, %d are written in pieces %v with deadlines %v", test.waiting, test.size, w.pieces, w.deadlines)
			}
		})
	}
}

func TestABodyIsWrittenInPiecesWithDeadlines(t *testing.T) {
	const window, allowance = 10 * time.Second, 3 * time.Second
	for _, test := range []struct {
		minRate   int64
		bytes     int
		pieces    []int
		deadlines []time.Duration
	}{
		{16 << 10, 20_000, []int{20_000}, []time.Duration{window + allowance}},
		{16 << 10, 160 << 10, []int{160 << 10}, []time.Duration{window + allowance}},
		{16 << 10, 400 << 10, []int{160 << 10, 160 << 10, 80 << 10}, []time.Duration{window + allowance, window + time.Second, window + 2*time.Second}},
		{1 << 10, 100 << 10, []int{64 << 10, 36 << 10}, []time.Duration{64*time.Second + allowance, 65 * time.Second}},
		{0, 400 << 10, []int{400 << 10}, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := &wire{ResponseRecorder: httptest.NewRecorder(), began: time.Now()}
			e := &Exchange{ResponseWriter: w, Sending: NewSending(SendingConfig{MinRate: test.minRate, Allowance: allowance})}
			e.Send(httptest.NewRequest(http.MethodGet, "/", nil), http.StatusOK, Content{Body: make([]byte, test.bytes), MIME: "image/png"})
			if !slices.Equal(w.pieces, test.pieces) || !slices.Equal(w.deadlines, test.deadlines) || w.Body.Len() != test.bytes {
				t.Errorf("%d bytes at %d a second: %d bytes in pieces %v with deadlines %v", test.bytes, test.minRate, w.Body.Len(), w.pieces, w.deadlines)
			}
		})
	}
}
