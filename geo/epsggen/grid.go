package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// gridShift is a transformation to WGS 84, or to a datum that counts as it, by grid files.
type gridShift struct {
	code, datum int
	accuracy    float64 // meters
	extent      int
	files       []string // alternatives; a pair is joined by a plus sign
}

// gridCandidate is such a transformation in the database, with other names of its first file.
type gridCandidate struct {
	Code     int      `json:"code"`
	Source   int      `json:"source"`
	Target   int      `json:"target"`
	Accuracy *float64 `json:"accuracy"`
	First    string   `json:"first"`
	Second   *string  `json:"second"`
	Older    *string  `json:"older"`
	Newer    *string  `json:"newer"`
	Turned   *int     `json:"turned"` // PROJ's files have the other direction
	Extent   int      `json:"extent"`
}

// readGridShifts reads the transformations by the formats NADCON (9613) and NTv2 (9615) from the
// old datums, which are those that need a shift. Between modern ones, none is applied.
func (r *registry) readGridShifts(db database) error {
	var rows []gridCandidate
	err := db.query(`select g.code+0 as code, s.datum_code+0 as source, t.datum_code+0 as target, g.accuracy,
		g.grid_name as first, g.grid2_name as second, a.old_proj_grid_name as older, a.proj_grid_name as newer, a.inverse_direction as turned,
		`+strings.ReplaceAll(fmt.Sprintf(usage, "grid_transformation"), "c.code", "g.code")+` as extent
		from grid_transformation g
		join geodetic_crs s on s.auth_name='EPSG' and s.code=g.source_crs_code
		join geodetic_crs t on t.auth_name='EPSG' and t.code=g.target_crs_code
		left join grid_alternatives a on a.original_grid_name=g.grid_name and a.proj_method='hgridshift'
		where g.auth_name='EPSG' and g.deprecated=0 and g.method_code in ('9613','9615')
		order by g.accuracy, 1`, &rows)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, c := range rows {
		from, to := c.Source, c.Target
		if c.isTurned() {
			from, to = to, from
		}
		files := c.files()
		same := fmt.Sprint(from, files[0])
		if c.Accuracy == nil || seen[same] || !r.isShifted(from) || r.isShifted(to) {
			continue
		}
		seen[same] = true
		for _, datum := range append([]int{from}, r.turned[from]...) {
			r.gridShifts = append(r.gridShifts, gridShift{c.Code, datum, *c.Accuracy, c.Extent, files})
		}
	}
	if len(r.gridShifts) == 0 {
		return errors.New("no shifts by grids in the database")
	}
	return nil
}

func (c *gridCandidate) isTurned() bool { return c.Turned != nil && *c.Turned != 0 }

// files returns the names under which the grid is known, in lower case. PROJ renames grids, and
// turns some.
func (c *gridCandidate) files() []string {
	first := strings.ToLower(c.First)
	if c.Second != nil {
		return []string{first + "+" + strings.ToLower(*c.Second)}
	}
	files := []string{first}
	if c.isTurned() {
		files = nil
	}
	for _, other := range []*string{c.Older, c.Newer} {
		if other == nil {
			continue
		}
		if name := strings.ToLower(*other); !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	return files
}

// isShifted reports whether a datum has datum shifts, and all of them move places.
func (r *registry) isShifted(datum int) bool {
	shifts := r.shifts[datum]
	return len(shifts) > 0 && !slices.ContainsFunc(shifts, func(s shift) bool { return s.values == [7]float64{} })
}
