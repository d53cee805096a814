package samples_test

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/decode/jp2k/samples"
)

func TestStoreWholeNumbers(t *testing.T) {
	for _, test := range []struct {
		name  string
		depth samples.Depth
		from  []int32
		want  []int32
	}{
		{"bytes", samples.Depth{Bits: 8}, []int32{-129, -128, -1, 0, 127, 128}, []int32{0, 0, 127, 128, 255, 255}},
		{"signed bytes", samples.Depth{Bits: 8, Signed: true}, []int32{-129, -128, 0, 127, 128}, []int32{-128, -128, 0, 127, 127}},
		{"a bit", samples.Depth{Bits: 1}, []int32{-2, -1, 0, 1}, []int32{0, 0, 1, 1}},
		{"a signed bit", samples.Depth{Bits: 1, Signed: true}, []int32{-2, -1, 0, 1}, []int32{-1, -1, 0, 0}},
		{"no bits, treated as one", samples.Depth{}, []int32{-2, -1, 0, 1}, []int32{0, 0, 1, 1}},
		{"the greatest", samples.Depth{Bits: 12}, []int32{math.MaxInt32, math.MinInt32}, []int32{4095, 0}},
		{"all bits", samples.Depth{Bits: 32, Signed: true}, []int32{math.MaxInt32, math.MinInt32}, []int32{math.MaxInt32, math.MinInt32}},
	} {
		got := make([]int32, len(test.from))
		if samples.Store(got, test.from, test.depth); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v is stored as %v, want %v", test.name, test.from, got, test.want)
		}
	}
}

func TestStoreRounds(t *testing.T) {
	infinite := float32(math.Inf(1))
	notANumber := float32(math.NaN())
	for _, test := range []struct {
		name  string
		depth samples.Depth
		from  []float32
		want  []int16
	}{
		{"to the even one", samples.Depth{Bits: 9, Signed: true}, []float32{0.5, 1.5, 2.5, -0.5, -1.5, 1.4999}, []int16{0, 2, 2, 0, -2, 1}},
		{"before it is lifted", samples.Depth{Bits: 4}, []float32{0.5, 1.5, -0.5, -7.5, -9}, []int16{8, 10, 8, 0, 0}},
		{"NaN and infinities", samples.Depth{Bits: 8}, []float32{infinite, -infinite, notANumber, 3e38}, []int16{255, 0, 0, 255}},
	} {
		got := make([]int16, len(test.from))
		if samples.Store(got, test.from, test.depth); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v is stored as %v, want %v", test.name, test.from, got, test.want)
		}
		// and in rows long enough for vectors
		long := make([]int16, 20*len(test.from))
		samples.Store(long, slices.Repeat(test.from, 20), test.depth)
		if want := slices.Repeat(test.want, 20); !slices.Equal(long, want) {
			t.Errorf("%s: a long row is stored as %v, want %v", test.name, long, want)
		}
	}
}

func TestStoreManyBits(t *testing.T) {
	depth := samples.Depth{Bits: 38}
	got := make([]uint64, 3)
	samples.Store(got, []int64{-1 << 37, 0, 1 << 40}, depth)
	if want := []uint64{0, 1 << 37, 1<<38 - 1}; !slices.Equal(got, want) {
		t.Errorf("38 bits are stored as %v, want %v", got, want)
	}
	samples.Store(got, []float32{-1 << 37, 1 << 30, 1 << 40}, depth)
	if want := []uint64{0, 1<<37 + 1<<30, 1<<38 - 1}; !slices.Equal(got, want) {
		t.Errorf("38 bits of floats are stored as %v, want %v", got, want)
	}
}

func TestStoreKeepsToTheShorterRow(t *testing.T) {
	to := []uint8{9, 9, 9}
	samples.Store(to, []int32{1, 2}, samples.Depth{Bits: 8})
	samples.Store(to[:1], []int32{3, 4, 5}, samples.Depth{Bits: 8})
	samples.Store(to, []int32(nil), samples.Depth{Bits: 8})
	if want := []uint8{131, 130, 9}; !slices.Equal(to, want) {
		t.Errorf("stored is %v, want %v", to, want)
	}
}

// rows returns three rows of random numbers.
func rows[V samples.Value](count int, number func() V) (made [3][]V) {
	for i := range made {
		made[i] = make([]V, count)
		for j := range made[i] {
			made[i][j] = number()
		}
	}
	return made
}

func TestReversibleInvertsStandard(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, count := range []int{0, 1, 7, 8, 9, 100} {
		checkReversible(t, count, func() int16 { return int16(r.IntN(1<<12)) - 1<<11 })
		checkReversible(t, count, func() int32 { return int32(r.IntN(1<<17)) - 1<<16 })
		checkReversible(t, count, func() int64 { return r.Int64N(1<<39) - 1<<38 })
	}
}

func checkReversible[V samples.Integer](t *testing.T, count int, number func() V) {
	t.Helper()
	rgb := rows(count, number)
	var mixed [3][]V
	for i, red := range rgb[0] {
		green, blue := rgb[1][i], rgb[2][i]
		mixed[0] = append(mixed[0], (red+2*green+blue)>>2)
		mixed[1] = append(mixed[1], blue-green)
		mixed[2] = append(mixed[2], red-green)
	}
	samples.Reversible(mixed[0], mixed[1], mixed[2])
	for i, want := range rgb {
		if !slices.Equal(mixed[i], want) {
			t.Fatalf("component %d of %d: %v, want %v", i, count, mixed[i], want)
		}
	}
}

func TestIrreversibleMatchesStandard(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, count := range []int{0, 1, 7, 8, 9, 100} {
		got := rows(count, func() float32 { return float32(r.NormFloat64() * 100) })
		var want [3][]float64
		for i := range count {
			y, cb, cr := float64(got[0][i]), float64(got[1][i]), float64(got[2][i])
			want[0] = append(want[0], y+1.402*cr)
			want[1] = append(want[1], y-0.344136*cb-0.714136*cr)
			want[2] = append(want[2], y+1.772*cb)
		}
		samples.Irreversible(got[0], got[1], got[2])
		for c := range want {
			for i, want := range want[c] {
				if math.Abs(float64(got[c][i])-want) > 1e-4 {
					t.Fatalf("component %d, sample %d of %d: %g, want %g", c, i, count, got[c][i], want)
				}
			}
		}
	}
}

// Fused products and sums would give other bits, and so would assembly with other operations.
func TestSameBitsOnEveryMachine(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	colors := rows(1003, func() float32 { return float32(r.IntN(1<<20)-1<<19) / 1024 })
	samples.Irreversible(colors[0], colors[1], colors[2])
	sum := crc32.NewIEEE()
	for _, row := range colors {
		if err := binary.Write(sum, binary.LittleEndian, row); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := sum.Sum32(), uint32(0xc175d787); got != want {
		t.Errorf("the checksum is %#x, want %#x", got, want)
	}
}

// Store rounds to the nearest integer, half to even.
func TestStoreRoundsToNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for bits := 1; bits <= 16; bits++ {
		depth := samples.Depth{Bits: bits, Signed: bits%2 == 0}
		from, got := make([]float32, 75), make([]int32, 75)
		for i := range from {
			from[i] = float32(math.Round(r.NormFloat64()*math.Ldexp(1, bits))) / 2
		}
		samples.Store(got, from, depth)
		for i, v := range from {
			if want := nearest(v, depth); int64(got[i]) != want {
				t.Fatalf("%d bits: %g is stored as %d, want %d", bits, v, got[i], want)
			}
		}
	}
}

func nearest(v float32, depth samples.Depth) int64 {
	doubled := int64(v * 2) // an integer
	whole := doubled >> 1
	if doubled&1 != 0 && whole&1 != 0 {
		whole++
	}
	low, high := int64(0), int64(1)<<depth.Bits-1
	if depth.Signed {
		low, high = -1<<(depth.Bits-1), 1<<(depth.Bits-1)-1
	} else {
		whole += 1 << (depth.Bits - 1)
	}
	return min(max(whole, low), high)
}

func TestNoAllocations(t *testing.T) {
	numbers, floats := make([]int32, 100), make([]float32, 100)
	bytes, words := make([]uint8, 100), make([]uint64, 100)
	depth := samples.Depth{Bits: 8}
	allocations := testing.AllocsPerRun(10, func() {
		samples.Reversible(numbers, numbers, numbers)
		samples.Irreversible(floats, floats, floats)
		samples.Store(bytes, numbers, depth)
		samples.Store(bytes, floats, depth)
		samples.Store(words, numbers, depth)
		samples.Store(words, floats, depth)
	})
	if allocations != 0 {
		t.Errorf("%v allocations, want none", allocations)
	}
}
