package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// write encodes the registry as lines of tab-separated fields. The first field is the kind of line.
// Numbers refer to codes, or to the order of the lines A.
func write(r *registry) []byte {
	w := &writer{registry: r, areas: map[string]int{}}
	w.line("V", r.version)
	for _, e := range r.ellipsoids {
		w.line("E", e.Code, e.SemiMajor*r.factor(e.Unit), e.inverseFlattening())
	}
	for _, m := range r.meridians {
		w.line("M", m.Code, r.angle(m.Longitude, m.Unit))
	}
	for _, d := range r.datums {
		w.line("D", d.Code, d.Ellipsoid, d.Meridian)
	}
	for _, code := range slices.Sorted(maps.Keys(r.units)) {
		if u := r.units[code]; u.Kind == "length" && u.Factor != nil {
			w.line("U", code, *u.Factor)
		}
	}
	used := map[int]bool{}
	for _, p := range r.projected {
		used[p.Conversion] = true
	}
	for _, c := range r.conversions {
		if !used[c.code] {
			continue
		}
		fields := []any{"C", c.code, c.method}
		for _, p := range c.parameters {
			fields = append(fields, fmt.Sprintf("%d=%s", p.code, number(p.value)))
		}
		w.line(fields...)
	}
	for _, g := range r.geographic {
		area := w.area(g.Extent)
		w.line("G", g.Code, g.Name, area, g.Deprecated, g.Datum, r.angle(1, g.Unit), g.Axes, g.Northing)
	}
	for _, p := range r.projected {
		area := w.area(p.Extent)
		w.line("P", p.Code, p.Name, area, p.Deprecated, p.Base, p.Conversion, r.factor(p.Unit), p.Axes, p.Northing)
	}
	for _, d := range r.datums {
		w.shiftsOf(d.Code)
	}
	for _, s := range r.gridShifts {
		area := w.area(s.extent)
		w.line("T", s.code, s.datum, s.accuracy, area, strings.Join(s.files, ","))
	}
	for _, c := range r.compound {
		w.line("X", c.Code, c.Name, c.Horizontal)
	}
	return w.text.Bytes()
}

type writer struct {
	registry *registry
	text     bytes.Buffer
	areas    map[string]int
}

// number writes -0 as 0.
func number(value float64) string { return strconv.FormatFloat(value+0, 'g', 15, 64) }

func (w *writer) line(fields ...any) {
	for i, field := range fields {
		if i > 0 {
			w.text.WriteByte('\t')
		}
		if value, ok := field.(float64); ok {
			field = number(value)
		}
		fmt.Fprint(&w.text, field)
	}
	w.text.WriteByte('\n')
}

// area writes an extent before its first use, and returns its number, or -1 for none.
func (w *writer) area(code int) int {
	e := w.registry.extents[code]
	if e.West == nil || e.East == nil || e.South == nil || e.North == nil {
		return -1
	}
	text := number(*e.West) + "\t" + number(*e.South) + "\t" + number(unrolledEast(e)) + "\t" + number(*e.North)
	index, known := w.areas[text]
	if !known {
		index = len(w.areas)
		w.areas[text] = index
		w.line("A", text)
	}
	return index
}

// shiftsOf writes the datum shifts of a datum, the best one first.
func (w *writer) shiftsOf(datum int) {
	for _, s := range w.registry.shifts[datum] {
		if area := w.area(s.extent.Code); area >= 0 {
			v := s.values
			w.line("H", datum, s.code, area, v[0], v[1], v[2], v[3], v[4], v[5], v[6])
		}
	}
}
