package ifd

import (
	"fmt"
	"strings"
	"testing"
)

// ghostOf returns a ghost area with the given lines, as GDAL writes it.
func ghostOf(lines ...string) string {
	text := strings.Join(lines, "\n") + "\n "
	return fmt.Sprintf("%s%06d%s%s", ghostStart, len(text), ghostSizeEnd, text)
}

// gdalGhost returns the complete ghost area of GDAL.
func gdalGhost(changed string) string {
	return ghostOf("LAYOUT=IFDS_BEFORE_DATA", "BLOCK_ORDER=ROW_MAJOR", "BLOCK_LEADER=SIZE_AS_UINT4",
		"BLOCK_TRAILER=LAST_4_BYTES_REPEATED", "KNOWN_INCOMPATIBLE_EDITION="+changed, "MASK_INTERLEAVED_WITH_IMAGERY=YES")
}

func TestParseGhost(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       ghost
	}{
		{"GDAL's", gdalGhost("NO") + "behind", ghost{directoriesFirst: true}},
		{"GDAL's, changed", gdalGhost("YES"), ghost{directoriesFirst: true, changed: true}},
		{"another layout", ghostOf("LAYOUT=OTHER"), ghost{}},
		{"lines without a value", ghostOf("LAYOUT", "", "=", "LAYOUT=IFDS_BEFORE_DATA"), ghost{directoriesFirst: true}},
		{"none", "II*\x00", ghost{}},
		{"nothing at all", "", ghost{}},
		{"no size", ghostStart + ghostSizeEnd, ghost{}},
		{"a size that is no number", ghostStart + "many" + ghostSizeEnd, ghost{}},
		{"a size below zero", ghostStart + "-00001" + ghostSizeEnd, ghost{}},
		{"a size beyond the data", ghostStart + "999999" + ghostSizeEnd + "LAYOUT=IFDS_BEFORE_DATA\n", ghost{}},
		{"a line behind the end", ghostStart + "000004" + ghostSizeEnd + "ABCDLAYOUT=IFDS_BEFORE_DATA\n", ghost{}},
	} {
		if got := parseGhost([]byte(test.text)); got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.name, got, test.want)
		}
	}
}
