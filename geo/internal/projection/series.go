package projection

import "math"

// sineSeries is Σ c[j]·sin(2(j+1)θ), the form that expresses one auxiliary latitude by another.
type sineSeries [6]float64

// at sums the series by Clenshaw's recurrence.
func (c *sineSeries) at(sin2, cos2 float64) float64 {
	u := 2 * cos2
	b5 := c[5]
	b4 := u*b5 + c[4]
	b3 := u*b4 - b5 + c[3]
	b2 := u*b3 - b4 + c[2]
	b1 := u*b2 - b3 + c[1]
	b0 := u*b1 - b2 + c[0]
	return sin2 * b0
}

// atComplex sums the series for the complex angle ξ+iη, given sin 2ξ, cos 2ξ, sinh 2η, cosh 2η.
func (c *sineSeries) atComplex(sin2, cos2, sinh2, cosh2 float64) (re, im float64) {
	ar, ai := 2*cos2*cosh2, -2*sin2*sinh2
	hr, hi := c[5], 0.0
	var h1r, h1i float64
	for j := 4; j >= 0; j-- {
		nr := ar*hr - ai*hi - h1r + c[j]
		ni := ar*hi + ai*hr - h1i
		h1r, h1i, hr, hi = hr, hi, nr, ni
	}
	r, i := sin2*cosh2, cos2*sinh2
	return r*hr - i*hi, r*hi + i*hr
}

// add evaluates latitude + series(latitude).
func (c *sineSeries) add(latitude float64) float64 {
	sin, cos := math.Sincos(2 * latitude)
	return latitude + c.at(sin, cos)
}

// powers fills a series from polynomials in the third flattening n; row j starts at n^(j+1).
func powers(n float64, rows [6][]float64) sineSeries {
	var series sineSeries
	factor := 1.0
	for j, row := range rows {
		factor *= n
		sum := 0.0
		for i := len(row) - 1; i >= 0; i-- {
			sum = sum*n + row[i]
		}
		series[j] = factor * sum
	}
	return series
}

func (e Ellipsoid) thirdFlattening() float64 {
	f := e.Flattening()
	return f / (2 - f)
}

// conformalFromGeodetic and its inverse are the expansions of Krüger (1912), extended to n⁶.
func (e Ellipsoid) conformalFromGeodetic() sineSeries {
	return powers(e.thirdFlattening(), [6][]float64{
		{-2, 2. / 3, 4. / 3, -82. / 45, 32. / 45, 4642. / 4725},
		{5. / 3, -16. / 15, -13. / 9, 904. / 315, -1522. / 945},
		{-26. / 15, 34. / 21, 8. / 5, -12686. / 2835},
		{1237. / 630, -12. / 5, -24832. / 14175},
		{-734. / 315, 109598. / 31185},
		{444337. / 155925},
	})
}

func (e Ellipsoid) geodeticFromConformal() sineSeries {
	return powers(e.thirdFlattening(), [6][]float64{
		{2, -2. / 3, -2, 116. / 45, 26. / 45, -2854. / 675},
		{7. / 3, -8. / 5, -227. / 45, 2704. / 315, 2323. / 945},
		{56. / 15, -136. / 35, -1262. / 105, 73814. / 2835},
		{4279. / 630, -332. / 35, -399572. / 14175},
		{4174. / 315, -144838. / 6237},
		{601676. / 22275},
	})
}

// rectifyingFromConformal and its inverse convert between the spherical and the ellipsoidal
// transverse Mercator.
func (e Ellipsoid) rectifyingFromConformal() sineSeries {
	return powers(e.thirdFlattening(), [6][]float64{
		{1. / 2, -2. / 3, 5. / 16, 41. / 180, -127. / 288, 7891. / 37800},
		{13. / 48, -3. / 5, 557. / 1440, 281. / 630, -1983433. / 1935360},
		{61. / 240, -103. / 140, 15061. / 26880, 167603. / 181440},
		{49561. / 161280, -179. / 168, 6601661. / 7257600},
		{34729. / 80640, -3418889. / 1995840},
		{212378941. / 319334400},
	})
}

func (e Ellipsoid) conformalFromRectifying() sineSeries {
	return powers(e.thirdFlattening(), [6][]float64{
		{-1. / 2, 2. / 3, -37. / 96, 1. / 360, 81. / 512, -96199. / 604800},
		{-1. / 48, -1. / 15, 437. / 1440, -46. / 105, 1118711. / 3870720},
		{-17. / 480, 37. / 840, 209. / 4480, -5569. / 90720},
		{-4397. / 161280, 11. / 504, 830251. / 7257600},
		{-4583. / 161280, 108847. / 3991680},
		{-20648693. / 638668800},
	})
}

// rectifyingFromGeodetic and its inverse give the length of the meridian.
func (e Ellipsoid) rectifyingFromGeodetic() sineSeries {
	return powers(e.thirdFlattening(), [6][]float64{
		{-3. / 2, 0, 9. / 16, 0, -3. / 32},
		{15. / 16, 0, -15. / 32, 0, 135. / 2048},
		{-35. / 48, 0, 105. / 256},
		{315. / 512, 0, -189. / 512},
		{-693. / 1280},
		{1001. / 2048},
	})
}

func (e Ellipsoid) geodeticFromRectifying() sineSeries {
	return powers(e.thirdFlattening(), [6][]float64{
		{3. / 2, 0, -27. / 32, 0, 269. / 512},
		{21. / 16, 0, -55. / 32, 0, 6759. / 4096},
		{151. / 96, 0, -417. / 128},
		{1097. / 512, 0, -15543. / 2560},
		{8011. / 2560},
		{293393. / 61440},
	})
}

// rectifyingRadius returns the radius of the sphere whose meridian is as long as the ellipsoid's.
func (e Ellipsoid) rectifyingRadius() float64 {
	n := e.thirdFlattening()
	n2 := n * n
	return e.SemiMajorAxis / (1 + n) * (1 + n2*(1./4+n2*(1./64+n2/256)))
}
