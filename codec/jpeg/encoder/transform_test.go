package encoder

import (
	"math"
	"testing"
)

func TestTransformAgainstDefinition(t *testing.T) {
	for seed := range uint64(20) {
		pix := noise(64, seed)
		var samples words
		samples.load(pix, 8)
		var got coefficients
		transform(&got, &samples)
		for v := range 8 {
			for u := range 8 {
				want := cosineCoefficient(pix, u, v)
				coefficient := float64(got[8*v+u]) / (coefficientScales[u] * coefficientScales[v])
				if math.Abs(coefficient-want) > 0.35 {
					t.Errorf("seed %d: coefficient %d, %d is %.3f, want %.3f", seed, u, v, coefficient, want)
				}
			}
		}
	}
}

// cosineCoefficient computes the orthonormal transform by its definition.
func cosineCoefficient(pix []byte, u, v int) float64 {
	sum := 0.0
	for y := range 8 {
		for x := range 8 {
			sum += float64(pix[8*y+x]) * math.Cos(float64((2*x+1)*u)*math.Pi/16) * math.Cos(float64((2*y+1)*v)*math.Pi/16)
		}
	}
	if u == 0 {
		sum /= math.Sqrt2
	}
	if v == 0 {
		sum /= math.Sqrt2
	}
	return sum / 4
}

func TestColorConversion(t *testing.T) {
	for red := 0; red < 256; red += 15 {
		for green := 0; green < 256; green += 15 {
			for blue := 0; blue < 256; blue += 15 {
				r, g, b := float64(red), float64(green), float64(blue)
				v := toYCC(byte(red), byte(green), byte(blue))
				got := [3]float64{float64(v.luma()), float64(v.cb()), float64(v.cr())}
				want := [3]float64{
					0.299*r + 0.587*g + 0.114*b,
					128 - 0.168736*r - 0.331264*g + 0.5*b,
					128 + 0.5*r - 0.418688*g - 0.081312*b,
				}
				for lane := range got {
					if math.Abs(got[lane]-want[lane]) > 0.65 {
						t.Errorf("%d %d %d: lane %d is %v, want %.2f", red, green, blue, lane, got[lane], want[lane])
					}
				}
				if sum := 4 * v; sum.cbMean() != v.cb() || sum.crMean() != v.cr() {
					t.Errorf("%d %d %d: the mean of four equal pixels is %d %d, want %v", red, green, blue, sum.cbMean(), sum.crMean(), got[1:])
				}
			}
		}
	}
}
