package nitftest

// compressor writes the blocks of an image.
type compressor struct {
	prefix []byte // before all blocks
	block  func(b block) []byte
}

// compressor returns what writes the blocks in the compression of the image.
func (m *Image) compressor() compressor {
	if m.Stored != nil {
		return compressor{block: func(b block) []byte { return m.Stored(b.column, b.row, b.firstBand) }}
	}
	switch m.Compression {
	case "NC", "NM":
		return compressor{block: m.raw}
	case "C3", "M3":
		return compressor{block: m.jpeg}
	case "C4", "M4":
		return m.quantizer()
	case "C5", "M5":
		return compressor{block: m.losslessJPEG}
	case "I1":
		return compressor{block: m.reducedJPEG}
	}
	panic("nitftest cannot write blocks of compression " + m.Compression + ": set Stored or Data")
}

// sampled returns a block's samples of each band, row by row. Pixels beyond the image repeat its
// edge, because others would distort those at the edge.
func (m *Image) sampled(b block) [][]uint64 {
	planes := make([][]uint64, b.bands)
	for band := range planes {
		for y := range m.BlockHeight {
			for x := range m.BlockWidth {
				x, y := min(b.column*m.BlockWidth+x, m.Width-1), min(b.row*m.BlockHeight+y, m.Height-1)
				planes[band] = append(planes[band], m.encoded(x, y, b.firstBand+band))
			}
		}
	}
	return planes
}
