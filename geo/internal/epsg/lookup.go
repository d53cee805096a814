package epsg

import (
	"fmt"
	"strconv"
	"strings"
)

// fields parses one line. It records the first error.
type fields struct {
	values []string
	err    error
}

func split(line string) *fields { return &fields{values: strings.Split(line, "\t")} }

func (f *fields) text() string {
	if len(f.values) == 0 {
		f.fail("a field is missing")
		return ""
	}
	value := f.values[0]
	f.values = f.values[1:]
	return value
}

func (f *fields) integer() int {
	text := f.text()
	value, err := strconv.Atoi(text)
	if err != nil {
		f.fail(err.Error())
	}
	return value
}

func (f *fields) number() float64 {
	text := f.text()
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		f.fail(err.Error())
	}
	return value
}

func (f *fields) fail(reason string) {
	if f.err == nil {
		f.err = fmt.Errorf("the embedded EPSG extract: %s", reason)
	}
}

func (r *registry) lookup(code int) (System, bool, error) {
	line, ok := r.systems[code]
	if !ok {
		return System{}, false, nil
	}
	f := split(line)
	kind := f.text()
	s := System{Code: f.integer(), Name: f.text(), Projected: kind == "P"}
	if kind == "X" {
		horizontal, found, err := r.lookup(f.integer())
		horizontal.Name = s.Name
		return horizontal, found, err
	}
	r.readPlace(f, &s)
	if s.Projected {
		r.readProjected(f, &s)
	} else {
		s.Datum, s.Unit = f.integer(), f.number()
	}
	s.readAxes(f)
	r.readDatum(f, &s)
	if f.err == nil && s.Area != nil {
		s.Shift, f.err = r.shift(s.Datum, *s.Area)
	}
	return s, true, f.err
}

// area returns the area with a number, or nil.
func (r *registry) area(number int) *Area {
	if number < 0 || number >= len(r.areas) {
		return nil
	}
	a := split(r.areas[number])
	return &Area{a.number(), a.number(), a.number(), a.number()}
}

func (r *registry) readPlace(f *fields, s *System) {
	s.Area = r.area(f.integer())
	s.Deprecated = f.integer() != 0
}

func (s *System) readAxes(f *fields) {
	s.Axes[0], s.Axes[1], _ = strings.Cut(f.text(), ",")
	s.NorthingFirst = f.integer() != 0
}

func (r *registry) readProjected(f *fields, s *System) {
	base, conversion := split(r.systems[f.integer()]), split(r.conversions[f.integer()])
	s.Unit = f.number()
	for range 5 { // G, code, name, area, deprecated
		base.text()
	}
	s.Datum = base.integer()
	conversion.integer()
	s.Method, s.Parameters = conversion.method()
	f.err = firstError(f.err, base.err, conversion.err)
}

// method parses the fields after the code of a conversion.
func (f *fields) method() (method int, parameters []Parameter) {
	method = f.integer()
	for _, field := range f.values {
		code, value, _ := strings.Cut(field, "=")
		parameter := fields{values: []string{code, value}}
		parameters = append(parameters, Parameter{parameter.integer(), parameter.number()})
		f.err = firstError(f.err, parameter.err)
	}
	return method, parameters
}

func (r *registry) readDatum(f *fields, s *System) {
	d := split(r.datums[s.Datum])
	d.integer()
	e, m := split(r.ellipsoids[d.integer()]), split(r.meridians[d.integer()])
	e.integer()
	m.integer()
	s.SemiMajorAxis, s.InverseFlattening, s.PrimeMeridian = e.number(), e.number(), m.number()
	f.err = firstError(f.err, d.err, e.err, m.err)
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
