package contents

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

func contentOf(number uint64) []byte { return binary.AppendUvarint([]byte("content "), number) }

func TestEveryContentHasThePlaceThatItGotFirst(t *testing.T) {
	const contents = 12_000
	for _, memory := range []int64{0, 100_000, 1 << 30} {
		table := New(t.TempDir(), memory)
		random := rand.New(rand.NewPCG(1, 2))
		places := make(map[uint64]uint64)
		for call := range uint64(3 * contents) {
			number := random.Uint64N(contents)
			want, isKnown := places[number]
			if !isKnown {
				want = call
				places[number] = call
			}
			got, err := table.First(contentOf(number), call)
			if err != nil || got != want {
				t.Fatalf("memory %d, call %d: place %d, %v, want %d", memory, call, got, err, want)
			}
		}
		if table.depth < 5 {
			t.Errorf("the table has only %d buckets", 1<<table.depth)
		}
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Nearly full buckets are what bounds the size: 24 bytes a record, and some room.
func TestATableTakesFewBytesAContent(t *testing.T) {
	const contents = 50_000
	table := New(t.TempDir(), 1<<30)
	fullest := 0.0
	for number := range uint64(contents) {
		depth := table.depth
		if _, err := table.First(contentOf(number), number); err != nil {
			t.Fatal(err)
		}
		if depth > 5 && table.depth > depth {
			fullest = max(fullest, float64(number)*recordBytes/float64(int64(bucketBytes)<<depth))
		}
	}
	if fullest < 0.6 {
		t.Errorf("the table grew when %.2f of it was used", fullest)
	}
}

func TestADiskThatCannotBeWrittenIsAnError(t *testing.T) {
	table := New(filepath.Join(t.TempDir(), "missing"), bucketBytes)
	for number := range uint64(1000) {
		if _, err := table.First(contentOf(number), number); err != nil {
			if !os.IsNotExist(err) {
				t.Errorf("got %v", err)
			}
			return
		}
	}
	t.Error("a table grew beyond its memory without a disk")
}

func BenchmarkTable(b *testing.B) {
	for name, memory := range map[string]int64{"memory": 1 << 40, "disk": 0} {
		b.Run(name, func(b *testing.B) {
			table := New(b.TempDir(), memory)
			defer table.Close()
			number := uint64(0)
			for b.Loop() {
				if _, err := table.First(contentOf(number), number); err != nil {
					b.Fatal(err)
				}
				number++
			}
		})
	}
}
