package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
)

// shift is a Helmert transformation in the position vector convention: meters, arc-seconds, parts
// per million.
type shift struct {
	code     int // of the EPSG transformation
	name     string
	values   [7]float64
	accuracy float64 // meters, +Inf if unknown
	extent   extent
}

// candidate is a transformation in the database.
type candidate struct {
	Code         int      `json:"code"`
	Name         string   `json:"name"`
	Method       int      `json:"method"`
	Source       int      `json:"source"`
	Target       int      `json:"target"`
	SourceDatum  int      `json:"source_datum"`
	TargetDatum  int      `json:"target_datum"`
	Accuracy     *float64 `json:"accuracy"`
	TX           float64  `json:"tx"`
	TY           float64  `json:"ty"`
	TZ           float64  `json:"tz"`
	LengthUnit   int      `json:"length_unit"`
	RX           float64  `json:"rx"`
	RY           float64  `json:"ry"`
	RZ           float64  `json:"rz"`
	RotationUnit int      `json:"rotation_unit"`
	Scale        float64  `json:"scale"`
	ScaleUnit    int      `json:"scale_unit"`
	PX           float64  `json:"px"`
	PY           float64  `json:"py"`
	PZ           float64  `json:"pz"`
	Extent       int      `json:"extent"`
	Deprecated   int      `json:"deprecated"`
}

const worldGeodeticSystem1984 = 6326

// readShifts collects the transformations to WGS 84 for each datum: those of one step, or if there
// are none, of two steps.
func (r *registry) readShifts(db database) error {
	var rows []candidate
	err := db.query(`select c.code+0 as code, c.name, c.method_code+0 as method, source_crs_code+0 as source, target_crs_code+0 as target,
		s.datum_code+0 as source_datum, t.datum_code+0 as target_datum, accuracy,
		tx, ty, tz, translation_uom_code+0 as length_unit,
		ifnull(rx,0) as rx, ifnull(ry,0) as ry, ifnull(rz,0) as rz, ifnull(rotation_uom_code,9104)+0 as rotation_unit,
		ifnull(scale_difference,0) as scale, ifnull(scale_difference_uom_code,9202)+0 as scale_unit,
		ifnull(px,0) as px, ifnull(py,0) as py, ifnull(pz,0) as pz,
		`+fmt.Sprintf(usage, "helmert_transformation")+` as extent, c.deprecated
		from helmert_transformation_table c
		join geodetic_crs s on s.auth_name='EPSG' and s.code=source_crs_code
		join geodetic_crs t on t.auth_name='EPSG' and t.code=target_crs_code
		where c.auth_name='EPSG' and not exists (select 1 from supersession x where x.superseded_auth_name='EPSG'
			and x.superseded_code=c.code and x.superseded_table_name='helmert_transformation'
			and x.replacement_table_name='helmert_transformation' and x.same_source_target_crs)
		order by 1`, &rows)
	direct, others := map[int][]shift{}, []candidate{}
	for _, c := range rows {
		switch {
		case c.Deprecated != 0 || c.SourceDatum == c.TargetDatum:
		case c.TargetDatum == worldGeodeticSystem1984:
			direct[c.SourceDatum] = append(direct[c.SourceDatum], r.shiftOf(c))
		default:
			others = append(others, c)
		}
	}
	r.shifts = direct
	second := map[int][]shift{}
	for _, c := range others {
		first := r.shiftOf(c)
		for _, last := range direct[c.TargetDatum] {
			if len(direct[c.SourceDatum]) == 0 && overlap(first.extent, last.extent) > 0 {
				second[c.SourceDatum] = append(second[c.SourceDatum], chain(first, last))
			}
		}
	}
	for datum, shifts := range second {
		r.shifts[datum] = shifts
	}
	return err
}

// shiftOf converts a candidate of any convention to a position vector shift.
func (r *registry) shiftOf(c candidate) shift {
	length, scale := r.factor(c.LengthUnit), r.factor(c.ScaleUnit)*1e6
	rotation := 1.0
	if c.RotationUnit != 9104 {
		rotation = r.factor(c.RotationUnit) * 180 / math.Pi * 3600
	}
	switch c.Method {
	case 1032, 1034, 1039, 1056, 1066, 9607, 9636: // coordinate frame
		rotation = -rotation
	}
	s := shift{
		code:     c.Code,
		name:     c.Name,
		values:   [7]float64{c.TX * length, c.TY * length, c.TZ * length, c.RX * rotation, c.RY * rotation, c.RZ * rotation, c.Scale * scale},
		accuracy: math.Inf(1),
		extent:   r.extents[c.Extent],
	}
	if c.Accuracy != nil {
		s.accuracy = *c.Accuracy
	}
	s.movePivot(c.PX, c.PY, c.PZ)
	return s
}

// movePivot converts rotations about a point (Molodensky-Badekas) to rotations about the geocenter:
// X' = P + T + k·R·(X - P).
func (s *shift) movePivot(px, py, pz float64) {
	if px == 0 && py == 0 && pz == 0 {
		return
	}
	const arcSecond = math.Pi / 648000
	rx, ry, rz, k := s.values[3]*arcSecond, s.values[4]*arcSecond, s.values[5]*arcSecond, 1+s.values[6]*1e-6
	s.values[0] += px - k*(px-rz*py+ry*pz)
	s.values[1] += py - k*(rz*px+py-rx*pz)
	s.values[2] += pz - k*(-ry*px+rx*py+pz)
}

// chain adds two small transformations. The error is of second order.
func chain(first, last shift) shift {
	sum := shift{code: first.code, name: first.name, accuracy: first.accuracy + last.accuracy, extent: first.extent}
	for i := range sum.values {
		sum.values[i] = first.values[i] + last.values[i]
	}
	return sum
}

// rankShifts gives datums without transformations those of their twins, and puts the best ones first:
// the most accurate, then one that changes nothing, then the most local, then the latest variant by
// name.
func (r *registry) rankShifts() {
	own := maps.Clone(r.shifts)
	for datum, twins := range r.twins {
		if len(own[datum]) > 0 {
			continue
		}
		for _, twin := range twins {
			r.shifts[datum] = append(r.shifts[datum], own[twin]...)
		}
	}
	delete(r.shifts, worldGeodeticSystem1984)
	for _, shifts := range r.shifts {
		slices.SortFunc(shifts, compare)
	}
}

func compare(a, b shift) int {
	order := cmp.Or(cmp.Compare(a.accuracy, b.accuracy), cmp.Compare(a.isNotNull(), b.isNotNull()))
	if sizeA, sizeB := overlap(a.extent, a.extent), overlap(b.extent, b.extent); order == 0 && math.Abs(sizeA-sizeB) > 1e-9 {
		order = cmp.Compare(sizeA, sizeB)
	}
	return cmp.Or(
		order, cmp.Compare(len(a.name), len(b.name)), cmp.Compare(b.name, a.name), // "(4)" before "(3)", as PROJ
		cmp.Compare(b.code, a.code),
	)
}

// isNotNull returns 0 for a transformation that changes nothing, or else 1.
func (s *shift) isNotNull() int {
	if s.values == [7]float64{} {
		return 0
	}
	return 1
}

// overlap returns a number proportional to the shared area of two extents on a sphere. Extents may
// cross the antimeridian.
func overlap(a, b extent) float64 {
	if a.West == nil || b.West == nil || a.East == nil || b.East == nil {
		return 0
	}
	height := math.Sin(min(*a.North, *b.North)*math.Pi/180) - math.Sin(max(*a.South, *b.South)*math.Pi/180)
	width := 0.0
	for _, turn := range []float64{-360, 0, 360} {
		width += max(0, min(unrolledEast(a), unrolledEast(b)+turn)-max(*a.West, *b.West+turn))
	}
	return max(0, height) * width
}

func unrolledEast(e extent) float64 {
	if *e.East < *e.West {
		return *e.East + 360
	}
	return *e.East
}
