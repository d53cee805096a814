package layer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strings"

	"tileserver/geo"
	"tileserver/identifier"
	"tileserver/pyramid"
)

// ImageTileSetID is the id of the tile matrix set of an image's pixels, without a CRS.
const ImageTileSetID = "image"

// DefaultTileSetID is the id of the tile matrix set for tile addresses that name none.
const DefaultTileSetID = "WebMercatorQuad"

// nativePrefix precedes the id of a layer in the id of its native tile matrix set.
const nativePrefix = "native-"

// NativeTileSetID returns the id of the tile matrix set of a layer's pixels in its CRS.
func NativeTileSetID(layerID string) string { return nativePrefix + layerID }

// A TileSet is a tile matrix set that a layer is served in.
type TileSet struct {
	Set              *geo.TileMatrixSet
	MinZoom, MaxZoom int // useful range, as indexes of Set.Matrices

	// Bounds are the bounds of the layer in the CRS of the set, within its tiles. For the image's
	// own set they are columns and rows.
	Bounds geo.Bounds
}

// Limits returns the first and last column and row of a level that contain pixels of the layer. ok
// is false if none do.
func (t TileSet) Limits(z int) (minColumn, minRow, maxColumn, maxRow int, ok bool) {
	if t.Set.CRS != nil {
		return t.Set.Limits(z, t.Bounds)
	}
	if z < 0 || z >= len(t.Set.Matrices) {
		return 0, 0, 0, 0, false
	}
	m := &t.Set.Matrices[z] // exactly as large as the image
	return 0, 0, m.Columns - 1, m.Rows - 1, true
}

// CheckTileSets rejects incomplete sets and sets whose id is taken.
func CheckTileSets(custom []*geo.TileMatrixSet) error {
	seen := make(map[string]bool)
	for _, set := range custom {
		_, registered := geo.TileMatrixSetByID(set.ID)
		switch {
		case registered || seen[set.ID] || set.ID == ImageTileSetID || strings.HasPrefix(set.ID, nativePrefix):
			return fmt.Errorf("duplicate tile matrix set id %q", set.ID)
		case !identifier.IsValid(set.ID) || set.CRS == nil || len(set.Matrices) == 0:
			return fmt.Errorf("tile matrix set %q needs a valid id, a CRS and matrices", set.ID)
		}
		seen[set.ID] = true
	}
	return nil
}

// hashTileSets returns a digest of the definitions of custom sets. A set may change under the same
// id when the configuration changes. The digest of no sets is empty.
func hashTileSets(custom []*geo.TileMatrixSet) string {
	if len(custom) == 0 {
		return ""
	}
	h := sha256.New()
	for _, set := range custom {
		fmt.Fprintf(h, "%s\x00%s\x00%v\x00", set.ID, set.CRS.Key(), set.Matrices)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// mapTileSets returns all sets that a georeferenced image fits: registered ones, those of the
// configuration, and its native one.
func (l *Layer) mapTileSets(p *pyramid.Pyramid, footprint *geo.Footprint, lonLat geo.Bounds) []TileSet {
	var sets []TileSet
	for _, set := range geo.RegisteredTileMatrixSets() {
		if set.Suits(p.CRS(), lonLat) {
			sets = appendFitting(sets, p, footprint.In(set.CRS), set)
		}
	}
	for _, set := range l.config.TileSets {
		if bounds := footprint.In(set.CRS); overlaps(set, bounds, lonLat) {
			sets = appendFitting(sets, p, bounds, set)
		}
	}
	if native, ok := nativeTileSet(l.ID(), p); ok {
		sets = append(sets, native)
	}
	return sets
}

// overlaps reports whether an image and the tiles of a set share an area on the earth. Projected
// bounds are unreliable far from where a projection is valid, so the shared area must also be near
// the image in longitude and latitude.
func overlaps(set *geo.TileMatrixSet, bounds, lonLat geo.Bounds) bool {
	if set.CRS.IsGeographic() {
		return true // appendFitting compares the bounds
	}
	shared := bounds.Intersect(set.Extent())
	there := geo.NewFootprint(set.CRS, shared).In(geo.CRS84())
	for _, turn := range []float64{-360, 0, 360} {
		turned := geo.Bounds{MinX: there.MinX + turn, MinY: there.MinY, MaxX: there.MaxX + turn, MaxY: there.MaxY}
		if !turned.Intersect(lonLat).Empty() {
			return true
		}
	}
	return false
}

func appendFitting(sets []TileSet, p *pyramid.Pyramid, bounds geo.Bounds, set *geo.TileMatrixSet) []TileSet {
	if s, ok := fitTileSet(p, bounds, set); ok {
		return append(sets, s)
	}
	return sets
}

// maxDetailLoss is how much coarser than the image the last useful level may be.
const maxDetailLoss = 1.1

// fitTileSet returns a set with the useful range of levels for an image: from the last level on
// which the image fits into about one tile, to the first that shows all of its detail. ok is false
// if the image lies outside of the set.
func fitTileSet(p *pyramid.Pyramid, bounds geo.Bounds, set *geo.TileMatrixSet) (TileSet, bool) {
	extent := set.Extent()
	if set.CRS.IsGeographic() {
		bounds = wrapLongitudes(bounds, extent.Center().X, set.CRS.HalfTurn())
	}
	bounds = bounds.Intersect(extent)
	finest, err := p.Resolution(set.CRS)
	if bounds.Empty() || err != nil || !(finest > 0) || math.IsInf(finest, 0) {
		return TileSet{}, false
	}
	s := TileSet{Set: set, MaxZoom: len(set.Matrices) - 1, Bounds: bounds}
	for z := range set.Matrices {
		m := &set.Matrices[z]
		if m.Resolution*float64(m.TileWidth) >= bounds.Width() && m.Resolution*float64(m.TileHeight) >= bounds.Height() {
			s.MinZoom = z
		}
		if m.Resolution <= finest*maxDetailLoss {
			s.MaxZoom = z
			break
		}
	}
	return s, true
}

// wrapLongitudes shifts bounds of longitude and latitude by whole turns toward middle, the center
// of a map. Bounds that cross the edge of the map are extended to its full width.
func wrapLongitudes(b geo.Bounds, middle, half float64) geo.Bounds {
	turns := 2 * half * math.Round((middle-b.Center().X)/(2*half))
	b.MinX, b.MaxX = b.MinX+turns, b.MaxX+turns
	if b.MinX < middle-half || b.MaxX > middle+half {
		b.MinX, b.MaxX = middle-half, middle+half
	}
	return b
}
