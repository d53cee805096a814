//go:build (amd64 || arm64) && !purego

package samples

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/integration/processor"
	"tileserver/internal/cpu"
)

var extremes = []float32{
	0, float32(math.Copysign(0, -1)), 0.5, -0.5, 1.5, 2.5, 127.5, -128.5, 32767.5, 1e-40, math.MaxFloat32, -math.MaxFloat32,
	float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), math.Float32frombits(0x7F800001), 1 << 31, -1 << 31, 1 << 23, 1<<23 - 0.5,
}

func numbers(r *rand.Rand, count int) []int32 {
	values := make([]int32, count)
	for i := range values {
		values[i] = int32(r.Uint32()) >> (r.IntN(4) * 8)
	}
	return values
}

func floats(r *rand.Rand, count int) []float32 {
	values := make([]float32, count)
	for i := range values {
		if values[i] = float32(r.NormFloat64() * math.Ldexp(1, r.IntN(20))); r.IntN(4) == 0 {
			values[i] = extremes[r.IntN(len(extremes))]
		}
	}
	return values
}

func TestStoringAssemblyMatchesGo(t *testing.T) {
	processor.Require(t, cpu.Has.Vectors(), "AVX2 or NEON")
	r := rand.New(rand.NewPCG(7, 8))
	for count := 1; count < 140; count++ {
		for bits := 1; bits <= 26; bits++ {
			depth := Depth{bits, r.IntN(2) == 0}
			whole, fractions := numbers(r, count), floats(r, count)
			checkStores(t, shorts(r, count), depth)
			checkStores(t, whole, depth)
			checkStores(t, fractions, depth)
		}
	}
}

// shorts returns numbers of 16 bits.
func shorts(r *rand.Rand, count int) []int16 {
	values := make([]int16, count)
	for i, v := range numbers(r, count) {
		values[i] = int16(v)
	}
	return values
}

func checkStores[V Value](t *testing.T, values []V, depth Depth) {
	t.Helper()
	checkStore[uint8](t, values, depth)
	checkStore[int8](t, values, depth)
	checkStore[uint16](t, values, depth)
	checkStore[int16](t, values, depth)
}

func checkStore[T Sample, V Value](t *testing.T, values []V, depth Depth) {
	t.Helper()
	got, want := make([]T, len(values)+1), make([]T, len(values)+1)
	for _, row := range [][]T{got, want} {
		row[len(values)] = 99 // guard after the row
	}
	Store(got, values, depth)
	storeInGo(want, values, depth)
	if !slices.Equal(got, want) {
		t.Fatalf("%d of %T as %T, %+v: %v, want %v", len(values), values[0], got[0], depth, got, want)
	}
}

func TestColorAssemblyMatchesGo(t *testing.T) {
	processor.Require(t, cpu.Has.Vectors(), "AVX2 or NEON")
	r := rand.New(rand.NewPCG(9, 10))
	for count := 1; count < 70; count++ {
		var got, want [3][]int32
		var gotShorts, wantShorts [3][]int16
		var gotFloats, wantFloats [3][]float32
		for i := range got {
			got[i], gotFloats[i] = numbers(r, count), make([]float32, count)
			for j := range gotFloats[i] {
				gotFloats[i][j] = float32(r.NormFloat64() * math.Ldexp(1, r.IntN(60)-30))
			}
			gotShorts[i] = shorts(r, count)
			want[i], wantShorts[i], wantFloats[i] = slices.Clone(got[i]), slices.Clone(gotShorts[i]), slices.Clone(gotFloats[i])
		}
		Reversible(got[0], got[1], got[2])
		reversibleInGo(want[0], want[1], want[2])
		Reversible(gotShorts[0], gotShorts[1], gotShorts[2])
		reversibleInGo(wantShorts[0], wantShorts[1], wantShorts[2])
		Irreversible(gotFloats[0], gotFloats[1], gotFloats[2])
		irreversibleInGo(wantFloats[0], wantFloats[1], wantFloats[2])
		for i := range got {
			if !slices.Equal(got[i], want[i]) {
				t.Fatalf("component %d of %d whole numbers: %v, want %v", i, count, got[i], want[i])
			}
			if !slices.Equal(gotShorts[i], wantShorts[i]) {
				t.Fatalf("component %d of %d numbers of 16 bits: %v, want %v", i, count, gotShorts[i], wantShorts[i])
			}
			if !slices.Equal(gotFloats[i], wantFloats[i]) {
				t.Fatalf("component %d of %d floats: %v, want %v", i, count, gotFloats[i], wantFloats[i])
			}
		}
	}
}
