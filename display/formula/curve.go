package formula

import "math"

// Curve takes the values of a channel, from 0 for black to 1 for white, to other ones. It never falls.
type Curve struct {
	bends []bend
}

// bend is one operation of a curve.
type bend interface {
	at(x float64) float64
}

// newCurve is that of a channel through operations, none of which is a saturation; nil if none is for the channel.
func newCurve(operations []operation, channel int) *Curve {
	var bends []bend
	for _, o := range operations {
		if o.channels>>channel&1 != 0 {
			bends = append(bends, newBend(o))
		}
	}
	if bends == nil {
		return nil
	}
	return &Curve{bends}
}

// At is the value that x becomes. What lies beside 0 to 1 is as the nearer of them, and what is no number is black.
func (c *Curve) At(x float64) float64 {
	x = clamp(x)
	for _, b := range c.bends {
		x = clamp(b.at(x))
	}
	return x
}

func clamp(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	return min(x, 1)
}

func newBend(o operation) bend {
	if o.kind == gamma {
		return gammaBend{1 / o.value}
	}
	contrast := math.Abs(o.value)
	s := sigmoid{contrast: contrast, bias: o.bias}
	s.black, s.white = logistic(-float64(contrast*o.bias)), logistic(float64(contrast*(1-o.bias)))
	s.aboveWhite = logistic(-float64(contrast * (1 - o.bias)))
	if o.value < 0 {
		return unsigmoid{s}
	}
	return s
}

type gammaBend struct{ exponent float64 }

func (g gammaBend) at(x float64) float64 { return power(x, g.exponent) }

// sigmoid is the logistic function around the bias, stretched so that black and white stay what they are.
type sigmoid struct {
	contrast, bias float64
	black, white   float64 // before they are stretched
	aboveWhite     float64 // from white to 1
}

func (s sigmoid) at(x float64) float64 {
	return (logistic(float64(s.contrast*(x-s.bias))) - s.black) / (s.white - s.black)
}

// unsigmoid is the way back from a sigmoid, which takes contrast away. The distance to 1 is added up by itself: there is
// little left of it near white.
type unsigmoid struct{ sigmoid }

func (s unsigmoid) at(x float64) float64 {
	span := s.white - s.black
	from0, to1 := s.black+float64(x*span), s.aboveWhite+float64((1-x)*span)
	return s.bias + logarithm(from0/to1)/s.contrast
}
