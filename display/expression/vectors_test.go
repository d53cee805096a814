package expression

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Code that computes many elements must give the same bits as the definition, which computes one.
func TestVectorsEqualDefinitions(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(11, 12))
	for _, kindOfNumbers := range []struct {
		name string
		next func() float64
	}{
		{"any", func() float64 { return anyNumber(random) }},
		{"positive", func() float64 { return positiveNumber(random) }},
		{"mostly positive", func() float64 {
			if random.IntN(20) == 0 {
				return anyNumber(random)
			}
			return positiveNumber(random)
		}},
	} {
		for o := range operationCount {
			if definitions[o].operands == 0 || o == unaryPlus {
				continue
			}
			for length := range 40 {
				checkEach(t, kindOfNumbers.name, o, length, kindOfNumbers.next)
			}
			for range 5 {
				checkEach(t, kindOfNumbers.name, o, vectorLength, kindOfNumbers.next)
			}
		}
	}
}

// positiveNumber returns numbers of all magnitudes, mostly near 1.
func positiveNumber(random *rand.Rand) float64 {
	if random.IntN(4) == 0 {
		return math.Ldexp(1+random.Float64(), random.IntN(2000)-1000)
	}
	return math.Ldexp(1+random.Float64(), random.IntN(12)-6)
}

// checkEach also checks the memory after the elements, and overwrites an operand, as programs do.
func checkEach(t *testing.T, numbers string, o operation, length int, next func() float64) {
	t.Helper()
	const behind = 9
	var operands [maxOperands][]float64
	for i := range operands {
		for range length + behind {
			v := next()
			if definitions[o].operandKind == boolean || o == where && i == 0 {
				v = truthOf(v > 1)
			}
			operands[i] = append(operands[i], v)
		}
	}
	want := make([]float64, length+behind)
	for i := range want {
		want[i] = operands[0][i]
		if i < length {
			want[i] = o.compute(operands[0][i], operands[1][i], operands[2][i])
		}
	}
	got := operands[0]
	o.computeEach(got[:length], got[:length], operands[1][:length], operands[2][:length])
	for i := range got {
		if canonicalBits(got[i]) != canonicalBits(want[i]) {
			t.Fatalf("%s of %s numbers: element %d of %d is %v, want %v",
				definitions[o].name, numbers, i, length, got[i], want[i])
		}
	}
}

func TestStoreStaysInBounds(t *testing.T) {
	t.Parallel()
	for length := range 30 {
		const around = 9
		to := &Values[float32]{make([]float32, length+2*around), fullValidity(length + 2*around)}
		values := make([]float64, length)
		for i := range values {
			values[i] = math.Inf(1)
		}
		to.Store(values, around)
		for i := range to.Values {
			inside := i >= around && i < around+length
			if got := math.IsInf(float64(to.Values[i]), 1); got != inside {
				t.Fatalf("of %d values, element %d is %v", length, i-around, to.Values[i])
			}
			if got := to.Validity[i] == 0; got != inside {
				t.Fatalf("of %d values, element %d has validity %d", length, i-around, to.Validity[i])
			}
		}
	}
}
