package jp2k

import (
	"context"
	"fmt"
	"slices"

	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/components"
	"tileserver/decode/rpc"
	"tileserver/source"
)

// File is an open file. It is safe for concurrent use.
type File struct {
	src       source.Source
	container *boxes.Container // empty for a bare codestream
	stream    *components.Codestream
	sideData  sideData
	image     *Image
	notes     []string                                                         // notes of Open
	readRPC   func(ctx context.Context, src source.Source) (*rpc.Model, error) // of a GeoTIFF; or nil
}

// Open reads the boxes of src and the main header of its codestream. The file then owns src; if
// Open fails, the caller still owns it.
func Open(ctx context.Context, src source.Source, config Config) (*File, error) {
	f := &File{src: src, readRPC: config.RPC}
	if err := f.open(ctx, config); err != nil {
		return nil, fmt.Errorf("jp2k: %w", err)
	}
	return f, nil
}

// open reads what must be known before pixels are requested.
func (f *File) open(ctx context.Context, config Config) (err error) {
	r := components.NewReader(ctx, f.src, source.Range{Length: f.src.Size()})
	if f.container, err = boxes.Read(r, boxes.Limits{}); err != nil {
		return err
	}
	extent := f.container.Codestream
	section := r.Section(source.Range{Offset: extent.Offset, Length: extent.Length})
	if f.stream, err = components.Open(section, config.Config); err != nil {
		return err
	}
	if f.sideData, err = readSideData(ctx, f, config); err != nil {
		return err
	}
	if f.image, err = newImage(f); err != nil {
		return err
	}
	f.notes = slices.Concat(f.container.Notes, f.image.bands.notes, f.sideData.notes)
	return nil
}

// Images returns the images of the file. There is one.
func (f *File) Images() []*Image { return []*Image{f.image} }

// Notes returns notes about the file for the operator, including the damage found so far.
func (f *File) Notes() []string { return slices.Concat(f.notes, f.stream.Notes()) }

// Close closes the source. The images must not be used afterwards.
func (f *File) Close() error { return f.src.Close() }
