package http

import (
	"tileserver/geo"
	"tileserver/layer"
)

// maxTileScale is how many times as many pixels a side as usual a tile may have.
const maxTileScale = 4

// sizeTile gives a tile the side that tilesize asks for, a few times that of its tile matrix
// set: the tile shows the same area in more detail, as with @2x.
func (s *server) sizeTile(p *parameters, layerID string, area *layer.TileArea) error {
	if p.text("tilesize") == "" {
		return p.err
	}
	l, err := s.Catalog.Layer(layerID)
	if err != nil {
		return err
	}
	if area.Scale > 1 {
		p.refuse("tilesize and @2x exclude each other")
		return p.err
	}
	usual, ok := tileSideOf(l, area.TileSet)
	if !ok {
		return noSuchTileMatrixSet(area.TileSet)
	}
	area.Scale = p.tileScale(usual)
	return p.err
}

// tileScale is how many times the usual side of tiles the one is that tilesize asks for.
func (p *parameters) tileScale(usual int) int {
	side := p.integer("tilesize", usual, 1, maxTileScale*usual)
	if side%usual != 0 {
		p.refuse("tilesize must be %d, or 2 to %d times that, not %d", usual, maxTileScale, side)
		return 1
	}
	return side / usual
}

// tileSideOf is the usual side of tiles of a tile matrix set that a layer may be asked for in.
func tileSideOf(l *layer.Layer, setID string) (side int, ok bool) {
	for _, t := range l.Describe().TileSets {
		if t.Set.ID == setID {
			return t.Set.Matrices[0].TileWidth, true
		}
	}
	if set, ok := geo.TileMatrixSetByID(setID); ok {
		return set.Matrices[0].TileWidth, true
	}
	return 0, false
}
