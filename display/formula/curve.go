package formula

import "math"

// A Curve maps the values of a channel, from 0 for black to 1 for white. It is monotonic.
type Curve struct {
	steps []curveStep
}

// A curveStep is one operation of a curve.
type curveStep interface {
	at(x float64) float64
}

// newCurve returns the curve of a channel, or nil if no operation applies to it. The operations
// must not include a saturation.
func newCurve(operations []operation, channel int) *Curve {
	var steps []curveStep
	for _, o := range operations {
		if o.channels>>channel&1 != 0 {
			steps = append(steps, newCurveStep(o))
		}
	}
	if steps == nil {
		return nil
	}
	return &Curve{steps}
}

// At returns the new value of x. It clamps x to 0 to 1 and treats NaN as black.
func (c *Curve) At(x float64) float64 {
	x = clamp(x)
	for _, step := range c.steps {
		x = clamp(step.at(x))
	}
	return x
}

func clamp(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	return min(x, 1)
}

func newCurveStep(o operation) curveStep {
	if o.kind == gamma {
		return gammaStep{1 / o.value}
	}
	contrast := math.Abs(o.value)
	s := sigmoid{contrast: contrast, bias: o.bias}
	s.black, s.white = logistic(-float64(contrast*o.bias)), logistic(float64(contrast*(1-o.bias)))
	s.aboveWhite = logistic(-float64(contrast * (1 - o.bias)))
	if o.value < 0 {
		return inverseSigmoid{s}
	}
	return s
}

type gammaStep struct{ exponent float64 }

func (g gammaStep) at(x float64) float64 { return power(x, g.exponent) }

// sigmoid is the logistic function centered on the bias, scaled so that black and white are fixed.
type sigmoid struct {
	contrast, bias float64
	black, white   float64 // before scaling
	aboveWhite     float64 // distance from white to 1
}

func (s sigmoid) at(x float64) float64 {
	return (logistic(float64(s.contrast*(x-s.bias))) - s.black) / (s.white - s.black)
}

// inverseSigmoid is the inverse of a sigmoid, which reduces contrast. The distance to 1 is computed
// separately, because 1 minus a value near white would lose precision.
type inverseSigmoid struct{ sigmoid }

func (s inverseSigmoid) at(x float64) float64 {
	span := s.white - s.black
	from0, to1 := s.black+float64(x*span), s.aboveWhite+float64((1-x)*span)
	return s.bias + logarithm(from0/to1)/s.contrast
}
