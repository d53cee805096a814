package colormap

import (
	"slices"
	"strings"
)

// Group is the use that a map is made for.
type Group string

// The groups.
const (
	Sequential Group = "sequential" // from little to much
	Diverging  Group = "diverging"  // from one extreme over a middle to another
	Heights    Group = "terrain"    // from the deep sea to snow
	Rainbows   Group = "rainbow"    // many hues, for detail
	Classes    Group = "classes"    // colors that are easily told apart
	Cyclic     Group = "cyclic"     // the end is the beginning, as of directions
)

// groups lists the names in all groups except Sequential, which has all other names.
var groups = map[Group]string{
	Diverging: "balance brbg bwr coolwarm curl delta diff piyg prgn puor rdbu rdgy rdylbu rdylgn seismic spectral tarn",
	Heights:   "gist_earth hypsometric ocean terrain topo",
	Rainbows:  "brg cmrmap cubehelix gist_ncar gist_rainbow gist_stern gnuplot gnuplot2 jet nipy_spectral oxy rainbow turbo",
	Classes:   "accent dark2 flag paired pastel1 pastel2 prism set1 set2 set3 tab10 tab20 tab20b tab20c",
	Cyclic:    "hsv phase twilight twilight_shifted",
}

// GroupOf returns the group of a map or a reversed map.
func GroupOf(name string) Group {
	name = strings.TrimSuffix(name, ReversedSuffix)
	for group, names := range groups {
		if slices.Contains(strings.Fields(names), name) {
			return group
		}
	}
	return Sequential
}
