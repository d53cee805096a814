package projection

import "math"

// geodesic finds shortest lines on the ellipsoid. It follows Karney, "Algorithms for geodesics"
// (2013), to the sixth order: a line is an arc of a great circle on a sphere of reduced latitudes,
// and series correct the length of the arc and the longitudes on it.
type geodesic struct {
	flattening, third float64 // f and n
	semiMinorAxis     float64
	second            float64 // second eccentricity squared
}

func newGeodesic(ellipsoid Ellipsoid) geodesic {
	e2 := ellipsoid.EccentricitySquared()
	return geodesic{
		flattening: ellipsoid.Flattening(), third: ellipsoid.thirdFlattening(),
		semiMinorAxis: ellipsoid.SemiMajorAxis * (1 - ellipsoid.Flattening()),
		second:        e2 / (1 - e2),
	}
}

// reduced returns the sine and cosine of the reduced latitude.
func (g *geodesic) reduced(latitude float64) (sin, cos float64) {
	sin, cos = math.Sincos(latitude)
	sin *= 1 - g.flattening
	length := math.Hypot(sin, cos)
	return sin / length, cos / length
}

// arc is a great circle by the sine of its azimuth α0 at the equator. Angles σ count along the
// circle from where it crosses the equator to the north. The expansion parameter is ε.
type arc struct {
	*geodesic
	sinEquatorial, cosEquatorial float64
	expansion                    float64

	correction  float64    // f·sin α0·A3
	toLongitude sineSeries // C3
}

func (g *geodesic) arc(sinEquatorial, cosEquatorial float64) arc {
	k2 := g.second * cosEquatorial * cosEquatorial
	e, n := k2/(2*(1+math.Sqrt(1+k2))+k2), g.third
	return arc{
		geodesic: g, sinEquatorial: sinEquatorial, cosEquatorial: cosEquatorial, expansion: e,
		correction: g.flattening * sinEquatorial * (1 - e*((1-n)/2+e*((2+n*(1-3*n))/8+
			e*((1+n*(3+n))/16+e*((3+2*n)/64+e*3/128))))),
		toLongitude: sineSeries{
			e * ((1-n)/4 + e*((1-n*n)/8+e*((3+n*(3-n))/64+e*((5+2*n)/128+e*3/128)))),
			e * e * ((2-n*(3-n))/32 + e*((3-n*(2+3*n))/64+e*((3+n)/128+e*5/256))),
			e * e * e * ((5-n*(9-5*n))/192 + e*((9-10*n)/384+e*7/512)),
			e * e * e * e * ((7-14*n)/512 + e*7/512),
			e * e * e * e * e * 21 / 2560,
		},
	}
}

// scale returns A1, the length of the arc on the ellipsoid for each unit on the sphere, in units of
// the semi-minor axis.
func (a *arc) scale() float64 {
	e2 := a.expansion * a.expansion
	return (1 + e2*(1./4+e2*(1./64+e2/256))) / (1 - a.expansion)
}

// toLength returns C1, which gives lengths from angles, and toAngle its inverse C1'.
func (a *arc) toLength() sineSeries {
	return powers(a.expansion, [6][]float64{
		{-1. / 2, 0, 3. / 16, 0, -1. / 32},
		{-1. / 16, 0, 1. / 32, 0, -9. / 2048},
		{-1. / 48, 0, 3. / 256},
		{-5. / 512, 0, 3. / 512},
		{-7. / 1280},
		{-7. / 2048},
	})
}

func (a *arc) toAngle() sineSeries {
	return powers(a.expansion, [6][]float64{
		{1. / 2, 0, -9. / 32, 0, 205. / 1536},
		{5. / 16, 0, -37. / 96, 0, 1335. / 4096},
		{29. / 96, 0, -75. / 128},
		{539. / 1536, 0, -2391. / 2560},
		{3467. / 7680},
		{38081. / 61440},
	})
}

// longitude returns how much less the longitude grows on the ellipsoid than on the sphere, between
// two angles on the arc.
func (a *arc) longitude(from, to float64) float64 {
	return a.correction * (a.toLongitude.add(to) - a.toLongitude.add(from))
}

// direct returns the latitude and the difference in longitude of the place at a distance in the
// direction of an azimuth.
func (g *geodesic) direct(latitude, azimuth, distance float64) (differenceOfLongitude, endLatitude float64) {
	sin, cos := g.reduced(latitude)
	sinAzimuth, cosAzimuth := math.Sincos(azimuth)
	a := g.arc(sinAzimuth*cos, math.Hypot(cosAzimuth, sinAzimuth*sin))
	start := math.Atan2(sin, cosAzimuth*cos)
	toLength, toAngle := a.toLength(), a.toAngle()
	end := toAngle.add(toLength.add(start) + distance/(g.semiMinorAxis*a.scale()))
	sinEnd, cosEnd := math.Sincos(end)
	onSphere := math.Atan2(a.sinEquatorial*sinEnd, cosEnd) - math.Atan2(sinAzimuth*sin, cosAzimuth)
	sin, cos = a.cosEquatorial*sinEnd, math.Hypot(a.sinEquatorial, a.cosEquatorial*cosEnd)
	return wrap(onSphere - a.longitude(start, end)), math.Atan2(sin, (1-g.flattening)*cos)
}

// inverse returns the length of the shortest line to a place, and its azimuth at the start. It
// solves for the difference in longitude on the sphere by iteration. That converges everywhere but
// near the antipode, where it returns NaN.
func (g *geodesic) inverse(latitude, endLatitude, differenceOfLongitude float64) (distance, azimuth float64) {
	sin1, cos1 := g.reduced(latitude)
	sin2, cos2 := g.reduced(endLatitude)
	onSphere := differenceOfLongitude
	for range 60 {
		sin, cos := math.Sincos(onSphere)
		east, north := cos2*sin, cos1*sin2-sin1*cos2*cos
		sinAngle, cosAngle := math.Hypot(east, north), sin1*sin2+cos1*cos2*cos
		if cosAngle < 0 && sinAngle < g.antipode(cos1) {
			return nan, nan
		}
		if sinAngle == 0 {
			return 0, 0
		}
		sinAzimuth, cosAzimuth := east/sinAngle, north/sinAngle
		a := g.arc(sinAzimuth*cos1, math.Hypot(cosAzimuth, sinAzimuth*sin1))
		start := math.Atan2(sin1, cosAzimuth*cos1)
		end := start + math.Atan2(sinAngle, cosAngle)
		rest := differenceOfLongitude + a.longitude(start, end) - onSphere
		if math.Abs(rest) < 1e-12 {
			toLength := a.toLength()
			return g.semiMinorAxis * a.scale() * (toLength.add(end) - toLength.add(start)), math.Atan2(east, north)
		}
		onSphere += rest
	}
	return nan, nan
}

// antipode returns the angle around the antipode within which there may be several shortest lines.
// A line from a pole is a meridian, so that only the other pole itself is excluded.
func (g *geodesic) antipode(cosReducedLatitude float64) float64 {
	return epsilon + 5.5*g.flattening*cosReducedLatitude
}
