package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// registry is the content of the extract before it is numbered and written.
type registry struct {
	version     string
	datums      []datum
	ellipsoids  []ellipsoid
	meridians   []meridian
	conversions []conversion
	geographic  []system
	projected   []system
	compound    []compound

	units   map[int]unit
	extents map[int]extent
	shifts  map[int][]shift // by datum; only those to WGS 84, the best one first
	twins   map[int][]int   // datums that differ only in their prime meridian
	turned  map[int][]int   // the reverse of twins

	gridShifts []gridShift
}

type unit struct {
	Code   int      `json:"code"`
	Kind   string   `json:"type"`
	Factor *float64 `json:"conv_factor"`
}

type ellipsoid struct {
	Code      int      `json:"code"`
	SemiMajor float64  `json:"semi_major_axis"`
	Unit      int      `json:"unit"`
	Inverse   *float64 `json:"inv_flattening"`
	SemiMinor *float64 `json:"semi_minor_axis"`
}

type meridian struct {
	Code      int     `json:"code"`
	Longitude float64 `json:"longitude"`
	Unit      int     `json:"unit"`
}

type datum struct {
	Code      int `json:"code"`
	Ellipsoid int `json:"ellipsoid"`
	Meridian  int `json:"meridian"`
}

// system is a geographic or projected reference system.
type system struct {
	Code       int    `json:"code"`
	Name       string `json:"name"`
	Datum      int    `json:"datum"`      // geographic
	Base       int    `json:"base"`       // projected: the geographic system
	Conversion int    `json:"conversion"` // projected
	Unit       int    `json:"unit"`
	Extent     int    `json:"extent"`
	Deprecated int    `json:"deprecated"`
	Axes       string `json:"axes"`     // abbreviations of both, in the registry's order
	Northing   int    `json:"northing"` // 1 if the first axis is the northing or the latitude
}

type compound struct {
	Code       int    `json:"code"`
	Name       string `json:"name"`
	Horizontal int    `json:"horizontal"`
}

type extent struct {
	Code  int      `json:"code"`
	West  *float64 `json:"west"`
	South *float64 `json:"south"`
	East  *float64 `json:"east"`
	North *float64 `json:"north"`
}

func read(db database) (*registry, error) {
	r := &registry{units: map[int]unit{}, extents: map[int]extent{}, twins: map[int][]int{}, turned: map[int][]int{}}
	err := errors.Join(
		r.readVersion(db), r.readUnits(db), r.readExtents(db), r.readDatums(db),
		r.readConversions(db), r.readSystems(db), r.readShifts(db), r.readTwins(db),
	)
	if err != nil {
		return nil, err
	}
	r.rankShifts()
	return r, r.readGridShifts(db)
}

func (r *registry) readVersion(db database) error {
	var rows []struct{ Value string }
	if err := db.query(`select value from metadata where key='EPSG.VERSION'`, &rows); err != nil {
		return err
	}
	if len(rows) != 1 {
		return errors.New("no EPSG.VERSION in the database")
	}
	r.version = rows[0].Value
	return nil
}

func (r *registry) readUnits(db database) error {
	var rows []unit
	err := db.query(`select code+0 as code, type, conv_factor from unit_of_measure where auth_name='EPSG'`, &rows)
	for _, row := range rows {
		r.units[row.Code] = row
	}
	return err
}

func (r *registry) readExtents(db database) error {
	var rows []extent
	err := db.query(`select code+0 as code, west_lon as west, south_lat as south, east_lon as east, north_lat as north
		from extent where auth_name='EPSG'`, &rows)
	for _, row := range rows {
		r.extents[row.Code] = row
	}
	return err
}

func (r *registry) readDatums(db database) error {
	return errors.Join(
		db.query(`select code+0 as code, semi_major_axis, uom_code+0 as unit, inv_flattening, semi_minor_axis
			from ellipsoid where auth_name='EPSG' order by 1`, &r.ellipsoids),
		db.query(`select code+0 as code, longitude, uom_code+0 as unit
			from prime_meridian where auth_name='EPSG' order by 1`, &r.meridians),
		db.query(`select code+0 as code, ellipsoid_code+0 as ellipsoid, prime_meridian_code+0 as meridian
			from geodetic_datum where auth_name='EPSG' order by 1`, &r.datums),
	)
}

// readTwins finds datums related by a longitude rotation, such as NTF for NTF (Paris).
func (r *registry) readTwins(db database) error {
	var rows []struct{ From, To int }
	err := db.query(`select s.datum_code+0 as "from", t.datum_code+0 as "to" from other_transformation o
		join geodetic_crs s on s.auth_name='EPSG' and s.code=o.source_crs_code
		join geodetic_crs t on t.auth_name='EPSG' and t.code=o.target_crs_code
		where o.auth_name='EPSG' and o.method_code='9601' and o.deprecated=0 order by o.code`, &rows)
	for _, row := range rows {
		r.twins[row.From] = append(r.twins[row.From], row.To)
		if !slices.Contains(r.turned[row.To], row.From) {
			r.turned[row.To] = append(r.turned[row.To], row.From)
		}
	}
	return err
}

// usage selects one extent for a system with several: the first one.
const usage = `(select extent_code+0 from usage u where u.object_table_name='%s' and u.object_auth_name='EPSG'
	and u.object_code=c.code and u.extent_auth_name='EPSG' order by u.code limit 1)`

// axisUnit selects the unit of the first axis.
const axisUnit = `(select uom_code+0 from axis a where a.coordinate_system_auth_name=c.coordinate_system_auth_name
	and a.coordinate_system_code=c.coordinate_system_code and a.coordinate_system_order=1)`

// axes selects the abbreviations of the two axes in the registry's order. Near a pole both may
// point north, so that only the name of the first one reveals whether it is the northing.
const (
	axes = `(select group_concat(abbrev) from (select abbrev from axis a
		where a.coordinate_system_auth_name=c.coordinate_system_auth_name
		and a.coordinate_system_code=c.coordinate_system_code order by coordinate_system_order limit 2))`
	northing = `(select name in ('Northing', 'Geodetic latitude') from axis a
		where a.coordinate_system_auth_name=c.coordinate_system_auth_name
		and a.coordinate_system_code=c.coordinate_system_code and a.coordinate_system_order=1)`
)

// orientations and method find the two historical Cassini grids that count southings first. They
// are left out, because no other software follows the registry for them.
const (
	orientations = `(select group_concat(orientation) from (select orientation from axis a
		where a.coordinate_system_auth_name=c.coordinate_system_auth_name
		and a.coordinate_system_code=c.coordinate_system_code order by coordinate_system_order))`
	method = `(select method_code from conversion_table v where v.auth_name='EPSG' and v.code=c.conversion_code)`
)

func (r *registry) readSystems(db database) error {
	geographic := fmt.Sprintf(`select c.code+0 as code, name, datum_code+0 as datum, `+axisUnit+` as unit, `+usage+` as extent, deprecated,
		`+axes+` as axes, `+northing+` as northing
		from geodetic_crs c where auth_name='EPSG' and type like 'geographic%%' order by 1`, "geodetic_crs")
	projected := fmt.Sprintf(`select c.code+0 as code, name, geodetic_crs_code+0 as base, conversion_code+0 as conversion, `+
		axisUnit+` as unit, `+usage+` as extent, deprecated,
		`+axes+` as axes, `+northing+` as northing
		from projected_crs c where auth_name='EPSG' and geodetic_crs_auth_name='EPSG'
		and not ('south,west' = `+orientations+` and '9806' = `+method+`) order by 1`, "projected_crs")
	compound := `select code+0 as code, name, horiz_crs_code+0 as horizontal
		from compound_crs where auth_name='EPSG' and horiz_crs_auth_name='EPSG' order by 1`
	return errors.Join(db.query(geographic, &r.geographic), db.query(projected, &r.projected), db.query(compound, &r.compound))
}

// angle converts an angle to degrees.
func (r *registry) angle(value float64, code int) float64 {
	switch code {
	case 9102, 9122, 9107, 9108, 9115, 9116, 9117, 9118, 9119, 9120: // degrees in any notation
		return value
	case 9103:
		return value / 60
	case 9104:
		return value / 3600
	case 9105, 9106:
		return value * 0.9
	case 9110:
		return sexagesimal(value)
	}
	return value * r.factor(code) * 180 / math.Pi
}

// sexagesimal parses DDD.MMSSsss.
func sexagesimal(value float64) float64 {
	sign := 1.0
	if value < 0 {
		sign, value = -1, -value
	}
	// Use whole ten-millionths of a second: 43.3 is slightly less than 43 degrees 30 minutes in
	// binary.
	digits := int64(math.Round(value * 1e11))
	degrees, rest := digits/1e11, digits%1e11
	minutes, seconds := rest/1e9, rest%1e9
	return sign * (float64(degrees) + float64(minutes)/60 + float64(seconds)/1e7/3600)
}

// factor returns a unit in radians, meters or unity.
func (r *registry) factor(code int) float64 {
	u, ok := r.units[code]
	if !ok || u.Factor == nil {
		return math.NaN()
	}
	return *u.Factor
}

func (e *ellipsoid) inverseFlattening() float64 {
	switch {
	case e.Inverse != nil:
		return *e.Inverse
	case e.SemiMinor != nil && *e.SemiMinor < e.SemiMajor:
		return e.SemiMajor / (e.SemiMajor - *e.SemiMinor)
	}
	return 0
}
