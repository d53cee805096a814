package main

import (
	"bytes"
	"context"
	"slices"

	"tileserver/decode/tiff"
	"tileserver/raster"
	"tileserver/source"
)

var tiffFormat = format{
	name:       "TIFF",
	extensions: []string{".tif", ".tiff", ".gtiff", ".gtif", ".btf", ".tf8"},
	matches: func(head []byte) bool {
		return slices.ContainsFunc([]string{"II*\x00", "MM\x00*", "II+\x00", "MM\x00+"}, func(mark string) bool {
			return bytes.HasPrefix(head, []byte(mark))
		})
	},
	open: func(ctx context.Context, o *opener, s source.Source, options openOptions) (container, error) {
		f, err := tiff.Open(ctx, s, tiff.Config{Pool: o.pool, Shared: o.tiffs, Key: options.key(s), Beside: options.openSibling, Warn: o.damageWarner(s)})
		if err != nil {
			return nil, err
		}
		return tiffFile{f}, nil
	},
}

// tiffFile is a TIFF as a container.
type tiffFile struct{ *tiff.File }

func (f tiffFile) images() []fileImage {
	images := make([]fileImage, len(f.Images()))
	for i, m := range f.Images() {
		images[i] = tiffImage{m}
	}
	return images
}

// tiffImage is an image of a TIFF.
type tiffImage struct{ *tiff.Image }

func (m tiffImage) addStorage(info *fileInfo) {
	d := m.Description()
	info.Container, info.DataType, info.Compression = "TIFF", d.Type, d.Compression
	info.Width, info.Height, info.Block = d.Width, d.Height, [2]int{d.BlockWidth, d.BlockHeight}
	info.Photometric, info.Interleave, info.Predictor, info.Bits, info.Tiled = d.Photometric, d.Interleave, d.Predictor, d.Bits, d.Tiled
	info.Masked, info.BigTIFF, info.Orientation = len(d.Masks) > 0, d.BigTIFF, d.Orientation
	info.ByteOrder = "little endian"
	if d.BigEndian {
		info.ByteOrder = "big endian"
	}
	if d.BigTIFF {
		info.Container = "BigTIFF"
	}
	for _, o := range d.Overviews {
		info.Overviews = append(info.Overviews, [2]int{o.Width, o.Height})
	}
	info.SideFiles, info.Notes = d.Beside, slices.Concat(info.Notes, d.Notes)
}

// missing returns nil if all blocks lie within the file. Any of them may still be corrupt.
func (m tiffImage) missing(ctx context.Context) (*raster.Damage, error) {
	damage, err := m.Missing(ctx)
	if err != nil || damage.IsZero() {
		return nil, err
	}
	return &damage, nil
}

func (m tiffImage) addDetails(ctx context.Context, info *fileInfo) error {
	metadata := m.Metadata()
	info.addMetadata(metadata.Domains, metadata.Bands)
	return info.addRPC(ctx, m.Image)
}
