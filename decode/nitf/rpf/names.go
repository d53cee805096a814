package rpf

import (
	"path"
	"strings"
)

// Extensions returns the extensions of frames, in lower case: two letters of the series and one of
// the zone.
func Extensions() []string {
	const zones = "123456789abcdefghj"
	var all []string
	for _, series := range strings.Fields(series) {
		for _, zone := range zones {
			all = append(all, "."+series+string(zone))
		}
	}
	return all
}

// series has the codes of the series of maps, from global charts to city maps, and of image bases.
const series = "gn jn oh on ow tp lf l1 l2 l3 l4 l5 jg ja jr jo vt f1 f2 f3 f4 f5 at vh tn tr tc rv tl ul tt tq ha co oa cg " +
	"c1 c2 c3 c4 c5 c6 c7 c8 c9 ca cb cc cd ce cf cm ct mm mh mi mj m1 m2 i1 i2 i3 i4 i5"

// IsPolar reports whether the name of a frame says that it lies in a polar zone, whose rows are no
// parallels, and whether that is the northern one. The last letter of the name is the zone.
func IsPolar(name string) (isPolar, isNorth bool) {
	extension := strings.ToUpper(path.Ext(name))
	if len(extension) != 4 {
		return false, false
	}
	switch extension[3] {
	case '9':
		return true, true
	case 'J':
		return true, false
	}
	return false, false
}
