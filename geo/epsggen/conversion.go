package main

import (
	"fmt"
	"strings"
)

// conversion is a map projection with its parameters.
type conversion struct {
	code, method int
	parameters   []parameter
}

type parameter struct {
	code  int
	value float64 // degrees, meters or unity
}

func (r *registry) readConversions(db database) error {
	var columns strings.Builder
	for i := 1; i <= 7; i++ {
		fmt.Fprintf(&columns, `, param%[1]d_code+0 as code%[1]d, param%[1]d_value as value%[1]d, param%[1]d_uom_code+0 as unit%[1]d`, i)
	}
	var rows []map[string]*float64
	err := db.query(`select code+0 as code, method_code+0 as method`+columns.String()+`
		from conversion_table where auth_name='EPSG' and method_auth_name='EPSG' order by 1`, &rows)
	for _, row := range rows {
		c := conversion{code: int(*row["code"]), method: int(*row["method"])}
		for i := 1; i <= 7; i++ {
			code, value, unit := row[fmt.Sprint("code", i)], row[fmt.Sprint("value", i)], row[fmt.Sprint("unit", i)]
			if code != nil && value != nil && unit != nil {
				c.parameters = append(c.parameters, parameter{int(*code), r.canonical(*value, int(*unit))})
			}
		}
		r.conversions = append(r.conversions, c)
	}
	return err
}

func (r *registry) canonical(value float64, code int) float64 {
	if r.units[code].Kind == "angle" {
		return r.angle(value, code)
	}
	return value * r.factor(code)
}
