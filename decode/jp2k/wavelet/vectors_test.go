//go:build (amd64 || arm64) && !purego

package wavelet

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/integration/processor"
	"tileserver/internal/cpu"
)

var extremeIntegers = []int32{math.MinInt32, math.MinInt32 + 1, -3, -2, -1, 0, 1, 2, 3, math.MaxInt32 - 1, math.MaxInt32}

var extremeFloats = []float32{
	0, float32(math.Copysign(0, -1)), 1, -1, math.MaxFloat32 / 64, -math.MaxFloat32 / 64, math.SmallestNonzeroFloat32, -1e-40, 1e-20, 3e7,
}

func integers(r *rand.Rand, count int) []int32 {
	values := make([]int32, count)
	for i := range values {
		if values[i] = int32(r.Uint32()); r.IntN(3) == 0 {
			values[i] = extremeIntegers[r.IntN(len(extremeIntegers))]
		}
	}
	return values
}

func shorts(r *rand.Rand, count int) []int16 {
	values := make([]int16, count)
	for i, v := range integers(r, count) {
		values[i] = int16(v >> (r.IntN(2) * 16))
	}
	return values
}

func floats(r *rand.Rand, count int) []float32 {
	values := make([]float32, count)
	for i := range values {
		if values[i] = float32(r.NormFloat64() * 300); r.IntN(3) == 0 {
			values[i] = extremeFloats[r.IntN(len(extremeFloats))]
		}
	}
	return values
}

// sameBits compares bits, so zeros of different signs differ.
func sameBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) })
}

func TestAssembly53MatchesGo(t *testing.T) {
	processor.Require(t, cpu.Has.Vectors(), "AVX2 or NEON")
	r := rand.New(rand.NewPCG(5, 3))
	for n := 1; n < 100; n++ {
		check53(t, n, func(count int) []int32 { return integers(r, count) })
		check53(t, n, func(count int) []int16 { return shorts(r, count) })
	}
}

// check53 makes n pairs of a row and n columns both ways, and compares the results.
func check53[T Integer](t *testing.T, n int, random func(count int) []T) {
	t.Helper()
	low, high, got, want := random(n+1), random(n+2), random(2*n+3), make([]T, 2*n)
	want = append(want, got[2*n:]...) // samples after these stay unchanged
	across53(got, low, high, n)
	across53InGo(want, low, high, n)
	if !slices.Equal(got, want) {
		t.Fatalf("across %d pairs of %T: the samples differ", n, got)
	}

	low, before, after, previous := random(n), random(n), random(n), random(n)
	even, odd, wantEven, wantOdd := make([]T, n), make([]T, n), make([]T, n), make([]T, n)
	down53(even, odd, low, before, after, previous)
	down53InGo(wantEven, wantOdd, low, before, after, previous)
	if !slices.Equal(even, wantEven) || !slices.Equal(odd, wantOdd) {
		t.Fatalf("down %d columns of %T: the samples differ", n, even)
	}
}

func TestAssembly97MatchesGo(t *testing.T) {
	processor.Require(t, cpu.Has.Vectors(), "AVX2 or NEON")
	r := rand.New(rand.NewPCG(9, 7))
	for n := 1; n < 100; n++ {
		low, high := floats(r, n+3), floats(r, n+4)
		got := floats(r, 2*n+3)
		want := append(make([]float32, 2*n), got[2*n:]...) // samples after these stay unchanged
		by := [...]*scale{&lowRow, &highRow, &onlyEvenRow}[n%3]
		across97(got, low, high, n, by)
		across97InGo(want, low, high, n, by)
		if !sameBits(got, want) {
			t.Fatalf("across %d pairs: the samples differ", n)
		}

		turn := rowStep97{
			low: floats(r, n), before: floats(r, n), after: floats(r, n),
			previousLow: floats(r, n), previousHigh: floats(r, n), previousEven: floats(r, n),
		}
		inGo := turn
		for _, t := range []*rowStep97{&turn, &inGo} {
			t.liftedLow, t.liftedHigh, t.even, t.odd = floats(r, n), floats(r, n), floats(r, n), floats(r, n)
		}
		down97(&turn, n)
		inGo.from(0, n)
		if !sameBits(turn.liftedLow, inGo.liftedLow) || !sameBits(turn.liftedHigh, inGo.liftedHigh) ||
			!sameBits(turn.even, inGo.even) || !sameBits(turn.odd, inGo.odd) {
			t.Fatalf("down %d columns: the samples differ", n)
		}
	}
}

func TestPlacingAssemblyMatchesGo(t *testing.T) {
	processor.Require(t, cpu.Has.Vectors(), "AVX2 or NEON")
	r := rand.New(rand.NewPCG(1, 6))
	for n := 1; n < 70; n++ {
		long, short := integers(r, n), shorts(r, n)
		bytes := make([]int8, n)
		for i, v := range long {
			bytes[i] = int8(v)
		}
		checkRow(t, bytes, placed[int8](float32(0.0123)), placedInGo[int8](float32(0.0123)))
		checkRow(t, bytes, placed[int8, int32](1), placedInGo[int8, int32](1))
		checkRow(t, bytes, placed[int8, int16](1), placedInGo[int8, int16](1))
		checkRow(t, bytes, placed[int8, int16](3), placedInGo[int8, int16](3))
		checkRow(t, long, Narrow[int8, int32], narrowInGo[int8, int32])
		checkRow(t, long, Halve[int8, int32], halveInGo[int8, int32])
		checkRow(t, short, placed[int16, int32](1), placedInGo[int16, int32](1))
		checkRow(t, short, placed[int16](float32(0.0123)), placedInGo[int16](float32(0.0123)))
		checkRow(t, long, placed[int32](float32(0.0123)), placedInGo[int32](float32(0.0123)))
		checkRow(t, long, Halve[int32, int32], halveInGo[int32, int32])
		checkRow(t, long, Halve[int16, int32], halveInGo[int16, int32])
		checkRow(t, short, Halve[int16, int16], halveInGo[int16, int16])
		checkRow(t, short, Halve[int8, int16], halveInGo[int8, int16])
		checkRow(t, short, Narrow[int8, int16], narrowInGo[int8, int16])
		checkRow(t, long, Narrow[int16, int32], narrowInGo[int16, int32])
		if got, want := MaxMagnitude(short), maxMagnitudeInGo(short); got != want {
			t.Fatalf("the largest of %d short magnitudes is %d, want %d", n, got, want)
		}
		if got, want := MaxMagnitude(long), maxMagnitudeInGo(long); got != want {
			t.Fatalf("the largest of %d magnitudes is %d, want %d", n, got, want)
		}
	}
}

func placed[C Coefficient, T Number](one T) func([]T, []C) {
	return func(to []T, from []C) { rowsOf(to, from).place(one) }
}

func placedInGo[C Coefficient, T Number](one T) func([]T, []C) {
	return func(to []T, from []C) { rowsOf(to, from).placeInGo(one) }
}

// rowsOf returns one or two rows, which lie two numbers apart.
func rowsOf[C Coefficient, T Number](to []T, from []C) *rows[C, T] {
	r := &rows[C, T]{to: to, from: from, toStride: len(to), fromStride: len(from), width: len(to), height: 1}
	if width := len(to)/2 - 2; width > 0 {
		r.width, r.toStride, r.fromStride, r.height = width, width+2, width+2, 2
	}
	return r
}

// checkRow converts a row both ways and compares the results, including what follows the row.
func checkRow[C Coefficient, T Number | Coefficient](t *testing.T, from []C, chosen, inGo func([]T, []C)) {
	t.Helper()
	got, want := make([]T, len(from)+1), make([]T, len(from)+1)
	got[len(from)], want[len(from)] = 99, 99
	chosen(got[:len(from)], from)
	inGo(want[:len(from)], from)
	if !slices.Equal(got, want) {
		t.Fatalf("%d of %T as %T: the numbers differ", len(from), from, got)
	}
}
