package credential

import (
	"context"
	"testing"
	"time"
)

// A machine whose clock was ahead when it started has credentials from the future, until it fetches new ones.
func TestAClockThatIsSetBackFreezesNothing(t *testing.T) {
	fetches := 0
	k := New(func(context.Context) (int, time.Time, error) {
		fetches++
		return fetches, time.Now().Add(time.Hour), nil
	})
	if _, err := k.Value(t.Context()); err != nil {
		t.Fatal(err)
	}
	ahead := func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.fetched, k.renewAt, k.expires = k.fetched.Add(24*time.Hour), k.renewAt.Add(24*time.Hour), k.expires.Add(24*time.Hour)
	}
	ahead()
	if isNew := k.Renew(t.Context()); !isNew || fetches != 2 {
		t.Errorf("a refused one is not fetched anew: %d fetches", fetches)
	}
	ahead()
	if _, err := k.Value(t.Context()); err != nil {
		t.Fatal(err)
	}
	if k.Renew(t.Context()); fetches < 3 {
		t.Errorf("what comes from the future is not fetched anew: %d fetches", fetches)
	}
}

func TestAPanicOfAFetchIsAnError(t *testing.T) {
	k := New(func(context.Context) (int, time.Time, error) { panic("in a library") })
	if _, err := k.Value(t.Context()); err == nil {
		t.Error("there is no error")
	}
}
