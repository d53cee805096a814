package ogc

import (
	"math"
	"slices"
	"time"

	"tileserver/geo"
	"tileserver/http/ogc/ogcapi"
	"tileserver/http/serve"
	"tileserver/layer/tilesets"
)

// layerSet is the layers that a map shows and what they have in common. The OGC standards call the
// set of all layers the dataset. A layerSet is immutable, because requests share it.
type layerSet struct {
	changedAt time.Time
	layers    []*placedLayer // the lowest first
	tileSets  []tilesets.TileSet
	tilings   []ogcapi.Tiling
	extent    extent

	formats         []ogcapi.Format // that strangers may ask of any of them; nil is all
	fixedBackground bool            // strangers may choose it for none of them
}

func newLayerSet(layers []*placedLayer) *layerSet {
	set := &layerSet{layers: layers, tileSets: unitedTileSets(layers), extent: extentOf(layers), formats: formatsOf(layers)}
	set.fixedBackground = len(layers) > 0 && !slices.ContainsFunc(layers, func(l *placedLayer) bool { return l.Access().Strangers.AllowsParameter(background) })
	for _, t := range set.tileSets {
		if tiling := tilingOf(t); len(tiling.Limits) > 0 {
			set.tilings = append(set.tilings, tiling)
		}
	}
	return set
}

// layerSet returns all layers with a known position. Uniting the tile sets of some thousand layers
// takes longer than sending a tile, so the result is cached until the catalog changes. The time of
// the change is read before the layers, so the cached set never lacks a layer.
func (s *service) layerSet() *layerSet {
	changedAt := s.Catalog.Refresh()
	if cached := s.cachedLayers.Load(); cached != nil && cached.changedAt.Equal(changedAt) {
		return cached
	}
	var layers []*placedLayer
	for _, l := range s.Catalog.Layers() {
		if p, ok := placed(serve.Layer{Layer: l}); ok {
			layers = append(layers, p)
		}
	}
	set := newLayerSet(layers)
	set.changedAt = changedAt
	s.cachedLayers.Store(set)
	return set
}

// unitedTileSets returns the sets in which any of the layers has tiles, with united bounds. It
// omits the native grids of single layers.
func unitedTileSets(layers []*placedLayer) []tilesets.TileSet {
	var united []tilesets.TileSet
	for i := range layers {
		own := tilesets.NativeID(layers[i].ID())
		for _, t := range layers[i].description.TileSets {
			at := slices.IndexFunc(united, func(other tilesets.TileSet) bool { return other.Set.ID == t.Set.ID })
			switch {
			case t.Set.ID == own || !isNamed(t.Set):
			case at < 0:
				united = append(united, t)
			default:
				united[at].Bounds = united[at].Bounds.Union(t.Bounds)
				united[at].MaxZoom = max(united[at].MaxZoom, t.MaxZoom)
			}
		}
	}
	return united
}

// extent is the area and the resolution of layers.
type extent struct {
	bounds              geo.Bounds // in degrees of longitude and latitude
	minScaleDenominator float64    // the smallest of all layers
}

func extentOf(layers []*placedLayer) extent {
	all := extent{minScaleDenominator: math.Inf(1)}
	for i := range layers {
		all.bounds = all.bounds.Union(layers[i].description.Bounds)
		if denominator := layers[i].minScaleDenominator(); denominator > 0 {
			all.minScaleDenominator = min(all.minScaleDenominator, denominator)
		}
	}
	return all
}
