package expression

import (
	"fmt"
	"math"
	"testing"
)

func TestSamplesOfAllTypes(t *testing.T) {
	t.Parallel()
	checkSamples(t, []uint8{0, 1, 127, 128, 255})
	checkSamples(t, []int8{-128, -1, 0, 1, 127})
	checkSamples(t, []uint16{0, 1, 32767, 32768, 65535})
	checkSamples(t, []int16{-32768, -1, 0, 1, 32767})
	checkSamples(t, []uint32{0, 1, 1<<31 - 1, 1 << 31, 1<<32 - 1})
	checkSamples(t, []int32{-1 << 31, -1, 0, 1, 1<<31 - 1})
	checkSamples(t, []uint64{0, 1, 1<<53 + 1, 1<<64 - 1})
	checkSamples(t, []int64{-1 << 63, -1, 0, 1<<53 + 1, 1<<63 - 1})
	checkSamples(t, []float32{0, -1.5, 1e38, 1e-45, float32(math.Inf(-1)), float32(math.NaN())})
	checkSamples(t, []float64{0, -1.5, 1e308, 5e-324, math.Inf(1), math.NaN()})
}

func checkSamples[T Sample](t *testing.T, some []T) {
	t.Helper()
	const length = 41
	samples := make(Samples[T], length)
	for i := range samples {
		samples[i] = some[i%len(some)]
	}
	const scale, offset = 0.1, -3.7
	for _, at := range []int{0, 1, 33, 41} {
		got, scaled := make([]float64, length-at), make([]float64, length-at)
		samples.Load(got, at)
		(&Scaled{samples, scale, offset}).Load(scaled, at)
		for i := range got {
			want := float64(samples[at+i])
			if canonicalBits(got[i]) != canonicalBits(want) {
				t.Errorf("%T: sample %d is %v, want %v", some, at+i, got[i], want)
			}
			if want = float64(want*scale) + offset; canonicalBits(scaled[i]) != canonicalBits(want) {
				t.Errorf("%T: sample %d becomes %v, want %v", some, at+i, scaled[i], want)
			}
		}
	}
}

// A value that is finite in 64 bits but not in 32 is not valid in 32.
func TestValidityOfStoredValues(t *testing.T) {
	t.Parallel()
	program := mustCompile(t, "b1*b1;1/b1")
	validity := []uint8{255, 255, 255, 9}
	wide := &Values[float64]{Values: make([]float64, 4)}
	narrow := &Values[float32]{Values: make([]float32, 4), Validity: validity}
	inputs := []Plane{Samples[float32]{0, 3, 1e20, 1}}
	if err := program.Run(inputs, []Result{narrow, wide}, 4); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(validity), "[255 255 0 9]"; got != want {
		t.Errorf("the validity is %s, want %s", got, want)
	}
	if err := program.Run(inputs, []Result{narrow, &Values[float64]{wide.Values, validity}}, 4); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(validity), "[0 255 0 9]"; got != want {
		t.Errorf("the shared validity is %s, want %s", got, want)
	}
}
