package tifftest

// frameBytes is the size of what GDAL writes before and after each block.
const frameBytes = 4

// placeFramed places the blocks of the last image first, with room for their frames. A block of a
// mask follows that of its image if both have the same number of blocks.
func (l *layout) placeFramed(at *uint64) {
	for i := len(l.directories) - 1; i >= 0; i-- {
		together := []*directory{l.directories[i]}
		if i > 0 && l.directories[i].isMask() && len(l.directories[i].blocks) == len(l.directories[i-1].blocks) {
			i--
			together = []*directory{l.directories[i], together[0]}
		}
		for block := range together[0].blocks {
			for _, d := range together {
				if d.blocks[block] != nil {
					d.blocksAt[block] = *at + frameBytes
					*at += frameBytes + uint64(len(d.blocks[block])) + frameBytes
				}
			}
		}
	}
}

func (d *directory) isMask() bool {
	for _, tag := range d.tags {
		if flags, ok := tag.Value.([]uint32); ok && tag.ID == tagNewSubfileType {
			return Subfile(flags[0])&Mask != 0
		}
	}
	return false
}

// frame writes the size of a block before it, and its last bytes again after it.
func (l *layout) frame(out []byte, at uint64, block []byte) {
	copy(out[at-frameBytes:], appendNumber(nil, l.order, uint64(len(block)), frameBytes))
	end := at + uint64(len(block))
	copy(out[end:], out[max(end-frameBytes, at):end])
}
