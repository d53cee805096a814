package geo

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"tileserver/geo/internal/projection"
)

// ErrUnknownCRS means that a coordinate reference system is unknown, or is known but cannot be
// computed.
var ErrUnknownCRS = errors.New("unknown coordinate reference system")

// A codedError means that a system of the registry cannot be computed.
type codedError struct {
	code int
	err  error
}

func (e *codedError) Error() string { return e.err.Error() }
func (e *codedError) Unwrap() error { return e.err }

// UnsupportedCode returns the EPSG code of a system that is known but cannot be computed, from the
// error that says so.
func UnsupportedCode(err error) (code int, ok bool) {
	var coded *codedError
	if !errors.As(err, &coded) {
		return 0, false
	}
	return coded.code, true
}

// Ellipsoid, Method and Parameters describe user-defined systems.
type (
	Ellipsoid  = projection.Ellipsoid
	Method     = projection.Method
	Parameters = projection.Parameters
)

// Definition describes a reference system that has no code.
type Definition struct {
	Name           string
	Ellipsoid      Ellipsoid
	PrimeMeridian  float64  // degrees east of Greenwich
	ToWGS84        *Helmert // nil: treated as WGS 84
	Method         Method   // numbered as in the registry; zero: geographic
	Parameters     Parameters
	MetersPerUnit  float64 // of a projected system; zero means 1
	DegreesPerUnit float64 // of a geographic system; zero means 1
}

// CRS is an immutable coordinate reference system, safe for concurrent use.
type CRS struct {
	code, name, key string
	area            Bounds
	hasArea         bool
	axes            axes

	datum         datum
	shift         shift
	primeMeridian float64               // radians
	projection    projection.Projection // nil: geographic
	method        Method
	parameters    Parameters
	unit          float64 // meters, or radians for a geographic system
	grids         *Grids  // of datum shifts, for transforms from and to this system; or nil
}

// Code returns a code like "EPSG:32633", or an empty text for a user-defined system.
func (c *CRS) Code() string { return c.code }

// Name returns the registered name, or that of the definition.
func (c *CRS) Name() string { return c.name }

// IsGeographic reports whether coordinates are longitude and latitude.
func (c *CRS) IsGeographic() bool { return c.projection == nil }

// Key identifies the system: equal keys mean equal coordinates.
func (c *CRS) Key() string { return c.key }

// AreaOfUse returns an area in degrees of longitude and latitude. MaxX exceeds 180 if the area
// crosses the antimeridian.
func (c *CRS) AreaOfUse() (Bounds, bool) { return c.area, c.hasArea }

// MetersPerUnit returns the length of one coordinate unit. For a geographic system, it is the
// length on the equator.
func (c *CRS) MetersPerUnit() float64 {
	if c.IsGeographic() {
		return c.unit * c.datum.ellipsoid.SemiMajorAxis
	}
	return c.unit
}

// HalfTurn returns 180 degrees in the units of a geographic system.
func (c *CRS) HalfTurn() float64 { return math.Pi / c.unit }

// FromDefinition returns the system of a definition.
func FromDefinition(definition Definition) (*CRS, error) {
	if h := definition.ToWGS84; h != nil {
		if err := h.validate(); err != nil {
			return nil, err
		}
	}
	c := &CRS{name: definition.Name, method: definition.Method, parameters: definition.Parameters}
	c.datum = datum{ellipsoid: definition.Ellipsoid}.shiftedBy(definition.ToWGS84)
	if err := c.complete(definition); err != nil {
		return nil, err
	}
	c.key = definitionKey(definition)
	return c, nil
}

// complete sets the fields that follow from datum, method and units.
func (c *CRS) complete(definition Definition) error {
	metersPerUnit, degreesPerUnit := definition.MetersPerUnit, definition.DegreesPerUnit
	if metersPerUnit == 0 {
		metersPerUnit = 1
	}
	if degreesPerUnit == 0 {
		degreesPerUnit = 1
	}
	if !plausibleUnit(metersPerUnit) || !plausibleUnit(degreesPerUnit) {
		return fmt.Errorf("%w: a unit of %g meters or %g degrees", ErrUnknownCRS, metersPerUnit, degreesPerUnit)
	}
	if a := definition.Ellipsoid.SemiMajorAxis; a > 0 && !(a > minEarthRadius && a < maxEarthRadius) {
		return fmt.Errorf("%w: %q is of a body with a radius of %.0f km, which is not the Earth", ErrUnknownCRS, definition.Name, a/1000)
	}
	if !(math.Abs(definition.PrimeMeridian) <= 360) {
		return fmt.Errorf("%w: a prime meridian at %g degrees", ErrUnknownCRS, definition.PrimeMeridian)
	}
	c.primeMeridian = definition.PrimeMeridian * degreesToRadians
	c.shift = newShift(&c.datum)
	if definition.Method == 0 {
		c.unit = degreesPerUnit * degreesToRadians
		if err := projection.ValidateEllipsoid(definition.Ellipsoid); err != nil {
			return fmt.Errorf("%w: %q: %w", ErrUnknownCRS, definition.Name, err)
		}
		return nil
	}
	c.unit = metersPerUnit
	p, err := projection.New(definition.Method, definition.Ellipsoid, definition.Parameters)
	if err != nil {
		return fmt.Errorf("%w: %q: %w", ErrUnknownCRS, definition.Name, err)
	}
	c.projection = p
	return nil
}

// Every ellipsoid used for the Earth has a radius between these, in meters.
const (
	minEarthRadius = 6.2e6
	maxEarthRadius = 6.6e6
)

// plausibleUnit rejects units that bring coordinates near the limits of floating point.
func plausibleUnit(unit float64) bool { return unit > 1e-9 && unit < 1e9 }

// withUnit returns the same projected system in another unit of length.
func (c *CRS) withUnit(meters float64) (*CRS, error) {
	if !plausibleUnit(meters) {
		return nil, fmt.Errorf("%w: a unit of %g meters", ErrUnknownCRS, meters)
	}
	if math.Abs(meters-c.unit) <= 1e-12*meters {
		return c, nil
	}
	other := *c
	other.unit = meters
	other.code = ""
	other.key = fmt.Sprintf("%s,unit=%v", c.key, meters)
	return &other, nil
}

func (h *Helmert) validate() error {
	for _, value := range []float64{h.TranslationX, h.TranslationY, h.TranslationZ, h.RotationX, h.RotationY, h.RotationZ, h.Scale} {
		if !(math.Abs(value) <= 1e5) {
			return fmt.Errorf("%w: a datum shift of %g", ErrUnknownCRS, value)
		}
	}
	return nil
}

// nearWGS84 reports whether e is WGS 84 or nearly so. GRS 1980, whose polar axis is 0.1 mm longer,
// counts too.
func nearWGS84(e Ellipsoid) bool {
	return e.SemiMajorAxis == 6378137 && math.Abs(e.InverseFlattening-298.257223) < 1e-4
}

// definitionKey lists every number that affects coordinates. The name does not.
func definitionKey(definition Definition) string {
	p, e := definition.Parameters, definition.Ellipsoid
	numbers := []float64{
		float64(definition.Method), e.SemiMajorAxis, e.InverseFlattening, definition.PrimeMeridian,
		definition.MetersPerUnit, definition.DegreesPerUnit,
		p.LatitudeOfOrigin, p.LongitudeOfOrigin, p.StandardParallel1, p.StandardParallel2, p.ScaleFactor,
		p.FalseEasting, p.FalseNorthing, p.Azimuth, p.RectifiedGridAngle, p.EllipsoidScale, p.OriginHeight,
	}
	if h := definition.ToWGS84; h != nil {
		numbers = append(numbers, h.TranslationX, h.TranslationY, h.TranslationZ, h.RotationX, h.RotationY, h.RotationZ, h.Scale)
	}
	var key strings.Builder
	key.WriteString("user")
	for _, number := range numbers {
		key.WriteByte(',')
		key.WriteString(strconv.FormatFloat(number, 'g', -1, 64))
	}
	return key.String()
}
