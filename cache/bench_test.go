package cache

import (
	"context"
	"fmt"
	"sync"
	"testing"
)

// blockKey resembles the keys of image blocks.
type blockKey struct {
	Image           string
	Level, Row, Col int32
}

const benchKeys = 1024

func benchSpace(b *testing.B) (*Space[blockKey, *page], []blockKey) {
	s := NewSpace[blockKey, *page](New(1<<30), "pages")
	keys := make([]blockKey, benchKeys)
	for i := range keys {
		keys[i] = blockKey{"scene.tif@9f2c", 2, int32(i / 32), int32(i % 32)}
	}
	if _, err := s.Fetch(b.Context(), keys, newPages); err != nil {
		b.Fatal(err)
	}
	return s, keys
}

func newPages(_ context.Context, keys []blockKey) ([]*page, error) {
	pages := make([]*page, len(keys))
	for i := range pages {
		pages[i] = new(page)
	}
	return pages, nil
}

// eachOf runs do b.N times in total, from several goroutines.
func eachOf(b *testing.B, goroutines int, do func(i int)) {
	b.ReportAllocs()
	b.ResetTimer()
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			for i := g; i < b.N; i += goroutines {
				do(i)
			}
		})
	}
	wg.Wait()
}

func BenchmarkHits(b *testing.B) {
	for _, goroutines := range []int{1, 4, 16} {
		b.Run(fmt.Sprintf("Get/goroutines=%d", goroutines), func(b *testing.B) {
			s, keys := benchSpace(b)
			eachOf(b, goroutines, func(i int) {
				if _, found := s.Get(keys[i%benchKeys]); !found {
					b.Error("not found")
				}
			})
		})
		b.Run(fmt.Sprintf("Fetch1/goroutines=%d", goroutines), func(b *testing.B) {
			s, keys := benchSpace(b)
			eachOf(b, goroutines, func(i int) {
				if _, err := s.Fetch(b.Context(), keys[i%benchKeys:][:1], newPages); err != nil {
					b.Error(err)
				}
			})
		})
		b.Run(fmt.Sprintf("Fetch4/goroutines=%d", goroutines), func(b *testing.B) {
			s, keys := benchSpace(b)
			eachOf(b, goroutines, func(i int) {
				if _, err := s.Fetch(b.Context(), keys[i%(benchKeys-4):][:4], newPages); err != nil {
					b.Error(err)
				}
			})
		})
	}
}

// Each fetch loads and evicts one entry, in a cache of the given number of spaces.
func BenchmarkMissThatEvicts(b *testing.B) {
	for _, spaces := range []int{1, 5, 10} {
		b.Run(fmt.Sprintf("spaces=%d", spaces), func(b *testing.B) {
			c := New(benchKeys * (64 + entryOverheadBytes))
			all := make([]*Space[blockKey, *page], spaces)
			for i := range all {
				all[i] = NewSpace[blockKey, *page](c, fmt.Sprint(i))
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				key := []blockKey{{"scene.tif@9f2c", 0, int32(i >> 16), int32(i & 0xffff)}}
				if _, err := all[i%spaces].Fetch(b.Context(), key, newPages); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Each fetch loads many entries, and evicts as many.
func BenchmarkMissesThatEvict(b *testing.B) {
	const keys = 512
	for _, spaces := range []int{1, 5, 10} {
		b.Run(fmt.Sprintf("spaces=%d", spaces), func(b *testing.B) {
			c := New(benchKeys * (64 + entryOverheadBytes))
			all := make([]*Space[blockKey, *page], spaces)
			for i := range all {
				all[i] = NewSpace[blockKey, *page](c, fmt.Sprint(i))
			}
			wanted := make([]blockKey, keys)
			for i := 0; b.Loop(); i++ {
				for k := range wanted {
					wanted[k] = blockKey{"scene.tif@9f2c", 0, int32(i), int32(k)}
				}
				if _, err := all[i%spaces].Fetch(b.Context(), wanted, newPages); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*keys), "ns/key")
		})
	}
}
