package expression

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

// A treeEvaluator computes one pixel of a Source by walking its tree.
type treeEvaluator struct {
	source *Source
	value  func(band int) float64
}

func (e treeEvaluator) compute(at int32) float64 {
	n := &e.source.nodes[at]
	switch n.operation {
	case constant, truth:
		return n.value
	case band:
		number, _ := BandNumber(n.name, 100)
		return e.value(number)
	}
	var operands [maxOperands]float64
	for i := range definitions[n.operation].operands {
		operands[i] = e.compute(n.operands[i])
	}
	return n.operation.compute(operands[0], operands[1], operands[2])
}

// checkRun compares runs of a program, for both types of results, with the tree of its source.
func checkRun(t *testing.T, text string, values func(band, pixel int) float64, length int) {
	t.Helper()
	source, err := Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	program := mustCompile(t, text)
	var inputs []Plane
	for _, band := range program.Bands() {
		plane := make(Samples[float64], length)
		for pixel := range plane {
			plane[pixel] = values(band, pixel)
		}
		inputs = append(inputs, plane)
	}
	narrow, wide := make([]*Values[float32], program.Outputs()), make([]*Values[float64], program.Outputs())
	narrowResults, wideResults := make([]Result, program.Outputs()), make([]Result, program.Outputs())
	for i := range narrow {
		narrow[i] = &Values[float32]{make([]float32, length), fullValidity(length)}
		wide[i] = &Values[float64]{make([]float64, length), fullValidity(length)}
		narrowResults[i], wideResults[i] = narrow[i], wide[i]
	}
	if err := program.Run(inputs, narrowResults, length); err != nil {
		t.Fatal(err)
	}
	if err := program.Run(inputs, wideResults, length); err != nil {
		t.Fatal(err)
	}
	for pixel := range length {
		evaluator := treeEvaluator{source, func(band int) float64 { return values(band, pixel) }}
		for i, output := range source.outputs {
			want := math.Float64frombits(canonicalBits(evaluator.compute(output)))
			checkPixel(t, text, wide[i].Values[pixel], wide[i].Validity[pixel], want)
			checkPixel(t, text, float64(narrow[i].Values[pixel]), narrow[i].Validity[pixel], float64(float32(want)))
		}
	}
}

const someValidity = 200

func fullValidity(length int) []uint8 {
	return []uint8(strings.Repeat(string([]byte{someValidity}), length))
}

func checkPixel(t *testing.T, text string, got float64, validity uint8, want float64) {
	t.Helper()
	if math.Float64bits(got) != math.Float64bits(want) {
		t.Fatalf("%s is %v (%#x), want %v", text, got, math.Float64bits(got), want)
	}
	wantValidity := uint8(someValidity)
	if want != want || math.IsInf(want, 0) {
		wantValidity = 0
	}
	if validity != wantValidity {
		t.Fatalf("%s is %v with validity %d, want %d", text, got, validity, wantValidity)
	}
}

// All operations are computed for all pairs of special and ordinary numbers, with every combination
// of constant operands.
func TestRunEqualsTree(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(9, 10))
	const length = 3*vectorLength + 13
	planes := make([][]float64, 4)
	for i := range planes {
		for range length {
			planes[i] = append(planes[i], anyNumber(random))
		}
	}
	values := func(band, pixel int) float64 { return planes[band%4][pixel] }
	for o := range operationCount {
		for _, operands := range [][3]string{
			{"b1", "b2", "b3"}, {"b1", "b1", "b1"}, {"b1", "2", "b2"}, {"3", "b1", "-1"}, {"b1", "0.5", "nan"},
		} {
			if text := textOf(o, operands); text != "" {
				checkRun(t, text, values, length)
			}
		}
	}
	for _, text := range []string{
		"(b4-b3)/(b4+b3)",
		"2.5*(b3-b2)/(b3+6*b2-7.5*b1+1);b1*2;b2;b3/2",
		"where((b1>3)&(b2<=4)|~(b3==b4),sqrt(abs(b1)),-b2**2)",
		"where(b1,b2,b3)+where(b1>0,b2>0,b3>0)",
		"b1**3+b1**-2+b1**1.5+b1**0+b1**50+b1**51+b1**-0.5",
		"b1/4+b1/3+b1/-0.125+b1/0+4/b1",
		"1;True;nan;b1",
		"b1;b1;b1>2;b1",
		"clip(b1,-1,1)-clip(b1,b2,b3)",
		"b1//3+b1%3-b1//-2*(b1%-2)",
		"b1*b2+b3;b3+b1*b2*2;b1*b2-b3;b3-b1*b2",
		"(b1-b2)/(b1+b2);(b1-b2)/(b2+b1);(b1-b2)/(b1-b2);(b2-b1)/(b1+b2)+b1*b2",
		"(b1-b2)/(b1+b2);(b1-b2);b1*b2+b3;b1*b2",
		"min(b1,b2,b3,b4)-max(b1,b2,0)",
		"sin(b1)**2+cos(b1)**2;arctan2(b1,b2)*180/pi;10*log10(b1);exp(-b1)",
	} {
		for _, shorter := range []int{length, 0, 1, 7, 8, 9, vectorLength} {
			checkRun(t, text, values, shorter)
		}
	}
}

// textOf writes an operation with its operands, or returns "" if it takes none.
func textOf(o operation, operands [3]string) string {
	d := &definitions[o]
	if d.operandKind == boolean {
		for i := range operands {
			operands[i] = "(" + operands[i] + ">1)"
		}
	}
	switch {
	case d.operands == 0 || o > hypot:
		return ""
	case d.level == 0:
		return d.name + "(" + strings.Join(operands[:d.operands], ",") + ")"
	case d.operands == 1:
		return d.name + operands[0]
	}
	return "(" + operands[0] + ")" + d.name + operands[1]
}

func TestCommonSubexpressions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text         string
		instructions int
	}{
		{"(b1+b2)*(b1+b2)", 4},
		{"(b1+b2)*(b2+b1)", 4},
		{"b1**2+b1*b1", 3},
		{"(b1>b2)&(b2<b1)", 4},
		{"b1;b1;b1", 1},
		{"b1*(2+3*4)", 2},
		{"b1**4", 3},
		{"b1/4;b1*0.25", 2},
		{"(b1-b2)/(b2+b1)", 3},
		{"(b1-b2)/(b2+b1);b1-b2", 5},
		{"b1*2+b2;b1-3*b2", 4},
		{"b1*2+b2;b1*2", 4},
	} {
		if got := len(mustCompile(t, c.text).instructions); got != c.instructions {
			t.Errorf("%s has %d instructions, want %d", c.text, got, c.instructions)
		}
	}
}

func TestRegistersAreReused(t *testing.T) {
	t.Parallel()
	program := mustCompile(t, strings.Repeat("b1*b2-", 100)+"b3")
	if program.registers > 5 {
		t.Errorf("%d registers", program.registers)
	}
}

func TestRunRejectsMissingPlanes(t *testing.T) {
	t.Parallel()
	program := mustCompile(t, "b1+b2")
	four, three := Samples[uint8]{1, 2, 3, 4}, Samples[uint8]{1, 2, 3}
	to := &Values[float32]{Values: []float32{9, 9, 9, 9}}
	for name, err := range map[string]error{
		"one input":      program.Run([]Plane{four}, []Result{to}, 4),
		"no result":      program.Run([]Plane{four, four}, nil, 4),
		"a short input":  program.Run([]Plane{four, three}, []Result{to}, 4),
		"a short result": program.Run([]Plane{four, four}, []Result{&Values[float32]{to.Values, []uint8{1}}}, 4),
		"less than none": program.Run([]Plane{four, four}, []Result{to}, -1),
	} {
		if err == nil {
			t.Errorf("%s is no error", name)
		}
	}
	if got := fmt.Sprint(to.Values); got != "[9 9 9 9]" {
		t.Errorf("the result became %s", got)
	}
}

func TestConcurrentRuns(t *testing.T) {
	t.Parallel()
	program := mustCompile(t, "b1*2+b2")
	var group sync.WaitGroup
	for factor := range 8 {
		group.Go(func() {
			const length = 2000
			inputs := []Plane{make(Samples[uint16], length), make(Samples[float32], length)}
			for i := range length {
				inputs[0].(Samples[uint16])[i] = uint16(i * factor)
				inputs[1].(Samples[float32])[i] = float32(factor)
			}
			to := &Values[float64]{Values: make([]float64, length)}
			for range 20 {
				if err := program.Run(inputs, []Result{to}, length); err != nil {
					t.Error(err)
				}
				for i, got := range to.Values {
					if want := float64(2*i*factor + factor); got != want {
						t.Errorf("pixel %d is %v, want %v", i, got, want)
						return
					}
				}
			}
		})
	}
	group.Wait()
}
