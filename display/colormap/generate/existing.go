package main

import (
	"fmt"

	"tileserver/display/colormap"
)

// existingTables returns the maps that package colormap has now.
func existingTables() ([]table, error) {
	var tables []table
	for _, name := range colormap.Names() {
		t := table{name: name}
		for suffix, colors := range map[string]*colors{"": &t.forward, colormap.ReversedSuffix: &t.reversed} {
			known, ok := colormap.Named(name + suffix)
			if !ok {
				return nil, fmt.Errorf("no map named %s", name+suffix)
			}
			for i, c := range known {
				colors[i] = [3]uint8{c.R, c.G, c.B}
			}
		}
		tables = append(tables, t)
	}
	return tables, nil
}
