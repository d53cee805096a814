package tilesets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"tileserver/geo"
	"tileserver/identifier"
)

// Check rejects incomplete sets and sets whose id is taken.
func Check(custom []*geo.TileMatrixSet) error {
	seen := make(map[string]bool)
	for _, set := range custom {
		_, registered := geo.TileMatrixSetByID(set.ID)
		switch {
		case registered || seen[set.ID] || set.ID == ImageID || strings.HasPrefix(set.ID, nativePrefix):
			return fmt.Errorf("duplicate tile matrix set id %q", set.ID)
		case !identifier.IsValid(set.ID) || set.CRS == nil || len(set.Matrices) == 0:
			return fmt.Errorf("tile matrix set %q needs a valid id, a CRS and matrices", set.ID)
		}
		seen[set.ID] = true
	}
	return nil
}

// Digest returns a digest of the definitions of custom sets. A set may change under the same
// id when the configuration changes. The digest of no sets is empty.
func Digest(custom []*geo.TileMatrixSet) string {
	if len(custom) == 0 {
		return ""
	}
	h := sha256.New()
	for _, set := range custom {
		fmt.Fprintf(h, "%s\x00%s\x00%v\x00", set.ID, set.CRS.Key(), set.Matrices)
	}
	return hex.EncodeToString(h.Sum(nil))
}
