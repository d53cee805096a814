package expression

import (
	"math"
	"testing"
)

var fuzzSeeds = []string{
	"(b4-b3)/(b4+b3)", "where(b1>100, b2, 0)", "b1*2;b2;b3/2", "(b1>3) & (b2>4) | ~(b3!=b1)",
	"not b1<2 and b2>=1 or b3==4", "-b1**-2**b2", "clip(min(b1,b2,b3),0,1e-3)", "`b1`+\"b2\"*'b3'",
	"where(isnan(b1),nan,inf)+pi*e", "10*log10(b1)%3//2", "((((b1))))", "b1>3&b2>4", "1e400", "True&False",
	"arctan2(b1,b2)+hypot(b1,b2)+b1**0.3", "1-2-b1*-0", "größe+1", ";", "b1**50/8",
}

// FuzzParse compiles every valid text, and then its canonical form.
func FuzzParse(f *testing.F) {
	for _, seed := range fuzzSeeds {
		f.Add(seed)
	}
	anyBand := func(name string) (int, bool) { return len(name) % 7, true }
	f.Fuzz(func(t *testing.T, text string) {
		source, err := Parse(text)
		if err != nil {
			return
		}
		program, err := source.Compile(anyBand)
		if err != nil {
			return
		}
		again, err := Parse(program.String())
		if err != nil {
			t.Fatalf("%q becomes %q: %v", text, program.String(), err)
		}
		same, err := again.Compile(anyBand)
		if err != nil {
			t.Fatalf("%q becomes %q: %v", text, program.String(), err)
		}
		if same.String() != program.String() {
			t.Errorf("%q becomes %q, and that %q", text, program.String(), same.String())
		}
	})
}

// FuzzRun compares a run with the tree of the source.
func FuzzRun(f *testing.F) {
	for _, seed := range fuzzSeeds {
		f.Add(seed, 1.5, -3.0, math.Inf(1), 41)
	}
	f.Fuzz(func(t *testing.T, text string, a, b, c float64, length int) {
		if _, err := compile(text); err != nil || length < 0 || length > 3*vectorLength {
			return
		}
		some := []float64{a, b, c, 0, 1, math.NaN(), a - b, b / c}
		checkRun(t, text, func(band, pixel int) float64 { return some[(band+pixel)%len(some)] }, length)
	})
}
