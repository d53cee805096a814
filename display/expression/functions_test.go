package expression

import (
	"bufio"
	_ "embed"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// Each line holds a function, its operands and its value, which was computed with 1400 bits.
//
//go:embed testdata/functions.txt
var functionValues string

func TestFunctionsAreAccurate(t *testing.T) {
	t.Parallel()
	worst := map[operation]float64{}
	for lines := bufio.NewScanner(strings.NewReader(functionValues)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		function := functionOf(t, fields[0])
		var numbers []float64
		for _, field := range fields[1:] {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, v)
		}
		want := numbers[len(numbers)-1]
		got := function.compute(numbers[0], numbers[1], 0)
		units := math.Abs(got-want) / ulpOf(want)
		worst[function] = max(worst[function], units)
		allowed := 2.0
		if function == raise {
			allowed = 4
		}
		if !(units <= allowed) {
			t.Errorf("%s is %v, %.1f ulp from %v", lines.Text(), got, units, want)
		}
	}
	for function, units := range worst {
		t.Logf("%s: within %v ulp", definitions[function].name, units)
	}
	if len(worst) < 17 {
		t.Errorf("%d functions were checked", len(worst))
	}
}

func functionOf(t *testing.T, name string) operation {
	t.Helper()
	if name == "**" {
		return raise
	}
	function, ok := functionNamed(name)
	if !ok {
		t.Fatalf("there is no function %q", name)
	}
	return function
}

// ulpOf returns the distance to the next number.
func ulpOf(x float64) float64 {
	x = math.Abs(x)
	return math.Nextafter(x, math.Inf(1)) - x
}

// All machines must compute these bits, whatever their processor and compiler options.
func TestFunctionsAreMachineIndependent(t *testing.T) {
	t.Parallel()
	const want = 0xe9cb3130a55d13bc
	random, sum := rand.New(rand.NewPCG(5, 6)), fnv.New64a()
	for o := range operationCount {
		if o == constant || o == truth || o == band || o == unaryPlus {
			continue
		}
		for range 5000 {
			a, b, c := anyNumber(random), anyNumber(random), anyNumber(random)
			pattern := canonicalBits(o.compute(a, b, c))
			for shift := 0; shift < 64; shift += 8 {
				sum.Write([]byte{byte(pattern >> shift)})
			}
		}
	}
	if got := sum.Sum64(); got != want {
		t.Errorf("the bits of all functions hash to %#x, want %#x", got, uint64(want))
	}
}

// anyNumber returns a number of any magnitude, and sometimes a special one.
func anyNumber(random *rand.Rand) float64 {
	specials := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, -1, 0.5, 2, 3, 1e-310}
	switch random.IntN(4) {
	case 0:
		return specials[random.IntN(len(specials))]
	case 1:
		return math.Float64frombits(random.Uint64())
	case 2:
		return float64(random.IntN(65536))
	default:
		return float64(random.IntN(1<<20)-1<<19) / 0x1p15
	}
}

func TestLogarithmsOfPowersOf10(t *testing.T) {
	t.Parallel()
	for exponent := -300; exponent <= 308; exponent++ {
		value, err := strconv.ParseFloat("1e"+strconv.Itoa(exponent), 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := logarithm10(value); got != float64(exponent) {
			t.Errorf("log10(1e%d) is %v", exponent, got)
		}
	}
}

// The standard library is correct for these on every machine, or nearly so.
func TestFunctionsOfSpecialNumbers(t *testing.T) {
	t.Parallel()
	specials := []float64{
		math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1.7, -1.7,
		1e308, -1e308, 1e300, 1 << 53, 1<<53 + 2, 60, 61, -61,
	}
	same := func(got, want float64) bool {
		if want == 0 || want != want || math.IsInf(want, 0) {
			return canonicalBits(got) == canonicalBits(want)
		}
		return math.Abs(got-want) <= 1e-13*math.Abs(want)
	}
	for _, f := range []struct {
		operation operation
		want      func(float64) float64
	}{
		{exp, math.Exp}, {expm1, math.Expm1}, {log, math.Log}, {log10, math.Log10}, {log1p, math.Log1p},
		{sin, math.Sin}, {cos, math.Cos}, {tan, math.Tan}, {arcsin, math.Asin}, {arccos, math.Acos},
		{arctan, math.Atan}, {sinh, math.Sinh}, {cosh, math.Cosh}, {tanh, math.Tanh},
	} {
		for _, x := range specials {
			if got, want := f.operation.compute(x, 0, 0), f.want(x); !same(got, want) {
				t.Errorf("%s(%v) is %v, want %v", definitions[f.operation].name, x, got, want)
			}
		}
	}
	for _, f := range []struct {
		operation operation
		want      func(a, b float64) float64
	}{{raise, specialPower}, {arctan2, math.Atan2}, {hypot, math.Hypot}} {
		for _, x := range specials {
			for _, y := range specials {
				if got, want := f.operation.compute(x, y, 0), f.want(x, y); !same(got, want) {
					t.Errorf("%s of %v and %v is %v, want %v", definitions[f.operation].name, x, y, got, want)
				}
			}
		}
	}
}

// specialPower uses square roots for powers of 1/2, which differ for -0 and -Inf.
func specialPower(x, y float64) float64 {
	if math.Abs(y) == 0.5 {
		return math.Pow(math.Sqrt(x), 2*y)
	}
	return math.Pow(x, y)
}
