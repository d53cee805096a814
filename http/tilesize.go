package http

import "tileserver/layer"

// maxTileSide bounds the parameter tilesize. It exceeds what any tile can have.
const maxTileSide = 1 << 16

// tileSide returns the tile side that tilesize requests, or 0. It changes the resolution of a tile,
// not its area, like @2x.
func (p *parameters) tileSide() int { return p.Integer("tilesize", 0, 1, maxTileSide) }

// sizeTile sets the tile side that tilesize requests.
func (p *parameters) sizeTile(area *layer.TileArea) {
	area.Side = p.tileSide()
	if area.Side != 0 && area.Scale > 1 {
		p.Reject("tilesize and @2x exclude each other")
	}
}
