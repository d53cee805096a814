package layer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strings"

	"tileserver/geo"
	"tileserver/pyramid"
)

// ImageTileSetID names the grid of an image's own pixels.
const ImageTileSetID = "image"

// DefaultTileSetID names the grid of tiles whose address names none.
const DefaultTileSetID = "WebMercatorQuad"

// nativePrefix, before the id of a layer, names the grid of its own pixels in its reference system.
const nativePrefix = "native-"

// NativeTileSetID is the id of the grid of a layer's own pixels in its reference system.
func NativeTileSetID(layerID string) string { return nativePrefix + layerID }

// TileSet is a tile matrix set that a layer is served in.
type TileSet struct {
	Set              *geo.TileMatrixSet
	MinZoom, MaxZoom int // of what is worth looking at, as indexes of Set.Matrices

	// Bounds is where the layer lies, in the CRS of the set and within its tiles; of the image's own pixels, their columns
	// and rows.
	Bounds geo.Bounds
}

// Limits are the first and last column and row of a level that show something of the layer; ok is false where none does.
func (t TileSet) Limits(z int) (minColumn, minRow, maxColumn, maxRow int, ok bool) {
	if t.Set.CRS != nil {
		return t.Set.Limits(z, t.Bounds)
	}
	if z < 0 || z >= len(t.Set.Matrices) {
		return 0, 0, 0, 0, false
	}
	m := &t.Set.Matrices[z] // just as large as the image
	return 0, 0, m.Columns - 1, m.Rows - 1, true
}

// CheckTileSets refuses sets that cannot be told from others.
func CheckTileSets(custom []*geo.TileMatrixSet) error {
	seen := make(map[string]bool)
	for _, set := range custom {
		_, registered := geo.TileMatrixSetByID(set.ID)
		switch {
		case registered || seen[set.ID] || set.ID == ImageTileSetID || strings.HasPrefix(set.ID, nativePrefix):
			return fmt.Errorf("the tile matrix set %q has the id of another", set.ID)
		case !validID(set.ID) || set.CRS == nil || len(set.Matrices) == 0:
			return fmt.Errorf("the tile matrix set %q is not complete", set.ID)
		}
		seen[set.ID] = true
	}
	return nil
}

// versionOf names where the tiles of custom sets lie: one of the same id may have them elsewhere when the layer is given
// another config. It is empty for no sets.
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

// mapTileSets are all sets that an image fits into, which lies within bounds of longitude and latitude: the registered
// ones, those of the configuration, and the image's own grid.
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

// touches tells whether an image shares some of the earth with the tiles of a set. Far from where a projection makes sense,
// the bounds in it say little: what they share must be near the image on the globe, too.
func overlaps(set *geo.TileMatrixSet, bounds, lonLat geo.Bounds) bool {
	if set.CRS.IsGeographic() {
		return true // as far as bounds say so
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

// lostDetail is how much coarser than the image the last level of a map may be.
const maxDetailLoss = 1.1

// fitted finds the levels between which a map of the image goes, which lies within bounds there: from the last one at which
// it fits into a tile or so to the first that shows every pixel. It is false for an image that is not in the set's domain.
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

// onOneTurn is where a map shows bounds of longitude and latitude that ends half a turn of the globe from its middle: all
// around where they go across that line.
func wrapLongitudes(b geo.Bounds, middle, half float64) geo.Bounds {
	turns := 2 * half * math.Round((middle-b.Center().X)/(2*half))
	b.MinX, b.MaxX = b.MinX+turns, b.MaxX+turns
	if b.MinX < middle-half || b.MaxX > middle+half {
		b.MinX, b.MaxX = middle-half, middle+half
	}
	return b
}
