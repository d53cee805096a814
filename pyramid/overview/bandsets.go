package overview

import (
	"slices"

	"tileserver/raster"
)

// All bands of most files are built together: most files store them in the same blocks, and then any
// request for bands finds what it needs. A pixel of a wider file would fill the cache with bands that
// nobody wants, so that its bands are built in sets.
const (
	maxPixelBytes = 16 // of all bands together
	wideSetBands  = 4
)

// bandSetsOf divides the bands of a file into band sets.
func bandSetsOf(info *raster.Info) [][]int {
	bands := info.AllBands()
	if len(bands)*info.Type.Size() <= maxPixelBytes {
		return [][]int{bands}
	}
	return slices.Collect(slices.Chunk(bands, wideSetBands))
}

// setsOf returns the band sets that have the given bands, each once.
func (p *Provider) setsOf(bands []int) (sets [][]int) {
	for _, set := range p.bandSets {
		if slices.ContainsFunc(bands, func(band int) bool { return slices.Contains(set, band) }) {
			sets = append(sets, set)
		}
	}
	return sets
}

// BuiltBands returns how many bands are built for a request for the given ones.
func (p *Provider) BuiltBands(bands []int) (count int) {
	for _, set := range p.setsOf(bands) {
		all, _ := p.withAlpha(set)
		count += len(all)
	}
	return count
}

// selectBands returns the blocks with the given bands in the given order. built has the blocks of each
// band set, which may have further bands behind those of the set. Neighboring bands, such as the first
// three of four, are not copied.
func selectBands(built [][]raster.Tile, sets [][]int, bands []int) []raster.Tile {
	if len(sets) == 1 && slices.Equal(sets[0], bands) && (len(built[0]) == 0 || built[0][0].Bands() == len(bands)) {
		return built[0]
	}
	if first := slices.Index(sets[0], bands[0]); len(sets) == 1 && isRun(bands) {
		selected := make([]raster.Tile, len(built[0]))
		for i, tile := range built[0] {
			selected[i] = tile.WithBands(first, len(bands))
		}
		return selected
	}
	sources := make([]bandSource, len(bands))
	for i, band := range bands {
		for set, members := range sets {
			if at := slices.Index(members, band); at >= 0 {
				sources[i] = bandSource{built[set], at}
			}
		}
	}
	selected := make([]raster.Tile, len(built[0]))
	for i := range selected {
		selected[i] = joinBands(sources, i)
	}
	return selected
}

// isRun reports whether each band follows the one before.
func isRun(bands []int) bool {
	for i := range bands {
		if bands[i] != bands[0]+i {
			return false
		}
	}
	return true
}

// A bandSource says where a band is: at an index of the tiles of its band set.
type bandSource struct {
	tiles []raster.Tile
	band  int
}

// joinBands returns a tile with a copy of each band of the i-th tiles.
func joinBands(sources []bandSource, i int) raster.Tile {
	first := sources[0].tiles[i]
	b := raster.NewBuffer(first.Type(), first.Width(), first.Height(), len(sources))
	validity := make([][]uint8, len(sources))
	for at, source := range sources {
		tile := source.tiles[i]
		b.InheritDamage(tile)
		copy(b.Plane(at), tile.Plane(source.band))
		validity[at] = tile.Validity(source.band)
	}
	return b.Freeze().WithBandValidity(validity)
}
