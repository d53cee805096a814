package layer_test

import (
	"bytes"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/cache"
	"tileserver/layer"
)

// A composer makes documents of size bytes and counts them in composed. The counter is not guarded:
// the catalog must not compose two documents of one key concurrently.
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
		c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(1 << 20)})
		of := &composer{size: 1000, duration: time.Second}
		var wait sync.WaitGroup
		for range 50 {
			wait.Go(func() {
				if d, err := c.Document(t.Context(), "a", of.compose); err != nil || len(d.Bytes) != 1000 || d.ETag == "" {
					t.Errorf("got %d bytes, %q, %v", len(d.Bytes), d.ETag, err)
				}
			})
		}
		wait.Wait()
		first, err := c.Document(t.Context(), "a", of.compose)
		if err != nil || of.composed != 1 {
			t.Errorf("composed %d times: %v", of.composed, err)
		}
		same, err := c.Document(t.Context(), "b", of.compose)
		if err != nil || of.composed != 2 || same.ETag != first.ETag {
			t.Errorf("under another key: composed %d times, ETag %s, want %s: %v", of.composed, same.ETag, first.ETag, err)
		}
		of.size++
		if other, err := c.Document(t.Context(), "c", of.compose); err != nil || other.ETag == first.ETag {
			t.Errorf("another document has the ETag %s: %v", other.ETag, err)
		}
	})
}

func TestDocumentsAreCachedWithinTheBudget(t *testing.T) {
	const budget = 64 << 10
	cached := cache.New(budget)
	c := layer.NewCatalog(layer.CatalogConfig{Cache: cached})
	large := &composer{size: budget}
	for range 2 {
		if d, err := c.Document(t.Context(), "large", large.compose); err != nil || len(d.Bytes) != budget {
			t.Errorf("got %d bytes: %v", len(d.Bytes), err)
		}
	}
	if large.composed != 2 {
		t.Errorf("a document over the budget was composed %d times, want 2", large.composed)
	}
	small := &composer{size: budget / 4}
	for i := range 100 {
		if _, err := c.Document(t.Context(), string(rune('a'+i)), small.compose); err != nil {
			t.Fatal(err)
		}
	}
	if used := cached.Stats().UsedBytes; used > budget || used < budget/2 {
		t.Errorf("%d bytes are cached", used)
	}
}

func TestFailedDocumentIsNotCached(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(1 << 20)})
	of := &composer{err: errors.New("no ink")}
	if _, err := c.Document(t.Context(), "a", of.compose); !errors.Is(err, of.err) {
		t.Errorf("got %v", err)
	}
	of.err = nil
	if _, err := c.Document(t.Context(), "a", of.compose); err != nil || of.composed != 2 {
		t.Errorf("composed %d times: %v", of.composed, err)
	}
}

// Composing a document takes a slot, as rendering a picture does.
func TestDocumentsPassTheGate(t *testing.T) {
	gate := layer.NewGate(1, 0)
	c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(1 << 20), Gate: gate})
	of := &composer{size: 10}
	if _, err := c.Document(t.Context(), "cached", of.compose); err != nil {
		t.Fatal(err)
	}
	leave, err := gate.Enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	if _, err := c.Document(t.Context(), "other", of.compose); codeOf(err) != layer.Busy || of.composed != 1 {
		t.Errorf("with a full gate: composed %d times: %v", of.composed, err)
	}
	if _, err := c.Document(t.Context(), "cached", of.compose); err != nil {
		t.Errorf("a cached document waits: %v", err)
	}
}

func TestRefreshNoticesChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &changingDataset{version: 1}
		c := newChangingCatalog(t, source, nil)
		first := c.Refresh()
		time.Sleep(2 * time.Second)
		if again := c.Refresh(); !again.Equal(first) {
			t.Errorf("nothing has changed, at %v", again)
		}
		source.set(func() { source.version = 2 })
		time.Sleep(2 * time.Second)
		if again := c.Refresh(); !again.After(first) {
			t.Errorf("the next version is of %v, the first of %v", again, first)
		}
	})
}
