package terrain

import "math"

// The functions in this file replace those of package math, whose rounding differs between
// machines.

const degreesPerRadian = 180 / math.Pi

// arctangents holds the coefficients of (arctan(t)/t - 1)/t² as a polynomial in t², for t up to 1.
// They interpolate at Chebyshev nodes. The error of an angle is below 1e-7 degrees.
var arctangents = [10]float64{
	-0.3333333311559886, 0.19999954696306332, -0.14284142855505985, 0.11089655530381055, -0.08938857289224444,
	0.07051899459648331, -0.04929507080385459, 0.026632050047242395, -0.009317306335780477, 0.0015267278115330216,
}

// angle returns the angle opposite the first leg of a right triangle, in degrees from 0 to 90. The
// legs must not be negative or both zero.
func angle(opposite, adjacent float64) float64 {
	if opposite > adjacent {
		return 90 - smallAngle(adjacent/opposite)
	}
	return smallAngle(opposite / adjacent)
}

// smallAngle returns the angle of a tangent from 0 to 1. The sum has independent parts, which
// processors compute in parallel.
func smallAngle(tangent float64) float64 {
	a := &arctangents
	x1 := float64(tangent * tangent)
	x2 := float64(x1 * x1)
	x4 := float64(x2 * x2)
	low := (a[0] + float64(x1*a[1])) + float64(x2*(a[2]+float64(x1*a[3])))
	middle := (a[4] + float64(x1*a[5])) + float64(x2*(a[6]+float64(x1*a[7])))
	high := a[8] + float64(x1*a[9])
	sum := low + float64(x4*(middle+float64(x4*high)))
	return float64((tangent + float64(tangent*float64(x1*sum))) * degreesPerRadian)
}

// sine returns the sine of an angle from -360 to 360 degrees.
func sine(degrees float64) float64 {
	if degrees < 0 {
		return -sine(-degrees)
	}
	switch quarter := math.Floor((degrees + 45) / 90); quarter {
	case 0, 4:
		return smallSine(degrees - float64(90*quarter))
	case 1:
		return smallCosine(degrees - 90)
	case 2:
		return -smallSine(degrees - 180)
	default:
		return -smallCosine(degrees - 270)
	}
}

// cosine returns the cosine of an angle from -270 to 360 degrees.
func cosine(degrees float64) float64 {
	return sine(90 - degrees)
}

// smallSine and smallCosine are Taylor sums. They are exact to a float64 for angles up to 45
// degrees.

func smallSine(degrees float64) float64 {
	x := degrees / degreesPerRadian
	square := float64(x * x)
	sum := 1.
	for k := 16.; k > 0; k -= 2 {
		sum = 1 - float64(float64(square*sum)/(k*(k+1)))
	}
	return float64(x * sum)
}

func smallCosine(degrees float64) float64 {
	x := degrees / degreesPerRadian
	square := float64(x * x)
	sum := 1.
	for k := 15.; k > 0; k -= 2 {
		sum = 1 - float64(float64(square*sum)/(k*(k+1)))
	}
	return sum
}
