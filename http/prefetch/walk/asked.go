package walk

import (
	"slices"

	"tileserver/geo"
)

// rememberedTiles is more than a view has.
const rememberedTiles = 256

// asked has the tiles that were asked for lately, the oldest of them to be replaced next.
type asked struct {
	tiles [rememberedTiles]packed
	next  int
}

// packed is a tile in one word, which is not 0. Tiles of zooms above 29 may be packed alike.
type packed uint64

func pack(t geo.TileID) packed {
	const bits = 29
	return packed(t.Z+1)<<(2*bits) | packed(t.X)&(1<<bits-1)<<bits | packed(t.Y)&(1<<bits-1)
}

func (a *asked) add(t geo.TileID) {
	a.tiles[a.next] = pack(t)
	a.next = (a.next + 1) % rememberedTiles
}

func (a *asked) has(t geo.TileID) bool { return slices.Contains(a.tiles[:], pack(t)) }

// countIn returns how many tiles of a box were asked for.
func (a *asked) countIn(zoom int, b Box) (count int) {
	b.each(func(x, y int) {
		if a.has(geo.TileID{Z: zoom, X: x, Y: y}) {
			count++
		}
	})
	return count
}

// countOf returns how many of some columns and rows were asked for.
func (a *asked) countOf(zoom int, places [][2]int) (count int) {
	for _, at := range places {
		if a.has(geo.TileID{Z: zoom, X: at[0], Y: at[1]}) {
			count++
		}
	}
	return count
}
