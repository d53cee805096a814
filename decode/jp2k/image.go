package jp2k

import (
	"context"

	"tileserver/decode/container"
	"tileserver/decode/georeference"
	"tileserver/decode/jp2k/pixels"
	"tileserver/decode/rpc"
	"tileserver/raster"
	"tileserver/source"
)

// Image is the image of a file: the pixels of its codestream, with what the file says about them.
type Image struct {
	*pixels.Provider
	file  *File
	bands bands
}

var _ container.Image = (*Image)(nil)

// newImage combines what the boxes, the codestream and the side files say about the image.
func newImage(f *File) (*Image, error) {
	b := newBands(f.container, f.stream.Header())
	var info raster.Info
	b.describe(&info)
	annotate(&info, f.sideData.noted)
	provider, err := pixels.NewProvider(f.stream, pixels.Image{
		Key: f.stream.Key() + f.sideData.beside.Versions(), Info: info, Bands: b.sources(f.container.Palette),
	})
	if err != nil {
		return nil, err
	}
	return &Image{provider, f, b}, nil
}

// Undisplayable returns an error if the samples must not be shown as gray or as red, green and
// blue. They can be read nevertheless.
func (m *Image) Undisplayable() error { return m.bands.undisplayable() }

// Georeference returns the georeference of the image.
func (m *Image) Georeference() georeference.Georeference { return m.file.sideData.place }

// RPC reads the camera model of the image from its side files or else from GeoJP2, or returns nil if
// there is none. The file must still be open.
func (m *Image) RPC(ctx context.Context) (*rpc.Model, error) {
	model, err := m.file.sideData.beside.RPC(ctx, m.file.sideData.noted)
	if model != nil || err != nil || m.file.readRPC == nil {
		return model, err
	}
	boxes := m.file.container.GeoTIFFs()
	for _, content := range boxes[:min(len(boxes), maxGeoTIFFs)] {
		if model, err = m.file.readRPC(ctx, source.NewBytes("GeoJP2", content)); model != nil {
			model.From = "GeoJP2"
			return model, nil
		}
	}
	return nil, err
}
