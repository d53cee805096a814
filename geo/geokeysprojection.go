package geo

import (
	"fmt"
	"math"

	"tileserver/geo/internal/epsg"
	"tileserver/geo/internal/projection"
)

// readProjection sets method and parameters, from a registry code or from the single keys.
func (k GeoKeys) readProjection(definition *namedDatum, angularUnit float64) error {
	if code, ok := k.code(projectionKey); ok {
		return definition.applyConversion(code)
	}
	transform, ok := k.code(coordinateTransformKey)
	if !ok {
		return fmt.Errorf("%w: the file names no map projection (%q)", ErrUnknownCRS, k.Citation())
	}
	definition.Parameters = k.parameters(angularUnit, definition.MetersPerUnit)
	definition.Method = k.method(transform, &definition.Parameters)
	if definition.Method == 0 {
		return fmt.Errorf("%w: GeoTIFF coordinate transformation %d (%q) is not supported", ErrUnknownCRS, transform, k.Citation())
	}
	return nil
}

// applyConversion applies a registered map projection, such as 16033 for UTM zone 33N.
func (d *Definition) applyConversion(code int) error {
	method, parameters, found, err := epsg.Conversion(code)
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("%w: map projection EPSG:%d", ErrUnknownCRS, code)
	}
	d.Method = Method(method)
	for _, parameter := range parameters {
		if !setParameter(&d.Parameters, parameter.Code, parameter.Value) {
			return fmt.Errorf("%w: map projection EPSG:%d has parameter %d", ErrUnknownCRS, code, parameter.Code)
		}
	}
	return nil
}

// parameters reads every parameter from the key that the writer chose. Natural origin, false origin
// and center are three names of the same place.
func (k GeoKeys) parameters(angularUnit, linearUnit float64) Parameters {
	scaled := func(unit float64, keys ...geoKey) float64 {
		value, _ := k.number(keys...)
		return value * unit
	}
	return Parameters{
		LatitudeOfOrigin:   scaled(angularUnit, naturalLatitudeKey, falseOriginLatitudeKey, centerLatitudeKey),
		LongitudeOfOrigin:  scaled(angularUnit, naturalLongitudeKey, falseOriginLongitudeKey, centerLongitudeKey, straightVerticalKey),
		StandardParallel1:  scaled(angularUnit, standardParallel1Key),
		StandardParallel2:  scaled(angularUnit, standardParallel2Key),
		ScaleFactor:        scaled(1, scaleAtOriginKey, scaleAtCenterKey),
		FalseEasting:       scaled(linearUnit, falseEastingKey, falseOriginEastingKey, centerEastingKey),
		FalseNorthing:      scaled(linearUnit, falseNorthingKey, falseOriginNorthingKey, centerNorthingKey),
		Azimuth:            scaled(angularUnit, azimuthKey),
		RectifiedGridAngle: scaled(angularUnit, rectifiedGridAngleKey),
	}
}

// method converts a GeoTIFF coordinate transformation to a Method, and moves parameters that the
// two lists define differently. It returns 0 for unsupported ones.
func (k GeoKeys) method(transform int, p *Parameters) Method {
	polar := math.Abs(p.LatitudeOfOrigin) > 90-1e-8
	switch transform {
	case 3, 9815:
		if _, ok := k.number(rectifiedGridAngleKey); !ok {
			p.RectifiedGridAngle = 90 // as libgeotiff, which wrote such files, reads them
		}
		if transform == 9815 {
			return projection.HotineObliqueMercatorB
		}
		return projection.HotineObliqueMercatorA
	case 5: // Rosenmund's, of Switzerland
		p.Azimuth, p.RectifiedGridAngle = 90, 90
		return projection.HotineObliqueMercatorB
	case 7:
		if _, ok := k.number(standardParallel1Key); ok {
			return projection.MercatorB
		}
		return projection.MercatorA
	case 14:
		if polar {
			return projection.PolarStereographicA
		}
		return projection.Stereographic
	case 15:
		if polar {
			return projection.PolarStereographicA
		}
		p.StandardParallel1 = p.LatitudeOfOrigin
		return projection.PolarStereographicB
	}
	return simpleMethod(transform)
}

func simpleMethod(transform int) Method {
	return map[int]Method{
		1:  projection.TransverseMercator,
		4:  projection.Laborde,
		8:  projection.LambertConic2SP,
		9:  projection.LambertConic1SP,
		10: projection.LambertAzimuthal,
		11: projection.Albers,
		12: projection.AzimuthalEquidistant,
		13: projection.EquidistantConic,
		16: projection.ObliqueStereographic,
		17: projection.EquidistantCylindrical,
		18: projection.CassiniSoldner,
		22: projection.AmericanPolyconic,
		23: projection.Robinson,
		24: projection.Sinusoidal,
		25: projection.VanDerGrinten,
		26: projection.NewZealandMapGrid,
		27: projection.TransverseMercatorSouthOrientated,
		28: projection.LambertCylindrical,
	}[transform]
}
