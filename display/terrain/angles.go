package terrain

import "math"

// The functions of angles are here and not those of package math, which round differently from machine to machine.

const degreesPerRadian = 180 / math.Pi

// arctangents are the coefficients of (arctan(t)/t - 1)/t² as a polynomial of t², for t up to 1: an interpolation in the
// nodes of Chebyshev, which makes angles that are off by less than 1e-7 degrees.
var arctangents = [10]float64{
	-0.3333333311559886, 0.19999954696306332, -0.14284142855505985, 0.11089655530381055, -0.08938857289224444,
	0.07051899459648331, -0.04929507080385459, 0.026632050047242395, -0.009317306335780477, 0.0015267278115330216,
}

// angle is that between the legs of a right-angled triangle, opposite the first: in degrees from 0 to 90. Neither leg is
// negative, and one at least is not zero.
func angle(opposite, adjacent float64) float64 {
	if opposite > adjacent {
		return 90 - smallAngle(adjacent/opposite)
	}
	return smallAngle(opposite / adjacent)
}

// smallAngle is that of a tangent from 0 to 1. The parts of the sum do not wait for one another.
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

// sine is that of an angle from -360 to 360 degrees.
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

// cosine is that of an angle from -270 to 270 degrees, or up to 360 where it is not negative.
func cosine(degrees float64) float64 {
	return sine(90 - degrees)
}

// The two that follow are sums of Taylor, exact to a double for angles of up to 45 degrees.

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
