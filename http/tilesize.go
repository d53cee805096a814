package http

import "tileserver/layer"

// maxTileSide is more than any tile has, and bounds what tilesize may ask for.
const maxTileSide = 1 << 16

// tileSide is the side of tiles that tilesize asks for, or 0. A tile of another side than usual
// shows the same area, as with @2x.
func (p *parameters) tileSide() int { return p.integer("tilesize", 0, 1, maxTileSide) }

// sizeTile gives a tile the side that tilesize asks for.
func (p *parameters) sizeTile(area *layer.TileArea) {
	area.Side = p.tileSide()
	if area.Side != 0 && area.Scale > 1 {
		p.refuse("tilesize and @2x exclude each other")
	}
}
