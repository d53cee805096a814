package expression

import (
	"math/rand/v2"
	"testing"
)

// benchPixels is the size of a tile of 256 by 256.
const benchPixels = 256 * 256

// benchmarkSample lists the types of measured samples.
type benchmarkSample interface{ uint16 | float32 }

// benchmarkBands returns random bands as a satellite measures them: mostly dark.
func benchmarkBands[T benchmarkSample](count int) [][]T {
	random := rand.New(rand.NewPCG(7, 8))
	bands := make([][]T, count)
	for i := range bands {
		bands[i] = make([]T, benchPixels)
		for j := range bands[i] {
			bands[i][j] = T(random.IntN(10000) + 1)
		}
	}
	return bands
}

// The loops by hand are what a programmer would write for one expression and one type.

func ndviByHand[T benchmarkSample](bands [][]T, results [][]float32) {
	red, nir, to := bands[0], bands[1], results[0]
	nir, to = nir[:len(red)], to[:len(red)]
	for i, r := range red {
		a, b := float64(nir[i]), float64(r)
		to[i] = float32((a - b) / (a + b))
	}
}

func eviByHand[T benchmarkSample](bands [][]T, results [][]float32) {
	blue, red, nir, to := bands[0], bands[1], bands[2], results[0]
	red, nir, to = red[:len(blue)], nir[:len(blue)], to[:len(blue)]
	for i := range blue {
		n, r, b := float64(nir[i]), float64(red[i]), float64(blue[i])
		to[i] = float32(2.5 * (n - r) / (n + 6*r - 7.5*b + 10000))
	}
}

func whereByHand[T benchmarkSample](bands [][]T, results [][]float32) {
	first, second, to := bands[0], bands[1], results[0]
	second, to = second[:len(first)], to[:len(first)]
	for i, v := range first {
		to[i] = 0
		if v > 5000 {
			to[i] = float32(second[i])
		}
	}
}

func threeByHand[T benchmarkSample](bands [][]T, results [][]float32) {
	first, second, third := bands[0], bands[1], bands[2]
	one, two, three := results[0], results[1], results[2]
	second, third = second[:len(first)], third[:len(first)]
	one, two, three = one[:len(first)], two[:len(first)], three[:len(first)]
	for i := range first {
		a, b, c := float64(first[i]), float64(second[i]), float64(third[i])
		one[i], two[i], three[i] = float32(a*2), float32(b), float32(c/3)
	}
}

func BenchmarkUint16(b *testing.B)  { benchmarkAll[uint16](b) }
func BenchmarkFloat32(b *testing.B) { benchmarkAll[float32](b) }

func benchmarkAll[T benchmarkSample](b *testing.B) {
	for _, m := range []struct {
		name, text string
		outputs    int
		byHand     func(bands [][]T, results [][]float32)
	}{
		{"NDVI", "(b2-b1)/(b2+b1)", 1, ndviByHand[T]},
		{"EVI", "2.5*(b3-b2)/(b3+6*b2-7.5*b1+10000)", 1, eviByHand[T]},
		{"where", "where(b1>5000,b2,0)", 1, whereByHand[T]},
		{"three", "b1*2;b2;b3/3", 3, threeByHand[T]},
	} {
		program := mustCompile(b, m.text)
		bands := benchmarkBands[T](len(program.Bands()))
		planes := make([][]float32, m.outputs)
		for i := range planes {
			planes[i] = make([]float32, benchPixels)
		}
		b.Run(m.name+"/by hand", func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(benchPixels)
			for b.Loop() {
				m.byHand(bands, planes)
			}
		})
		b.Run(m.name+"/run", func(b *testing.B) {
			benchmarkRun(b, program, bands, planes, nil)
		})
		b.Run(m.name+"/run with validity", func(b *testing.B) {
			benchmarkRun(b, program, bands, planes, make([]uint8, benchPixels))
		})
	}
}

func benchmarkRun[T Sample](b *testing.B, program *Program, bands [][]T, planes [][]float32, validity []uint8) {
	inputs := make([]Plane, len(bands))
	for i, samples := range bands {
		inputs[i] = Samples[T](samples)
	}
	results := make([]Result, len(planes))
	for i, plane := range planes {
		results[i] = &Values[float32]{Values: plane, Validity: validity}
	}
	b.ReportAllocs()
	b.SetBytes(benchPixels)
	for b.Loop() {
		if err := program.Run(inputs, results, benchPixels); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOperations measures the costs in definitions. Operands are between 0 and 1, where all
// functions are defined.
func BenchmarkOperations(b *testing.B) {
	random := rand.New(rand.NewPCG(13, 14))
	numbers, booleans := make([]vector, maxOperands), make([]vector, maxOperands)
	for i := range numbers {
		for j := range numbers[i] {
			numbers[i][j] = 1 - random.Float64()
			booleans[i][j] = truthOf(numbers[i][j] > 0.5)
		}
	}
	var to vector
	for o := range operationCount {
		d := &definitions[o]
		if d.operands == 0 || o == unaryPlus {
			continue
		}
		first, second, third := &numbers[0], &numbers[1], &numbers[2]
		if d.operandKind == boolean {
			second = &booleans[1]
		}
		if d.operandKind == boolean || o == where {
			first = &booleans[0]
		}
		b.Run(d.name, func(b *testing.B) {
			b.SetBytes(vectorLength)
			b.ReportAllocs()
			for b.Loop() {
				o.computeEach(to[:], first[:], second[:], third[:])
			}
		})
	}
}

// BenchmarkCompile measures the cost of a new expression.
func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		mustCompile(b, "where((b4-b3)/(b4+b3)>0.3, 2.5*(b4-b3)/(b4+6*b3-7.5*b1+1), nan)")
	}
}

func mustCompile(t testing.TB, text string) *Program {
	t.Helper()
	program, err := compile(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return program
}

// compile compiles an expression for a hundred bands, which are known by number.
func compile(text string) (*Program, error) {
	source, err := Parse(text)
	if err != nil {
		return nil, err
	}
	return source.Compile(func(name string) (int, bool) { return BandNumber(name, 100) })
}
