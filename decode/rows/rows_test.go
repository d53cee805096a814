package rows

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// noise returns random words.
func noise[T Word](n int, seed uint64) []T {
	random := rand.New(rand.NewPCG(seed, 1))
	words := make([]T, n)
	for i := range words {
		words[i] = T(random.Uint64())
	}
	return words
}

// lengths calls check with lengths of whole vectors and any part of another, and with any offset in
// a word.
func lengths(check func(length, offset int)) {
	for length := range 201 {
		check(length, length%5)
	}
}

// guard is a word behind the destination.
const guard = 0x5A

func TestAccumulate(t *testing.T) {
	t.Run("uint8", testAccumulate[uint8])
	t.Run("uint16", testAccumulate[uint16])
	t.Run("uint32", testAccumulate[uint32])
	t.Run("uint64", testAccumulate[uint64])
}

func testAccumulate[T Word](t *testing.T) {
	for samples := 1; samples <= 7; samples++ {
		lengths(func(length, offset int) {
			checkAccumulate(t, noise[T](length+offset, uint64(length))[offset:], samples)
		})
	}
}

// checkAccumulate compares a plain sum with the Go code, with vectors, and with vectors in place.
func checkAccumulate[T Word](t *testing.T, differences []T, samples int) {
	t.Helper()
	want := slices.Clone(differences)
	for i := samples; i < len(want); i++ {
		want[i] += want[i-samples]
	}
	n := len(differences)
	inGo, bytePlanes, inPlace := make([]T, n), append(make([]T, n), guard), append(slices.Clone(differences), guard)
	accumulateInGo(inGo, differences, samples)
	Accumulate(bytePlanes[:n], differences, samples)
	Accumulate(inPlace[:n], inPlace[:n], samples)
	for name, got := range map[string][]T{"in Go": inGo, "apart": bytePlanes[:n], "in place": inPlace[:n]} {
		if !slices.Equal(got, want) {
			t.Fatalf("%d words of %d samples, %s: got %v, want %v", n, samples, name, got, want)
		}
	}
	if bytePlanes[n] != guard || inPlace[n] != guard {
		t.Fatalf("%d words of %d samples: written behind the end", n, samples)
	}
}

func TestSplit(t *testing.T) {
	t.Run("1 byte", testSplit[uint8])
	t.Run("2 bytes", testSplit[uint16])
	t.Run("4 bytes", testSplit[uint32])
	t.Run("8 bytes", testSplit[uint64])
}

func testSplit[T Word](t *testing.T) {
	for samples := 1; samples <= 5; samples++ {
		lengths(func(width, offset int) {
			checkSplit(t, noise[T](width*samples+offset, uint64(width))[offset:], samples)
		})
	}
}

func checkSplit[T Word](t *testing.T, row []T, samples int) {
	t.Helper()
	width := len(row) / samples
	got, inGo := make([][]T, samples), make([][]T, samples)
	for i := range got {
		got[i], inGo[i] = append(make([]T, width), guard)[:width], make([]T, width)
	}
	Split(got, row)
	splitInGo(inGo, row, 0)
	for s := range samples {
		for x := range width {
			if want := row[x*samples+s]; got[s][x] != want || inGo[s][x] != want {
				t.Fatalf("sample %d of %d, pixel %d of %d: got %v, in Go %v, want %v", s, samples, x, width, got[s][x], inGo[s][x], want)
			}
		}
		if got[s][:width+1][width] != guard {
			t.Fatalf("sample %d of %d of %d pixels: written behind the end", s, samples, width)
		}
	}
}

func TestSplitComplexNumbers(t *testing.T) {
	type pair [2]uint64
	row := []pair{{1, 2}, {3, 4}, {5, 6}, {7, 8}}
	a, b := make([]pair, 2), make([]pair, 2)
	Split([][]pair{a, b}, row)
	if a[0] != row[0] || b[0] != row[1] || a[1] != row[2] || b[1] != row[3] {
		t.Errorf("got %v and %v of %v", a, b, row)
	}
}

func TestShortSlicesPanic(t *testing.T) {
	short := map[string]func(){
		"row":   func() { Split([][]uint8{make([]uint8, 32), make([]uint8, 32)}, make([]uint8, 63)) },
		"plane": func() { Split([][]uint8{make([]uint8, 32), make([]uint8, 31)}, make([]uint8, 64)) },
		"sums":  func() { Accumulate(make([]uint8, 31), make([]uint8, 32), 1) },
		"apart": func() { Join(make([]uint8, 128), make([]uint8, 127), 4) },
		"bits":  func() { WidenBits(make([]uint8, 129), make([]uint8, 16)) },
	}
	for name, call := range short {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic, so that something was read or written behind the end", name)
				}
			}()
			call()
		}()
	}
}

func TestJoin(t *testing.T) {
	for _, size := range []int{1, 2, 3, 4, 8} {
		lengths(func(count, offset int) {
			checkJoin(t, noise[uint8](count*size+offset, uint64(count))[offset:], size)
		})
	}
}

func checkJoin(t *testing.T, bytePlanes []byte, size int) {
	t.Helper()
	count := len(bytePlanes) / size
	want := make([]byte, count*size)
	for i := range count {
		for index := range size {
			to := size - 1 - index
			if machineIsBigEndian() {
				to = index
			}
			want[i*size+to] = bytePlanes[index*count+i]
		}
	}
	got, inGo := append(make([]byte, len(want)), guard), make([]byte, len(want))
	Join(got[:len(want)], bytePlanes, size)
	joinInGo(inGo, bytePlanes, size, 0)
	if !bytes.Equal(got[:len(want)], want) || !bytes.Equal(inGo, want) {
		t.Fatalf("%d samples of %d bytes: got %v, in Go %v, want %v", count, size, got, inGo, want)
	}
	if got[len(want)] != guard {
		t.Fatalf("%d samples of %d bytes: written behind the end", count, size)
	}
}

func TestSwap(t *testing.T) {
	for _, size := range []int{2, 4, 8} {
		lengths(func(length, offset int) {
			checkSwap(t, noise[uint8](length+offset, uint64(length))[offset:], size)
		})
	}
}

func checkSwap(t *testing.T, words []byte, size int) {
	t.Helper()
	want := slices.Clone(words)
	for rest := want; len(rest) >= size; rest = rest[size:] {
		slices.Reverse(rest[:size])
	}
	got, inGo := append(slices.Clone(words), guard), slices.Clone(words)
	Swap(got[:len(words)], size)
	swapInGo(inGo, size)
	if !bytes.Equal(got[:len(words)], want) || !bytes.Equal(inGo, want) {
		t.Fatalf("%d bytes of words of %d: got %v, in Go %v, want %v", len(words), size, got, inGo, want)
	}
	if got[len(words)] != guard {
		t.Fatalf("%d bytes of words of %d: written behind the end", len(words), size)
	}
}

func TestWidenBits(t *testing.T) {
	lengths(func(length, offset int) {
		checkWidenBits(t, noise[uint8]((length+7)/8+offset, uint64(length))[offset:], length)
	})
}

func checkWidenBits(t *testing.T, bits []byte, length int) {
	t.Helper()
	got, inGo := append(make([]byte, length), guard), make([]byte, length)
	WidenBits(got[:length], bits)
	widenBitsInGo(inGo, bits)
	for x := range length {
		if want := bits[x/8] >> (7 - x%8) & 1; got[x] != want || inGo[x] != want {
			t.Fatalf("bit %d of %d: got %d, in Go %d, want %d", x, length, got[x], inGo[x], want)
		}
	}
	if got[length] != guard {
		t.Fatalf("%d bits: written behind the end", length)
	}
}

// FuzzKernels compares all kernels with plain implementations.
func FuzzKernels(f *testing.F) {
	for _, n := range []int{0, 1, 47, 48, 200, 1000} {
		for samples := range 8 {
			f.Add(noise[uint8](n, uint64(n)), uint8(samples))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, kind uint8) {
		samples := 1 + int(kind%8)
		checkAll(t, data, samples)
		checkAll(t, widened[uint16](data), samples)
		checkAll(t, widened[uint32](data), samples)
		checkAll(t, widened[uint64](data), samples)
		checkJoin(t, data, samples)
		checkSwap(t, data, 2<<(kind%3))
		checkWidenBits(t, data, max(8*len(data)-int(kind%8), 0))
	})
}

func checkAll[T Word](t *testing.T, words []T, samples int) {
	t.Helper()
	checkAccumulate(t, words, samples)
	checkSplit(t, words[:len(words)/samples*samples], samples)
}

// widened returns words whose bits all depend on data.
func widened[T Word](data []byte) []T {
	words := make([]T, len(data))
	for i, b := range data {
		words[i] = T(uint64(b) * 0x9E3779B97F4A7C15 >> 7)
	}
	return words
}
