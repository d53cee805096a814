package tiff

import (
	"context"
	"slices"

	"tileserver/decode/container"
)

var _ container.Image = (*Image)(nil)

// AddStorage adds to the facts how the image is stored.
func (m *Image) AddStorage(to *container.Facts) {
	d := m.description
	to.Container, to.DataType, to.Compression = "TIFF", d.Type, d.Compression
	to.Width, to.Height, to.Block = d.Width, d.Height, [2]int{d.BlockWidth, d.BlockHeight}
	to.Photometric, to.Interleave, to.Predictor, to.Bits, to.Tiled = d.Photometric, d.Interleave, d.Predictor, d.Bits, d.Tiled
	to.Masked, to.BigTIFF, to.Orientation = len(d.Masks) > 0, d.BigTIFF, d.Orientation
	to.ByteOrder = "little endian"
	if d.BigEndian {
		to.ByteOrder = "big endian"
	}
	if d.BigTIFF {
		to.Container = "BigTIFF"
	}
	for _, o := range d.Overviews {
		to.Overviews = append(to.Overviews, [2]int{o.Width, o.Height})
	}
	to.SideFiles, to.Notes = d.Beside, slices.Concat(to.Notes, d.Notes)
}

// AddMetadata adds to the facts the metadata of the file and its side files.
func (m *Image) AddMetadata(_ context.Context, to *container.Facts) error {
	metadata := m.group.Metadata()
	to.AddPAM(metadata.Domains, metadata.Bands)
	return nil
}
