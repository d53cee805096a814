package overview

import "tileserver/raster"

// LevelBuildBytes returns the approximate memory, in bytes, for building blocks of a level with the
// given bands. It excludes the blocks that are cached.
func (p *Provider) LevelBuildBytes(level int, bands []int) (bytes int64) {
	if level < p.native {
		return 0
	}
	for _, set := range p.setsOf(bands) {
		all, _ := p.withAlpha(set)
		bytes = max(bytes, p.breadthOf(len(all)).levelBytes(level)) // one after the other
	}
	return bytes
}

// LoadBytes returns the approximate memory, in bytes, for loading saved blocks of a level with the given
// bands: the blocks with all bands that are saved together, and the file of one.
func (p *Provider) LoadBytes(level int, ids []raster.BlockID, bands []int) (bytes int64) {
	largest := int64(0)
	for _, set := range p.setsOf(bands) {
		all, _ := p.withAlpha(set)
		for _, id := range ids {
			block := p.info.Levels[level].Block(id)
			one := int64(block.Width()) * int64(block.Height()) * pixelBytes(&p.info, len(all))
			bytes, largest = bytes+one, max(largest, one)
		}
	}
	return bytes + largest
}

// groupBytes returns the size of a group of blocks.
func (p *Provider) groupBytes(level, bands int) int64 {
	return p.shape.groupBytes(p.info.Levels[level], p.halvings(level), pixelBytes(&p.info, bands))
}
