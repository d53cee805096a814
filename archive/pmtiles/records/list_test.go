package records

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func list(t *testing.T, memoryBytes int64, records []Record) *List {
	t.Helper()
	l := NewList(t.TempDir(), memoryBytes)
	t.Cleanup(func() { l.Close() })
	for _, record := range records {
		if err := l.Append(record); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func collect(t *testing.T, l *List) (got []Record) {
	t.Helper()
	for record, err := range l.All() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, record)
	}
	return got
}

func random(count int) []Record {
	from := rand.New(rand.NewPCG(5, 6))
	records := make([]Record, count)
	for i := range records {
		records[i] = Record{Number: from.Uint64(), Offset: from.Uint64(), Length: from.Uint32(), Run: from.Uint32()}
	}
	return records
}

func TestAListHasWhatWasAppended(t *testing.T) {
	for _, count := range []int{0, 1, bufferRecords - 1, bufferRecords, 3*bufferRecords + 7} {
		for _, memory := range []int64{0, math.MaxInt64} {
			want := random(count)
			l := list(t, memory, want)
			for range 2 { // reading changes nothing
				if got := collect(t, l); l.Len() != int64(count) || !slices.Equal(got, want) {
					t.Errorf("%d records: got %d, and they differ", count, len(got))
				}
			}
		}
	}
}

func TestAListThatIsReadGoesOn(t *testing.T) {
	want := random(100)
	l := list(t, 0, want[:40])
	collect(t, l)
	for _, record := range want[40:] {
		if err := l.Append(record); err != nil {
			t.Fatal(err)
		}
	}
	if got := collect(t, l); !slices.Equal(got, want) {
		t.Errorf("got %d records, and they differ", len(got))
	}
}

func TestASortedListHasItsRecordsByNumber(t *testing.T) {
	for _, count := range []int{0, 1, 999, 1000, 1001, 12_345} {
		for _, memory := range []int64{0, math.MaxInt64} {
			want := random(count)
			l := list(t, memory, want)
			if err := l.sort(1000); err != nil {
				t.Fatal(err)
			}
			slices.SortFunc(want, func(a, b Record) int { return cmp.Compare(a.Number, b.Number) })
			if got := collect(t, l); !slices.Equal(got, want) {
				t.Errorf("%d records, memory %d: got %d, and they differ", count, memory, len(got))
			}
		}
	}
}

func TestAnErrorOfTheDiskEndsTheList(t *testing.T) {
	l := NewList(filepath.Join(t.TempDir(), "missing"), 0)
	for _, record := range random(10) {
		if err := l.Append(record); err != nil {
			t.Fatal(err)
		}
	}
	records := 0
	for _, err := range l.All() {
		if records++; !errors.Is(err, os.ErrNotExist) {
			t.Errorf("got %v", err)
		}
	}
	if records != 1 {
		t.Errorf("%d records", records)
	}
	if err := l.Sort(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("sorting: %v", err)
	}
}
