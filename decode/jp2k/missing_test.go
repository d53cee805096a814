package jp2k

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// If a file claims thousands of times what it holds, Missing reads the headers of tiles. In the
// first two files no tile has sound headers.
func TestMissingReadsHeadersOfImplausibleFiles(t *testing.T) {
	for _, test := range []struct {
		file    string
		isTotal bool
		lost    string
	}{
		{"issue823.jp2", true, "[{missing tile tile 0: tile 0: corrupt codestream: component 0 has 85 bands and 1 steps} {missing tile tile 1: nothing of it is stored}]"},
		{"edf_c2_1000671.jp2", true, "missing tile tile 2: tile 2: tile-part at 125: corrupt codestream: COC of component 3, of 3}"},
		{"issue432.jp2", false, "[{missing tile tile 1: nothing of it is stored} {missing tile tile 2: nothing of it is stored}]"},
		{"broken1.jp2", false, "[]"},
	} {
		f, err := openReal(t.Context(), t, filepath.Join(realFolder(t), "corrupt", "jp2k", "openjpeg-data", test.file))
		if err != nil {
			t.Fatal(err)
		}
		damage, known, err := f.Images()[0].Missing(t.Context())
		if got := fmt.Sprint(damage.Losses()); err != nil || !known || !strings.Contains(got, test.lost) || damage.IsTotal() != test.isTotal {
			t.Errorf("%s: %s, total: %t, %v; want %s, total: %t", test.file, got, damage.IsTotal(), err, test.lost, test.isTotal)
		}
	}
}
