package components

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
)

// memoryStore stores values in memory and counts hits.
type memoryStore struct {
	mu     sync.Mutex
	values map[string][]byte
	found  int
}

func (k *memoryStore) Get(_ context.Context, key string) ([]byte, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	value, ok := k.values[key]
	if ok {
		k.found++
	}
	return value, ok
}

func (k *memoryStore) Put(_ context.Context, key string, value []byte) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(value) > maxStoredBytes {
		return fmt.Errorf("%d bytes", len(value))
	}
	k.values[key] = value
	return nil
}

// What one run has found out about a large tile, the next run loads.
func TestStoredIndex(t *testing.T) {
	m := jp2ktest.Wide()
	m.Image.X1, m.Components = 1400, jp2ktest.Components(1, 8)
	m.Coding.BlockWidthLog2, m.Coding.BlockHeightLog2 = 2, 3
	m.Sample = jp2ktest.Noise
	data := m.Codestream()
	kept := &memoryStore{values: make(map[string][]byte)}
	rect := wavelet.Rect{X0: 192, Y0: 192, X1: 256, Y1: 256}
	first := open(t, data, func(c *Config) { c.Store = kept })
	want := first.read(t, 0, rect)
	if len(kept.values) == 0 || kept.found > 0 {
		t.Fatalf("%d values were kept, %d found", len(kept.values), kept.found)
	}
	second := open(t, data, func(c *Config) { c.Store = kept })
	if got := second.read(t, 0, rect); !got.SamePixels(want) || kept.found == 0 {
		t.Errorf("other pixels, or nothing was found (%d)", kept.found)
	}
	if a, b := first.src.Counts().Bytes, second.src.Counts().Bytes; b > a/2 {
		t.Errorf("%d bytes were read, and %d the second time", a, b)
	}
	cut := &memoryStore{values: make(map[string][]byte)}
	open(t, data[:len(data)*2/3], func(c *Config) { c.Store = cut }).read(t, 0, rect)
	if len(cut.values) > 0 {
		t.Error("a damaged index was stored, and the next run would not report the damage")
	}
	for key, value := range kept.values { // damaged on disk
		kept.values[key] = value[:len(value)/2]
	}
	third := open(t, data, func(c *Config) { c.Store = kept })
	if got := third.read(t, 0, rect); !got.SamePixels(want) {
		t.Error("damaged stored data changed pixels")
	}
}

// Large values are stored in pieces.
func TestStoredPieces(t *testing.T) {
	kept := &memoryStore{values: make(map[string][]byte)}
	f := &Codestream{config: Config{Store: kept, Key: "k"}}
	data := make([]byte, 2*maxStoredBytes+77)
	for i := range data {
		data[i] = byte(i >> 8)
	}
	f.store(t.Context(), "index", data)
	if got := f.load(t.Context(), "index"); string(got) != string(data) || len(kept.values) != 3 {
		t.Errorf("%d bytes came back of %d, kept as %d", len(got), len(data), len(kept.values))
	}
	kept.values[f.storeKey("index:1")] = nil
	if got := f.load(t.Context(), "index"); got != nil {
		t.Errorf("%d bytes came back though a piece is empty", len(got))
	}
	delete(kept.values, f.storeKey("index:1"))
	if got := f.load(t.Context(), "index"); got != nil {
		t.Errorf("%d bytes came back though a piece is lost", len(got))
	}
}
