package documents_test

import (
	"bytes"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/http/documents"
	"tileserver/layer"
)

// A composer makes documents of size bytes and counts them in composed. The counter is not guarded:
// the cache must not compose two documents of one key concurrently.
type composer struct {
	size, composed int
	duration       time.Duration
	err            error
}

func (c *composer) compose() ([]byte, error) {
	c.composed++
	time.Sleep(c.duration)
	return bytes.Repeat([]byte{'x'}, c.size), c.err
}

func TestDocumentIsComposedOnceAndCached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := documents.NewCache(cache.New(1<<20), admission.New(admission.Config{}))
		of := &composer{size: 1000, duration: time.Second}
		var wait sync.WaitGroup
		for range 50 {
			wait.Go(func() {
				if d, err := c.Fetch(t.Context(), "a", of.compose); err != nil || len(d.Bytes) != 1000 || d.Key == "" {
					t.Errorf("got %d bytes, %q, %v", len(d.Bytes), d.Key, err)
				}
			})
		}
		wait.Wait()
		first, err := c.Fetch(t.Context(), "a", of.compose)
		if err != nil || of.composed != 1 {
			t.Errorf("composed %d times: %v", of.composed, err)
		}
		same, err := c.Fetch(t.Context(), "b", of.compose)
		if err != nil || of.composed != 2 || same.Key != first.Key {
			t.Errorf("under another key: composed %d times, key %s, want %s: %v", of.composed, same.Key, first.Key, err)
		}
		of.size++
		if other, err := c.Fetch(t.Context(), "c", of.compose); err != nil || other.Key == first.Key {
			t.Errorf("another document has the key %s: %v", other.Key, err)
		}
	})
}

func TestDocumentsAreCachedWithinTheBudget(t *testing.T) {
	const budget = 64 << 10
	cached := cache.New(budget)
	c := documents.NewCache(cached, admission.New(admission.Config{}))
	large := &composer{size: budget}
	for range 2 {
		if d, err := c.Fetch(t.Context(), "large", large.compose); err != nil || len(d.Bytes) != budget {
			t.Errorf("got %d bytes: %v", len(d.Bytes), err)
		}
	}
	if large.composed != 2 {
		t.Errorf("a document over the budget was composed %d times, want 2", large.composed)
	}
	small := &composer{size: budget / 4}
	for i := range 100 {
		if _, err := c.Fetch(t.Context(), string(rune('a'+i)), small.compose); err != nil {
			t.Fatal(err)
		}
	}
	if used := cached.Stats().UsedBytes; used > budget || used < budget/2 {
		t.Errorf("%d bytes are cached", used)
	}
}

func TestFailedDocumentIsNotCached(t *testing.T) {
	c := documents.NewCache(cache.New(1<<20), admission.New(admission.Config{}))
	of := &composer{err: errors.New("no ink")}
	if _, err := c.Fetch(t.Context(), "a", of.compose); !errors.Is(err, of.err) {
		t.Errorf("got %v", err)
	}
	of.err = nil
	if _, err := c.Fetch(t.Context(), "a", of.compose); err != nil || of.composed != 2 {
		t.Errorf("composed %d times: %v", of.composed, err)
	}
}

// Composing a document takes a slot, as rendering a picture does.
func TestDocumentsPassTheGate(t *testing.T) {
	gate := admission.New(admission.Config{})
	c := documents.NewCache(cache.New(1<<20), gate)
	of := &composer{size: 10}
	if _, err := c.Fetch(t.Context(), "cached", of.compose); err != nil {
		t.Fatal(err)
	}
	_, leave, err := gate.Enter(t.Context(), admission.Work{})
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	if _, err := c.Fetch(t.Context(), "other", of.compose); !isBusy(err) || of.composed != 1 {
		t.Errorf("with a full gate: composed %d times: %v", of.composed, err)
	}
	if _, err := c.Fetch(t.Context(), "cached", of.compose); err != nil {
		t.Errorf("a cached document waits: %v", err)
	}
}

func isBusy(err error) bool {
	var coded *layer.Error
	return errors.As(err, &coded) && coded.Code == layer.Busy
}
