package statistics

import (
	"slices"

	"tileserver/raster"
)

// opacityMask leaves the wholly transparent pixels of a dataset with a band of opacity out
// of the statistics of its other bands.
type opacityMask struct {
	band   int // of the dataset, or -1
	at     int // of the band among those that are read
	opaque []uint8
	merged []uint8
}

func newOpacityMask(info *raster.Info, bands []int) *opacityMask {
	m := &opacityMask{band: info.Alpha(), at: len(bands)}
	if i := slices.Index(bands, m.band); i >= 0 {
		m.at = i
	}
	return m
}

// bandsToRead is bands, and that of opacity.
func (m *opacityMask) bandsToRead(bands []int) []int {
	if m.band < 0 || m.at < len(bands) {
		return bands
	}
	return append(slices.Clone(bands), m.band)
}

// read looks at the opacity of a tile.
func (m *opacityMask) read(t raster.Tile) {
	if m.band < 0 {
		return
	}
	m.opaque = sized(m.opaque, t.Width()*t.Height())
	plane, size := t.Plane(m.at), t.Type().Size()
	for i := range m.opaque {
		m.opaque[i] = raster.Invalid
		for _, part := range plane[i*size:][:size] {
			if part != 0 {
				m.opaque[i] = raster.Valid
			}
		}
	}
}

// counted is the coverage of a band of the tile that was read, less what is transparent.
func (m *opacityMask) counted(t raster.Tile, band int) []uint8 {
	coverage := t.Validity(band)
	if m.band < 0 || band == m.at {
		return coverage
	}
	if coverage == nil {
		return m.opaque
	}
	m.merged = sized(m.merged, len(coverage))
	for i, covered := range coverage {
		m.merged[i] = covered & m.opaque[i]
	}
	return m.merged
}

// sized is buffer with another length, made anew where it is too short.
func sized(buffer []uint8, length int) []uint8 {
	if cap(buffer) < length {
		return make([]uint8, length)
	}
	return buffer[:length]
}
