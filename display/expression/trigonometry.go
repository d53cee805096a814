package expression

import "math"

// The coefficients of (sin(x)-x)/x^3 and of (cos(x)-1+x^2/2)/x^4, in powers of x^2.
var (
	sineTerms = [...]float64{
		-1. / 6, 1. / 120, -1. / 5040, 1. / 362880, -1. / 39916800, 1. / 6227020800,
		-1. / 1307674368000, 1. / 355687428096000,
	}
	cosineTerms = [...]float64{
		1. / 24, -1. / 720, 1. / 40320, -1. / 3628800, 1. / 479001600, -1. / 87178291200,
		1. / 20922789888000, -1. / 6402373705728000,
	}
)

// sineOf and cosineOf take an angle of at most an eighth of a turn and its rounding error.
func sineOf(x, lost float64) float64 {
	squared := float64(x * x)
	cubic := float64(float64(squared*x) * series(squared, sineTerms[:]))
	return x + (cubic + float64(lost*(1-float64(0.5*squared))))
}

func cosineOf(x, lost float64) float64 {
	squared := float64(x * x)
	half := float64(0.5 * squared)
	head := 1 - half
	tail := float64(float64(squared*squared)*series(squared, cosineTerms[:])) - float64(x*lost)
	return head + (((1 - head) - half) + tail)
}

func sine(x float64) float64 {
	if x == 0 {
		return x // the sum would lose the sign of zero
	}
	quarters, angle, lost := reduceAngle(x)
	return sineInQuarter(quarters, angle, lost)
}

func cosine(x float64) float64 {
	quarters, angle, lost := reduceAngle(x)
	return sineInQuarter(quarters+1, angle, lost)
}

func tangent(x float64) float64 {
	if x == 0 {
		return x
	}
	quarters, angle, lost := reduceAngle(x)
	return sineInQuarter(quarters, angle, lost) / sineInQuarter(quarters+1, angle, lost)
}

// sineInQuarter returns the sine of an angle plus a number of quarter turns.
func sineInQuarter(quarters int, angle, lost float64) float64 {
	switch quarters & 3 {
	case 0:
		return sineOf(angle, lost)
	case 1:
		return cosineOf(angle, lost)
	case 2:
		return -sineOf(angle, lost)
	default:
		return -cosineOf(angle, lost)
	}
}

// arctangents holds the arctangents of multiples of 1/8.
var arctangents = [9]float64{
	0,
	0.1243549945467614350313548491638710255732,
	0.2449786631268641541720824812112758109141,
	0.3587706702705722203959200639264604997770,
	0.4636476090008061162142562314612144020285,
	0.5585993153435624359715082164016612703464,
	0.6435011087932843868028092287173226380415,
	0.7188299996216245054170141515259046539514,
	0.7853981633974483096156608458198757210493,
}

// The coefficients of (arctan(x)-x)/x^3, in powers of x^2.
var arctangentTerms = [...]float64{-1. / 3, 1. / 5, -1. / 7, 1. / 9, -1. / 11, 1. / 13, -1. / 15, 1. / 17}

const (
	halfPiHigh = 0x1.921fb54442d18p+0
	halfPiLow  = math.Pi/2 - halfPiHigh
)

func arctangent(x float64) float64 {
	if x == 0 || x != x {
		return x
	}
	size := math.Abs(x)
	if size > 1 {
		return math.Copysign(halfPiHigh-(smallArctangent(1/size)-halfPiLow), x)
	}
	return math.Copysign(smallArctangent(size), x)
}

// smallArctangent returns the arctangent of a number from 0 to 1. It adds the known arctangent of
// the nearest multiple of 1/8 and that of the tangent of the difference.
func smallArctangent(x float64) float64 {
	eighths := math.RoundToEven(8 * x)
	step := eighths / 8
	t := (x - step) / (1 + float64(x*step))
	squared := float64(t * t)
	return arctangents[int(eighths)] + (t + float64(float64(squared*t)*series(squared, arctangentTerms[:])))
}

// arctangent2 returns the angle of the point (x, y).
func arctangent2(y, x float64) float64 {
	switch {
	case x != x || y != y:
		return math.NaN()
	case y == 0:
		if math.Signbit(x) {
			return math.Copysign(math.Pi, y)
		}
		return y
	case x == 0:
		return math.Copysign(math.Pi/2, y)
	case math.IsInf(x, 0) && math.IsInf(y, 0):
		return arctangent2(math.Copysign(1, y), math.Copysign(1, x))
	}
	angle := arctangent(math.Abs(y / x))
	if x < 0 {
		angle = math.Pi - angle
	}
	return math.Copysign(angle, y)
}

func arcsine(x float64) float64 {
	if x == 0 {
		return x
	}
	return arctangent2(x, math.Sqrt(float64((1-x)*(1+x))))
}

func arccosine(x float64) float64 {
	return arctangent2(math.Sqrt(float64((1-x)*(1+x))), x)
}
