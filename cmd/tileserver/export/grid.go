package export

import (
	"image"
	"math"
	"slices"
	"strings"

	"tileserver/archive"
	"tileserver/cmd/tileserver/usage"
	"tileserver/export"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/layer/tilesets"
	"tileserver/nearest"
)

// area is what is exported: tiles of a set, on zooms.
type area struct {
	set   *geo.TileMatrixSet
	zooms zoomRange
	grid  export.Grid
}

// areaOf returns the tiles that the options select of layers.
func (o *Options) areaOf(layers []*layer.Layer) (area, error) {
	var sets []tilesets.TileSet
	for _, l := range layers {
		found, err := findTileSet(l, o.tileSet)
		if err != nil {
			return area{}, err
		}
		sets = append(sets, found)
	}
	if len(layers) > 1 && (o.tileSet == tilesets.ImageID || o.tileSet == nativeSet) {
		return area{}, usage.Unusablef("--tms %s is of one file; several layers need a set that they have in common", o.tileSet)
	}
	useful := zoomRange{sets[0].MinZoom, sets[0].MaxZoom}
	for _, s := range sets[1:] {
		useful = zoomRange{min(useful.first, s.MinZoom), max(useful.last, s.MaxZoom)}
	}
	zooms, err := o.zoomsOf(useful)
	if err != nil {
		return area{}, err
	}
	a := area{set: sets[0].Set, zooms: zooms}
	if last := min(len(a.set.Matrices)-1, archive.MaxZoom); zooms.last > last {
		return area{}, usage.Unusablef("--zooms %v: the last zoom of %s is %d", zooms, a.set.ID, last)
	}
	limit, err := o.limitOf(a.set)
	if err != nil {
		return area{}, err
	}
	for z := zooms.first; z <= zooms.last; z++ {
		a.grid = append(a.grid, levelOf(sets, z, limit))
	}
	if a.grid.Tiles() == 0 {
		return area{}, usage.Unusablef("--bbox %s touches nothing of the layer", o.box)
	}
	return a, nil
}

// nativeSet is what --tms calls the set of a file's own coordinate system.
const nativeSet = "native"

// findTileSet returns a set that a layer is served in.
func findTileSet(l *layer.Layer, id string) (tilesets.TileSet, error) {
	if id == nativeSet {
		id = tilesets.NativeID(l.ID())
	}
	offered := l.Describe().TileSets
	var ids []string
	for _, s := range offered {
		if s.Set.ID == id {
			return s, nil
		}
		ids = append(ids, s.Set.ID)
	}
	i := slices.Index(ids, tilesets.NativeID(l.ID()))
	if i >= 0 {
		ids[i] = nativeSet
	}
	return tilesets.TileSet{}, usage.Unusablef("%s cannot be shown in --tms %s%s; use %s", l.Title(), id, nearest.Hint(id, ids), strings.Join(ids, ", "))
}

// limitOf returns the rectangle that limits the tiles of a set, in its reference system.
func (o *Options) limitOf(set *geo.TileMatrixSet) (geo.Bounds, error) {
	box, ok, err := o.boxOf()
	if err != nil {
		return geo.Bounds{}, err
	}
	if !ok {
		return geo.Bounds{MinX: math.Inf(-1), MinY: math.Inf(-1), MaxX: math.Inf(1), MaxY: math.Inf(1)}, nil
	}
	if set.CRS == nil {
		return geo.Bounds{}, usage.Unusablef("--bbox is a place on the earth, and --tms %s has none", set.ID)
	}
	return geo.TransformBounds(geo.NewTransform(geo.CRS84(), set.CRS), box), nil
}

// levelOf returns the tiles of a zoom that any of the layers touches, within a limit.
func levelOf(sets []tilesets.TileSet, z int, limit geo.Bounds) export.Level {
	set := sets[0].Set
	m := &set.Matrices[z]
	level := export.Level{Zoom: z, Size: image.Pt(m.Columns, m.Rows), Halves: halves(set, z)}
	for _, s := range sets {
		if touched, ok := touchedBy(s.Limits(z)); ok {
			level.Wanted = level.Wanted.Union(touched)
		}
	}
	if set.CRS != nil {
		within, _ := touchedBy(set.Limits(z, limit))
		level.Wanted = level.Wanted.Intersect(within)
	}
	return level
}

// touchedBy returns limits of columns and rows as a rectangle.
func touchedBy(minColumn, minRow, maxColumn, maxRow int, ok bool) (image.Rectangle, bool) {
	if !ok {
		return image.Rectangle{}, false
	}
	return image.Rect(minColumn, minRow, maxColumn+1, maxRow+1), true
}

// halves reports whether each tile of the level above z is four tiles of z.
func halves(set *geo.TileMatrixSet, z int) bool {
	const tolerance = 1e-9
	if z == 0 {
		return false
	}
	m, above := &set.Matrices[z], &set.Matrices[z-1]
	side := m.Resolution * float64(m.TileWidth)
	return m.TileWidth == above.TileWidth && m.TileHeight == above.TileHeight &&
		math.Abs(above.Resolution-2*m.Resolution) <= tolerance*m.Resolution &&
		math.Abs(m.OriginX-above.OriginX) <= tolerance*side && math.Abs(m.OriginY-above.OriginY) <= tolerance*side &&
		m.Columns <= 2*above.Columns && m.Rows <= 2*above.Rows
}
