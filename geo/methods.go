package geo

import "tileserver/geo/internal/projection"

// The map projections that a Definition can name, numbered as in the registry.
const (
	TransverseMercator                = projection.TransverseMercator
	TransverseMercatorSouthOrientated = projection.TransverseMercatorSouthOrientated
	WebMercator                       = projection.WebMercator
	MercatorA                         = projection.MercatorA
	MercatorB                         = projection.MercatorB
	LambertConic1SP                   = projection.LambertConic1SP
	LambertConic2SP                   = projection.LambertConic2SP
	Albers                            = projection.Albers
	LambertAzimuthal                  = projection.LambertAzimuthal
	PolarStereographicA               = projection.PolarStereographicA
	PolarStereographicB               = projection.PolarStereographicB
	PolarStereographicC               = projection.PolarStereographicC
	ObliqueStereographic              = projection.ObliqueStereographic
	HotineObliqueMercatorA            = projection.HotineObliqueMercatorA
	HotineObliqueMercatorB            = projection.HotineObliqueMercatorB
	CassiniSoldner                    = projection.CassiniSoldner
	EquidistantCylindrical            = projection.EquidistantCylindrical
	LambertCylindrical                = projection.LambertCylindrical
	AmericanPolyconic                 = projection.AmericanPolyconic
	Sinusoidal                        = projection.Sinusoidal
)
