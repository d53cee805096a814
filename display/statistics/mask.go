package statistics

import (
	"slices"

	"tileserver/internal/reuse"
	"tileserver/raster"
)

// An opacityMask excludes fully transparent pixels from the statistics of all bands except the
// opacity band.
type opacityMask struct {
	band   int // opacity band of the dataset, or -1
	index  int // index of the opacity band among the bands read
	opaque []uint8
	merged []uint8
}

func newOpacityMask(info *raster.Info, bands []int) *opacityMask {
	m := &opacityMask{band: info.Alpha(), index: len(bands)}
	if i := slices.Index(bands, m.band); i >= 0 {
		m.index = i
	}
	return m
}

// bandsToRead returns bands and the opacity band.
func (m *opacityMask) bandsToRead(bands []int) []int {
	if m.band < 0 || m.index < len(bands) {
		return bands
	}
	return append(slices.Clone(bands), m.band)
}

// read reads the opacity of a tile.
func (m *opacityMask) read(t raster.Tile) {
	if m.band < 0 {
		return
	}
	m.opaque = reuse.Slice(m.opaque, t.Width()*t.Height())
	plane, size := t.Plane(m.index), t.Type().Size()
	for i := range m.opaque {
		m.opaque[i] = raster.Invalid
		for _, part := range plane[i*size:][:size] {
			if part != 0 {
				m.opaque[i] = raster.Valid
			}
		}
	}
}

// coverage returns the coverage of a band of the last tile read, without transparent pixels.
func (m *opacityMask) coverage(t raster.Tile, band int) []uint8 {
	coverage := t.Validity(band)
	if m.band < 0 || band == m.index {
		return coverage
	}
	if coverage == nil {
		return m.opaque
	}
	m.merged = reuse.Slice(m.merged, len(coverage))
	for i, weight := range coverage {
		m.merged[i] = weight & m.opaque[i]
	}
	return m.merged
}
