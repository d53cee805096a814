package formula

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func mustParse(t testing.TB, text string) *Formula {
	t.Helper()
	f, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestParse(t *testing.T) {
	tests := []struct{ text, want string }{
		{"gamma R 3.5, saturation 1.7, sigmoidal RGB 15 0.35", "gamma r 3.5, saturation 1.7, sigmoidal rgb 15 0.35"},
		{"gamma R 3.5 saturation 1.7 sigmoidal RGB 15 0.35", "gamma r 3.5, saturation 1.7, sigmoidal rgb 15 0.35"},
		{"gamma R 3.5,saturation 1.7,sigmoidal RGB 15 0.35", "gamma r 3.5, saturation 1.7, sigmoidal rgb 15 0.35"},
		{"  Gamma\tbgr  3.50,\n", "gamma rgb 3.5"},
		{"GAMMA r,g,b 0.95, sigmoidal r,g,b 35 .13", "gamma rgb 0.95, sigmoidal rgb 35 0.13"},
		{"gamma 1,3 2", "gamma rb 2"},
		{"gamma rrr 2", "gamma r 2"},
		{"gamma g 2e0", "gamma g 2"},
		{"sigmoidal rgb -10 0.15", "sigmoidal rgb -10 0.15"},
		{"sigmoidal b 3 -0", "sigmoidal b 3 0"},
		{"saturation 0", "saturation 0"},
		{"gamma rgb 1", ""},
		{"gamma rgb 1, saturation 1.0, sigmoidal rgb 0 0.5", ""},
		{"gamma rgb 1, saturation 2, sigmoidal rgb -1e-9 0.5", "saturation 2"},
	}
	for _, test := range tests {
		f, err := Parse(test.text)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		if got := f.String(); got != test.want || f.IsIdentity() != (got == "") {
			t.Errorf("%q is %q, identity %t; want %q", test.text, got, f.IsIdentity(), test.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "no operation"},
		{" , ", "no operation"},
		{"foob 123", `operation 1: "foob" is not gamma, sigmoidal or saturation`},
		{"gamma rgb 2, hue 3", `operation 2: "hue" is not`},
		{"gamma", "gamma: no bands"},
		{"gamma rgb", "gamma: no value"},
		{"gamma rgb 2 3", `operation 2: "3" is not`},
		{"gamma 2", "gamma: no value"},
		{"gamma 0.95", "bands"},
		{"gamma rgba 2", `bands "rgba"`},
		{"gamma 7,8,9 1.05", "bands"},
		{"gamma r, g, b 2", `value "g" is not a number`},
		{"gamma rgb 0", "gamma: value 0 is not from 0.001 to 1000"},
		{"gamma rgb -2", "gamma: value -2 is not from"},
		{"gamma rgb NaN", `"NaN" is not a number`},
		{"gamma rgb inf", `"inf" is not a number`},
		{"gamma rgb 1e999", "is not a number"},
		{"gamma rgb 0x1p1", "is not a number"},
		{"sigmoidal rgb 3", "sigmoidal: no bias"},
		{"sigmoidal rgb 3 1.5", "sigmoidal: bias 1.5 is not from 0 to 1"},
		{"sigmoidal rgb 1000 0.5", "sigmoidal: contrast 1000 is not from -100 to 100"},
		{"saturation", "saturation: no proportion"},
		{"saturation rgb 2", "saturation: proportion"},
		{"saturation -1", "saturation: proportion -1 is not from 0 to 100"},
		{strings.Repeat("gamma r 2 ", 17), "more than 16 operations"},
		{strings.Repeat(" ", 513), "513 bytes exceed the limit of 512"},
	}
	for _, test := range tests {
		if _, err := Parse(test.text); !errors.Is(err, ErrFormula) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.40q says %v, want %q", test.text, err, test.want)
		}
	}
}

func TestCurves(t *testing.T) {
	tests := []struct {
		text    string
		channel int
		x, want float64
	}{
		{"gamma rgb 0.95", 0, 10. / 255, 0.03306978634149929},
		{"gamma rgb 2", 1, 0.25, 0.5},
		{"gamma rgb 0.5", 2, 0.25, 0.0625},
		{"sigmoidal rgb 10 0.15", 0, 10. / 255, 0.08056033956104551},
		{"sigmoidal rgb -10 0.15", 0, 10. / 255, 0.020186636349481236},
		{"sigmoidal rgb 10 0", 0, 10. / 255, 0.19362120415642267},
		{"sigmoidal rgb 5 0.5", 0, 0.5, 0.5},
		{"gamma r 2, sigmoidal rgb 10 0.15", 0, 0.16, 0.9074413595688368},
		{"sigmoidal rgb 10 0.15, gamma r 2", 0, 0.16, 0.6473731497381803},
		{"gamma r 2, sigmoidal rgb 10 0.15", 1, 0.16, 0.41909199500193245},
		{"gamma g 2, saturation 3, gamma g 4", 1, 0.25, 0.5},
	}
	for _, test := range tests {
		got := mustParse(t, test.text).Curve(test.channel).At(test.x)
		if math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%s: channel %d takes %g to %.17g, want %.17g", test.text, test.channel, test.x, got, test.want)
		}
	}
}

func TestMissingCurves(t *testing.T) {
	f := mustParse(t, "gamma r 2, saturation 3, gamma g 4")
	if f.Curve(0) == nil || f.Curve(1) != nil || f.Curve(2) != nil || f.Mixer() == nil || !f.Saturates() {
		t.Error("curves belong to the wrong channel")
	}
	f = mustParse(t, "gamma rgb 1")
	if f.Curve(0) != nil || f.Mixer() != nil || f.Saturates() {
		t.Error("the identity changes something")
	}
}

// However steep a curve is, black and white are fixed, it is monotonic, and its inverse undoes it.
func TestCurvesAreMonotonic(t *testing.T) {
	for _, text := range []string{
		"gamma rgb 0.001", "gamma rgb 1000", "gamma rgb 3.5",
		"sigmoidal rgb 100 0", "sigmoidal rgb 100 1", "sigmoidal rgb 100 0.5", "sigmoidal rgb 1e-6 0.5",
		"sigmoidal rgb -100 0", "sigmoidal rgb -100 1", "sigmoidal rgb -100 0.5", "sigmoidal rgb -2e-6 1",
		"sigmoidal rgb 7 0.2, gamma rgb 2, sigmoidal rgb -9 0.7",
	} {
		curve := mustParse(t, text).Curve(0)
		if black, white := curve.At(0), curve.At(1); black > 1e-15 || white < 1-1e-13 {
			t.Errorf("%s: black is %g, white is %.17g", text, black, white)
		}
		last := 0.
		for i := range 10001 {
			at := curve.At(float64(i) / 10000)
			if !(at >= last-1e-9) || at > 1 {
				t.Fatalf("%s: %g after %g at %d", text, at, last, i)
			}
			last = at
		}
	}
	curve := mustParse(t, "gamma rgb 2").Curve(0)
	for x, want := range map[float64]float64{-1: 0, 2: 1, math.Inf(1): 1, math.Inf(-1): 0} {
		if got := curve.At(x); got != want {
			t.Errorf("%g is %g, want %g", x, got, want)
		}
	}
	if got := curve.At(math.NaN()); got != 0 {
		t.Errorf("NaN is %g", got)
	}
}

func TestInverseOperations(t *testing.T) {
	for _, text := range []string{"gamma r 3.5", "sigmoidal r 15 0.35", "sigmoidal r -15 0.35", "sigmoidal r 30 0.9", "sigmoidal r 4 0"} {
		o := mustParse(t, text).operations[0]
		there, back := newCurve([]operation{o}, 0), newCurve([]operation{o.inverse()}, 0)
		for i := range 257 {
			x := float64(i) / 256
			if got := back.At(there.At(x)); math.Abs(got-x) > 1e-6 {
				t.Errorf("%s round trip: %g is %g", text, x, got)
			}
		}
	}
}

func TestExponentialAndLogarithm(t *testing.T) {
	for i := -7450; i <= 7090; i++ {
		x := float64(i) / 10
		want := math.Exp(x)
		if got := exponential(x); math.Abs(got-want) > 3e-13*want+5e-324 {
			t.Errorf("e^%g is %g, want %g", x, got, want)
		}
	}
	for _, x := range []float64{-746, -1e300, math.Inf(-1)} {
		if got := exponential(x); got != 0 {
			t.Errorf("e^%g is %g", x, got)
		}
	}
	if got := exponential(1000); !math.IsInf(got, 1) {
		t.Errorf("e^1000 is %g", got)
	}
	for x := 1e-300; x < 1e300; x *= 1.37 {
		if got, want := logarithm(x), math.Log(x); math.Abs(got-want) > 2e-15*max(1, math.Abs(want)) {
			t.Errorf("logarithm of %g is %g, want %g", x, got, want)
		}
	}
	for i := range 1001 {
		base := float64(i) / 1000
		for _, exponent := range []float64{1. / 3, 1 / 2.4, 2.4, 3.5} {
			if got, want := power(base, exponent), math.Pow(base, exponent); math.Abs(got-want) > 4e-15 {
				t.Errorf("%g^%g is %g, want %g", base, exponent, got, want)
			}
		}
	}
}

// The canonical form of a parsed formula parses to the same formula.
func FuzzParse(f *testing.F) {
	f.Add("gamma R 3.5, saturation 1.7, sigmoidal RGB 15 0.35")
	f.Add("GAMMA r,g,b 0.95, sigmoidal 1,2,3 -35 .13")
	f.Add("saturation 1 saturation 0,saturation 1e2")
	f.Add("gamma rgb 1e-2 gamma rgb +7.")
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := Parse(text)
		if err != nil {
			if !errors.Is(err, ErrFormula) {
				t.Fatalf("%v is not ErrFormula", err)
			}
			return
		}
		for channel := range 3 {
			if curve := parsed.Curve(channel); curve != nil {
				if at := curve.At(0.4); !(at >= 0 && at <= 1) {
					t.Fatalf("%q takes 0.4 to %g", text, at)
				}
			}
		}
		if rest := parsed.Mixer(); rest != nil {
			rest.Apply([]uint8{0, 100, 255, 1, 200, 30, 7, 2}, 4)
		}
		canonical := parsed.String()
		if canonical == "" || len(canonical) > maxBytes {
			return
		}
		again, err := Parse(canonical)
		if err != nil || again.String() != canonical {
			t.Fatalf("%q is %q and then %v, %v", text, canonical, again, err)
		}
	})
}
