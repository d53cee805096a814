package api

import (
	"tileserver/http/request"
	"tileserver/layer/areas"
)

// maxTileSide bounds the parameter tilesize. It exceeds what any tile can have.
const maxTileSide = 1 << 16

// sideOfTile returns the tile side that tilesize requests, or 0. It changes the resolution of a tile,
// not its area, like @2x.
func sideOfTile(p *request.Parameters) int { return p.Integer("tilesize", 0, 1, maxTileSide) }

// sizeTile sets the tile side that tilesize requests.
func sizeTile(p *request.Parameters, area *areas.Tile) {
	area.Side = sideOfTile(p)
	if area.Side != 0 && area.Scale > 1 {
		p.Reject("tilesize and @2x exclude each other")
	}
}
