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

// composer makes documents of so many bytes, and counts them. No two of its are made at once
// under one key.
type composer struct {
	size, made int
	takes      time.Duration
	err        error
}

func (c *composer) compose() ([]byte, error) {
	c.made++
	time.Sleep(c.takes)
	return bytes.Repeat([]byte{'x'}, c.size), c.err
}

func TestDocumentIsMadeOnceAndKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(1 << 20)})
		of := &composer{size: 1000, takes: time.Second}
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
		if err != nil || of.made != 1 {
			t.Errorf("it is made %d times: %v", of.made, err)
		}
		same, err := c.Document(t.Context(), "b", of.compose)
		if err != nil || of.made != 2 || same.ETag != first.ETag {
			t.Errorf("under another key, it is made %d times, as %s, want %s: %v", of.made, same.ETag, first.ETag, err)
		}
		of.size++
		if other, err := c.Document(t.Context(), "c", of.compose); err != nil || other.ETag == first.ETag {
			t.Errorf("another document is %s: %v", other.ETag, err)
		}
	})
}

func TestDocumentsAreKeptWithinTheBudget(t *testing.T) {
	const budget = 64 << 10
	kept := cache.New(budget)
	c := layer.NewCatalog(layer.CatalogConfig{Cache: kept})
	large := &composer{size: budget}
	for range 2 {
		if d, err := c.Document(t.Context(), "large", large.compose); err != nil || len(d.Bytes) != budget {
			t.Errorf("got %d bytes: %v", len(d.Bytes), err)
		}
	}
	if large.made != 2 {
		t.Errorf("what is over the budget is made %d times, want 2", large.made)
	}
	small := &composer{size: budget / 4}
	for i := range 100 {
		if _, err := c.Document(t.Context(), string(rune('a'+i)), small.compose); err != nil {
			t.Fatal(err)
		}
	}
	if used := kept.Stats().UsedBytes; used > budget || used < budget/2 {
		t.Errorf("%d bytes are kept", used)
	}
}

func TestDocumentThatFailsIsNotKept(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(1 << 20)})
	of := &composer{err: errors.New("no ink")}
	if _, err := c.Document(t.Context(), "a", of.compose); !errors.Is(err, of.err) {
		t.Errorf("got %v", err)
	}
	of.err = nil
	if _, err := c.Document(t.Context(), "a", of.compose); err != nil || of.made != 2 {
		t.Errorf("made %d times: %v", of.made, err)
	}
}

// Documents are work as pictures are, and wait with them.
func TestDocumentsPassTheGate(t *testing.T) {
	gate := layer.NewGate(1, 0)
	c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(1 << 20), Gate: gate})
	of := &composer{size: 10}
	if _, err := c.Document(t.Context(), "kept", of.compose); err != nil {
		t.Fatal(err)
	}
	leave, err := gate.Enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	if _, err := c.Document(t.Context(), "other", of.compose); codeOf(err) != layer.Busy || of.made != 1 {
		t.Errorf("beside other work it is made %d times: %v", of.made, err)
	}
	if _, err := c.Document(t.Context(), "kept", of.compose); err != nil {
		t.Errorf("what is kept waits: %v", err)
	}
}

func TestLookNoticesWhatHasChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &changing{version: 1}
		c := changingLayer(t, source, nil)
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
