package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"tileserver/cache"
	"tileserver/decode"
	"tileserver/decode/tiff"
	"tileserver/layer"
	"tileserver/source"
)

// opener opens files as datasets that share one decoding pool.
type opener struct {
	pool *decode.Pool
}

func newOpener(workers int, inFlight byteSize) *opener {
	return &opener{decode.NewPool(decode.PoolConfig{
		Codecs: decode.Default(), Workers: workers, Budget: cache.NewBudget(int64(inFlight)),
	})}
}

// fileOptions leave the inode out of a file's version: replicas that each hold a
// copy of a file, with its time of modification, are to serve the same ETags.
var fileOptions = source.Options{WithoutInode: true}

// openFile opens a file on disk.
func (o *opener) openFile(ctx context.Context, path, id string) (*tiff.File, error) {
	s, err := source.OpenFile(path, fileOptions)
	if err != nil {
		return nil, err
	}
	return o.openSource(ctx, s, id)
}

// openSource opens a file from wherever it is. The keys of its pixels begin with
// the layer's id and the version of the bytes, and with nothing of this machine.
func (o *opener) openSource(ctx context.Context, s source.Source, id string) (*tiff.File, error) {
	f, err := tiff.Open(ctx, s, tiff.Config{Pool: o.pool, Key: id + "@" + s.Version()})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", s.Name(), err), s.Close())
	}
	return f, nil
}

// datasetOf is the first image of a file, with where it lies.
func datasetOf(f *tiff.File) (*layer.Dataset, error) {
	image := f.Images()[0]
	if err := cmp.Or(image.Unsupported(), image.Undisplayable()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	d := &layer.Dataset{Provider: image, Close: f.Close}
	place := image.Georeference()
	switch {
	case place.HasAffine && place.CRS != nil:
		d.CRS, d.Affine = place.CRS, place.Affine
	case place.HasAffine:
		d.Place = place.CRSError
	}
	return d, nil
}

// layerOf describes the layer of a file on disk.
func (o *opener) layerOf(path, id string) layer.Config {
	return layer.Config{ID: id, Open: func(ctx context.Context) (*layer.Dataset, error) {
		s, err := source.OpenFile(path, fileOptions)
		if err != nil {
			return nil, err
		}
		f, err := o.openSource(ctx, s, id)
		if err != nil {
			return nil, err
		}
		d, err := datasetOf(f)
		if err == nil {
			d.IsCurrent = s.IsCurrent
		}
		return d, err
	}}
}
