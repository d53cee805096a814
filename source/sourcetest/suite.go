package sourcetest

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"tileserver/source"
)

// Open returns a Source of data. It may use t for temporary files and servers.
type Open func(t *testing.T, data []byte) source.Source

// Run checks that sources opened by open keep the contract of source.Source.
func Run(t *testing.T, open Open) {
	t.Run("answers are the bytes of the ranges, in order", func(t *testing.T) { testAnswers(t, open) })
	t.Run("random ranges", func(t *testing.T) { testRandomRanges(t, open) })
	t.Run("many calls at once", func(t *testing.T) { testConcurrentCalls(t, open) })
	t.Run("slices end where their ranges end", func(t *testing.T) { testCapacity(t, open) })
	t.Run("ranges out of bounds", func(t *testing.T) { testBounds(t, open) })
	t.Run("an empty object", func(t *testing.T) { testEmptyObject(t, open) })
	t.Run("an ended context", func(t *testing.T) { testEndedContext(t, open) })
	t.Run("what it says of itself", func(t *testing.T) { testIdentity(t, open) })
}

// objectBytes is not a power of two, and larger than a page or a usual buffer.
const objectBytes = 100_003

func object() []byte {
	random := rand.New(rand.NewPCG(17, 4))
	data := make([]byte, objectBytes)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	return data
}

func opened(t *testing.T, open Open, data []byte) source.Source {
	t.Helper()
	s := open(t, data)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}

// wantAnswer reads ranges and compares the bytes with data.
func wantAnswer(t *testing.T, s source.Source, data []byte, ranges []source.Range) {
	t.Helper()
	got, err := s.ReadRanges(t.Context(), ranges)
	if err != nil {
		t.Errorf("ReadRanges(%v): %v", ranges, err)
		return
	}
	if len(got) != len(ranges) {
		t.Errorf("ReadRanges(%v): %d slices, want %d", ranges, len(got), len(ranges))
		return
	}
	for i, r := range ranges {
		if want := data[r.Offset:][:r.Length]; got[i] == nil || !bytes.Equal(got[i], want) {
			t.Errorf("ReadRanges(%v): slice %d is not the %d bytes at %d (nil: %t)", ranges, i, r.Length, r.Offset, got[i] == nil)
		}
	}
}

func testAnswers(t *testing.T, open Open) {
	data := object()
	s := opened(t, open, data)
	const n = objectBytes
	for name, ranges := range map[string][]source.Range{
		"none":                       {},
		"one":                        {{Offset: 10, Length: 7}},
		"all":                        {{Offset: 0, Length: n}},
		"first and last byte":        {{Offset: 0, Length: 1}, {Offset: n - 1, Length: 1}},
		"touching":                   {{Offset: 10, Length: 5}, {Offset: 15, Length: 5}},
		"near":                       {{Offset: 10, Length: 5}, {Offset: 17, Length: 5}},
		"far":                        {{Offset: 10, Length: 5}, {Offset: 60_000, Length: 5}, {Offset: 30_000, Length: 5}},
		"backwards":                  {{Offset: 90_000, Length: 9}, {Offset: 50, Length: 9}, {Offset: 40, Length: 9}},
		"overlapping":                {{Offset: 100, Length: 50}, {Offset: 120, Length: 100}, {Offset: 90, Length: 40}},
		"one within another":         {{Offset: 120, Length: 3}, {Offset: 100, Length: 50}, {Offset: 149, Length: 1}},
		"twice":                      {{Offset: 7, Length: 9}, {Offset: 50_000, Length: 9}, {Offset: 7, Length: 9}},
		"empty ones":                 {{Offset: 0, Length: 0}, {Offset: 5, Length: 3}, {Offset: n, Length: 0}, {Offset: 6, Length: 0}},
		"nothing but an empty range": {{Offset: 50, Length: 0}},
	} {
		t.Run(name, func(t *testing.T) { wantAnswer(t, s, data, ranges) })
	}
}

func randomRanges(random *rand.Rand) []source.Range {
	ranges := make([]source.Range, random.IntN(20))
	for i := range ranges {
		offset := random.Int64N(objectBytes + 1)
		ranges[i] = source.Range{Offset: offset, Length: min(objectBytes-offset, int64(random.ExpFloat64()*3000))}
	}
	return ranges
}

func testRandomRanges(t *testing.T, open Open) {
	data := object()
	s := opened(t, open, data)
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		wantAnswer(t, s, data, randomRanges(random))
	}
}

func testConcurrentCalls(t *testing.T, open Open) {
	data := object()
	s := opened(t, open, data)
	var wg sync.WaitGroup
	for caller := range uint64(8) {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(caller, 3))
			for range 10 {
				wantAnswer(t, s, data, randomRanges(random))
			}
		})
	}
	wg.Wait()
}

func testCapacity(t *testing.T, open Open) {
	s := opened(t, open, object())
	got, err := s.ReadRanges(t.Context(), []source.Range{{Offset: 0, Length: 4}, {Offset: 4, Length: 4}, {Offset: 2, Length: 0}})
	if err != nil {
		t.Fatal(err)
	}
	for i, slice := range got {
		if cap(slice) != len(slice) {
			t.Errorf("slice %d has %d bytes and room for %d: appending to it would write over others", i, len(slice), cap(slice))
		}
	}
}

func testBounds(t *testing.T, open Open) {
	s := opened(t, open, object())
	const n = objectBytes
	for name, bad := range map[string]source.Range{
		"one byte past the end":          {Offset: n - 9, Length: 10},
		"begins at the end":              {Offset: n, Length: 1},
		"begins behind the end":          {Offset: n + 1, Length: 1},
		"an empty range behind the end":  {Offset: n + 1, Length: 0},
		"offset below zero":              {Offset: -1, Length: 1},
		"length below zero":              {Offset: 5, Length: -1},
		"both below zero":                {Offset: math.MinInt64, Length: math.MinInt64},
		"the end overflows":              {Offset: 5, Length: math.MaxInt64},
		"the end overflows from far off": {Offset: math.MaxInt64, Length: math.MaxInt64},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := s.ReadRanges(t.Context(), []source.Range{{Offset: 0, Length: 4}, bad})
			if !errors.Is(err, source.ErrOutOfBounds) || got != nil {
				t.Errorf("got %d slices, error %v; want none, %v", len(got), err, source.ErrOutOfBounds)
			}
		})
	}
}

func testEmptyObject(t *testing.T, open Open) {
	s := opened(t, open, nil)
	if got := s.Size(); got != 0 {
		t.Errorf("Size = %d, want 0", got)
	}
	wantAnswer(t, s, nil, []source.Range{{}, {}})
	if _, err := s.ReadRanges(t.Context(), []source.Range{{Length: 1}}); !errors.Is(err, source.ErrOutOfBounds) {
		t.Errorf("a byte of nothing: error %v, want %v", err, source.ErrOutOfBounds)
	}
}

func testEndedContext(t *testing.T, open Open) {
	s := opened(t, open, object())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, ranges := range [][]source.Range{
		{{Offset: 1, Length: 2}},
		{{Offset: 1, Length: 2}, {Offset: 90_000, Length: 2}},
		{{Offset: 1, Length: 0}},
	} {
		got, err := s.ReadRanges(ctx, ranges)
		if !errors.Is(err, context.Canceled) || got != nil {
			t.Errorf("ReadRanges(%v): %d slices, error %v; want none, %v", ranges, len(got), err, context.Canceled)
		}
	}
	if _, err := s.ReadRanges(t.Context(), []source.Range{{Offset: 1, Length: 2}}); err != nil {
		t.Errorf("the next call: %v", err)
	}
}

func testIdentity(t *testing.T, open Open) {
	data := object()
	s := opened(t, open, data)
	if s.Name() == "" || s.Version() == "" {
		t.Errorf("Name %q, Version %q; want both", s.Name(), s.Version())
	}
	if got := s.Size(); got != objectBytes {
		t.Errorf("Size = %d, want %d", got, objectBytes)
	}
	before := s.Version()
	wantAnswer(t, s, data, []source.Range{{Offset: 0, Length: objectBytes}})
	if after := s.Version(); after != before {
		t.Errorf("Version was %q and is %q after a read", before, after)
	}
	if other := opened(t, open, data[1:]); other.Version() == before {
		t.Errorf("two objects have the version %q", before)
	}
}
