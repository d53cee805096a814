package credential

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// issuer issues numbered tokens.
type issuer struct {
	lifetime time.Duration // 0: they do not expire
	delay    time.Duration // of an answer
	failure  error
	sticks   bool // it issues the same token again
	fetches  int
}

func (i *issuer) fetch(ctx context.Context) (string, time.Time, error) {
	i.fetches++
	select {
	case <-time.After(i.delay):
	case <-ctx.Done():
		return "", time.Time{}, ctx.Err()
	}
	if i.failure != nil {
		return "", time.Time{}, i.failure
	}
	number, expires := i.fetches, time.Time{}
	if i.sticks {
		number = 1
	}
	if i.lifetime > 0 {
		expires = time.Now().Add(i.lifetime)
	}
	return fmt.Sprint(number), expires, nil
}

// A request every few seconds for four weeks always has a credential that lives for another minute, and no
// request waits for one but the first. The credential is the time when it expires.
func TestWeeksOfRequestsHaveACredentialThatIsValid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fetches atomic.Int64
		kept := New(func(context.Context) (time.Time, time.Time, error) {
			fetches.Add(1)
			time.Sleep(10 * time.Second)
			expires := time.Now().Add(time.Hour)
			return expires, expires, nil
		})
		began := time.Now()
		for request := 0; time.Since(began) < 28*24*time.Hour; request++ {
			asked := time.Now()
			expires, err := kept.Value(t.Context())
			if waited := time.Since(asked); err != nil || request > 0 && waited > 0 {
				t.Fatalf("after %v: %v, it waited %v", time.Since(began), err, waited)
			}
			if rest := time.Until(expires); rest < time.Minute {
				t.Fatalf("after %v it is valid for %v", time.Since(began), rest)
			}
			time.Sleep(7 * time.Second)
		}
		if least := int64(28 * 24); fetches.Load() < least || fetches.Load() > least*60/50 {
			t.Errorf("%d fetches", fetches.Load())
		}
	})
}

func TestConcurrentRequestsWaitForOneFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issued := issuer{lifetime: time.Hour, delay: time.Second}
		kept := New(issued.fetch)
		for round := 1; round <= 2; round++ {
			var asking sync.WaitGroup
			for range 50 {
				asking.Go(func() {
					if token, err := kept.Value(t.Context()); err != nil || token != fmt.Sprint(round) {
						t.Errorf("round %d: %q, %v", round, token, err)
					}
				})
			}
			asking.Wait()
			if issued.fetches != round {
				t.Errorf("%d fetches in round %d", issued.fetches, round)
			}
			time.Sleep(2 * time.Hour) // it expires while nobody asks
		}
	})
}

func TestARequestThatLeavesTakesTheFetchFromNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issued := issuer{lifetime: time.Hour, delay: 10 * time.Second}
		kept := New(issued.fetch)
		impatient, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := kept.Value(impatient); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("who leaves: %v", err)
		}
		if token, err := kept.Value(t.Context()); token != "1" || err != nil {
			t.Errorf("who stays: %q, %v", token, err)
		}
	})
}

func TestFailuresAreSharedForAWhileAndDoNotStick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issued := issuer{lifetime: time.Hour, failure: errors.New("no answer")}
		kept := New(issued.fetch)
		for range 100 {
			if _, err := kept.Value(t.Context()); !errors.Is(err, issued.failure) {
				t.Fatal(err)
			}
		}
		if issued.fetches != 1 {
			t.Errorf("%d fetches in a row", issued.fetches)
		}
		issued.failure = nil
		time.Sleep(fetchPause)
		if token, err := kept.Value(t.Context()); token != "2" || err != nil {
			t.Errorf("when it answers again: %q, %v", token, err)
		}
	})
}

func TestATokenIsUsedUntilItExpiresWhileFetchesFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issued := issuer{lifetime: time.Hour}
		kept := New(issued.fetch)
		if _, err := kept.Value(t.Context()); err != nil {
			t.Fatal(err)
		}
		issued.failure = errors.New("no answer")
		for range 59 {
			time.Sleep(time.Minute)
			if token, err := kept.Value(t.Context()); token != "1" || err != nil {
				t.Fatalf("%q, %v", token, err)
			}
		}
		time.Sleep(time.Minute)
		if _, err := kept.Value(t.Context()); !errors.Is(err, issued.failure) {
			t.Errorf("when it has expired: %v", err)
		}
	})
}

func TestAFetchThatHangsEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issued := issuer{delay: 24 * time.Hour}
		began := time.Now()
		if _, err := New(issued.fetch).Value(t.Context()); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != fetchTime {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

func TestARefusedTokenIsRenewedOnceForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issued := issuer{lifetime: time.Hour}
		kept := New(issued.fetch)
		value := func() string {
			token, err := kept.Value(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return token
		}
		if value() != "1" || kept.Renew(t.Context()) {
			t.Error("what has just been fetched was renewed")
		}
		time.Sleep(refusedPause)
		issued.delay = time.Second
		var renewed atomic.Int64
		var refused sync.WaitGroup
		for range 20 {
			refused.Go(func() {
				if kept.Renew(t.Context()) {
					renewed.Add(1)
				}
			})
		}
		refused.Wait()
		if renewed.Load() != 20 || issued.fetches != 2 || value() != "2" {
			t.Errorf("%d of 20 may try again after %d fetches", renewed.Load(), issued.fetches)
		}
		if !kept.Renew(t.Context()) || issued.fetches != 2 {
			t.Error("a request that was refused late may not try again with what is new")
		}
	})
}

func TestARefusalIsFinalIfTheIssuerHasNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issued := issuer{sticks: true}
		kept := New(issued.fetch)
		for range 3 {
			if _, err := kept.Value(t.Context()); err != nil {
				t.Fatal(err)
			}
			if kept.Renew(t.Context()) {
				t.Error("the same token was taken for a new one")
			}
			time.Sleep(refusedPause)
		}
		issued.failure = errors.New("no answer")
		if kept.Renew(t.Context()) {
			t.Error("a failure was taken for a new token")
		}
	})
}

func TestWhatDoesNotExpireIsReadAgainSometimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var issued issuer
		kept := New(issued.fetch)
		for range 10 {
			if _, err := kept.Value(t.Context()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(rereadAfter / 5)
		}
		if issued.fetches != 2 {
			t.Errorf("%d fetches", issued.fetches)
		}
	})
}

func TestATokenThatHadExpiredIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issued := issuer{lifetime: fetchPause - time.Second}
		kept := New(issued.fetch)
		for range 5 {
			if _, err := kept.Value(t.Context()); !errors.Is(err, errExpired) {
				t.Errorf("%v", err)
			}
		}
		if issued.fetches != 1 {
			t.Errorf("%d fetches", issued.fetches)
		}
	})
}
