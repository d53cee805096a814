package adler32

import (
	"bytes"
	"hash/adler32"
	"math/rand/v2"
	"testing"
)

func noise(n int) []byte {
	random := rand.New(rand.NewPCG(5, 0))
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	return data
}

func TestUpdateAgreesWithTheStandardLibrary(t *testing.T) {
	for _, n := range []int{
		0, 1, 7, 8, 9, 31, 32, 33, chunkBytes - 1, chunkBytes, chunkBytes + 1, 2*chunkBytes - 1, 2 * chunkBytes, 5000, 5552, 65521, 99_999,
	} {
		for _, data := range [][]byte{noise(n), bytes.Repeat([]byte{255}, n)} {
			want := adler32.Checksum(data)
			for name, update := range map[string]func(uint32, []byte) uint32{"Update": Update, "updateInGo": updateInGo} {
				if got := update(Initial, data); got != want {
					t.Errorf("%s of %d bytes: %08x, want %08x", name, n, got, want)
				}
				if got := update(update(Initial, data[:n/3]), data[n/3:]); got != want {
					t.Errorf("%s of %d bytes in two steps: %08x, want %08x", name, n, got, want)
				}
			}
		}
	}
}

func TestUpdateReducesSums(t *testing.T) {
	highest := uint32((modulus-1)<<16 | (modulus - 1))
	for _, n := range []int{8, 32, 40} {
		if got := Update(highest, make([]byte, n)); got>>16 >= modulus || got&0xffff >= modulus {
			t.Errorf("sums %08x of %d bytes are not reduced", got, n)
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	data := noise(512 * 512)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if Update(Initial, data) == 0 {
			b.Fatal("a checksum cannot be zero")
		}
	}
}
