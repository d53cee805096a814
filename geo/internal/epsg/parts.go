package epsg

import "strings"

// part finds one line of a table and parses the fields after its code.
func part(table func(*registry) map[int]string, code int, read func(*fields)) (bool, error) {
	r, err := load()
	if err != nil {
		return false, err
	}
	line, ok := table(r)[code]
	if !ok {
		return false, nil
	}
	f := split(line)
	f.integer()
	read(f)
	return true, f.err
}

// Ellipsoid returns the axes of an ellipsoid by its code. An inverse flattening of 0 means a
// sphere.
func Ellipsoid(code int) (semiMajorAxis, inverseFlattening float64, found bool, err error) {
	found, err = part(func(r *registry) map[int]string { return r.ellipsoids }, code, func(f *fields) {
		semiMajorAxis, inverseFlattening = f.number(), f.number()
	})
	return semiMajorAxis, inverseFlattening, found, err
}

// PrimeMeridian returns degrees east of Greenwich.
func PrimeMeridian(code int) (longitude float64, found bool, err error) {
	found, err = part(func(r *registry) map[int]string { return r.meridians }, code, func(f *fields) {
		longitude = f.number()
	})
	return longitude, found, err
}

// LengthUnit returns the length of a unit in meters.
func LengthUnit(code int) (meters float64, found bool, err error) {
	found, err = part(func(r *registry) map[int]string { return r.units }, code, func(f *fields) {
		meters = f.number()
	})
	return meters, found, err
}

// DatumParts returns the codes of the ellipsoid and prime meridian of a datum.
func DatumParts(code int) (ellipsoid, meridian int, found bool, err error) {
	found, err = part(func(r *registry) map[int]string { return r.datums }, code, func(f *fields) {
		ellipsoid, meridian = f.integer(), f.integer()
	})
	return ellipsoid, meridian, found, err
}

// GridShift is a datum shift to WGS 84, or to a datum that counts as it, by the nodes of a grid.
type GridShift struct {
	Code     int     // EPSG transformation
	Accuracy float64 // meters
	Area     *Area

	// Files holds the names of the file, of which one is enough, in lower case. NADCON has its grids
	// in two files, whose names are joined by a plus sign.
	Files []string
}

// GridShifts returns the datum shifts by grids of a datum.
func GridShifts(datum int) ([]GridShift, error) {
	r, err := load()
	if err != nil {
		return nil, err
	}
	var shifts []GridShift
	for _, line := range r.gridShifts[datum] {
		f := split(line)
		s := GridShift{Code: f.integer()}
		f.integer()
		s.Accuracy = f.number()
		s.Area = r.area(f.integer())
		s.Files = strings.Split(f.text(), ",")
		if f.err != nil {
			return nil, f.err
		}
		shifts = append(shifts, s)
	}
	return shifts, nil
}

// Conversion returns the method and parameters of a map projection by its code, such as 16033 for
// UTM zone 33N.
func Conversion(code int) (method int, parameters []Parameter, found bool, err error) {
	found, err = part(func(r *registry) map[int]string { return r.conversions }, code, func(f *fields) {
		method, parameters = f.method()
	})
	return method, parameters, found, err
}
