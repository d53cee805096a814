package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"tileserver/cache"
	"tileserver/decode"
	"tileserver/decode/tiff"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/source"
)

// opener opens files as datasets that share one decoding pool.
type opener struct {
	pool   *decode.Pool
	shared *tiff.Shared

	identifies bool // files, for what is kept of them beyond the end of the process
}

func newOpener(workers int, inFlight byteSize) *opener {
	pool := decode.NewPool(decode.PoolConfig{Codecs: decode.Default(), Workers: workers, Budget: cache.NewBudget(int64(inFlight))})
	return &opener{pool: pool, shared: tiff.NewShared(filesBytes)}
}

// fileOptions leave the inode out of a file's version: replicas that each hold a
// copy of a file, with its time of modification, are to serve the same ETags.
var fileOptions = source.Options{WithoutInode: true}

// besideFunc opens what lies beside a file, by its name.
type besideFunc = func(ctx context.Context, name string) (source.Source, error)

// onDisk is a file on disk with what lies beside it, as they were when it was opened.
type onDisk struct {
	*source.File
	beside *source.Beside
}

// isCurrent tells whether opening the file again would give the same.
func (d onDisk) isCurrent() bool { return d.IsCurrent() && d.beside.IsCurrent() }

// openFile opens a file on disk, with what lies beside it.
func (o *opener) openFile(ctx context.Context, path, id string) (*tiff.File, onDisk, error) {
	s, err := source.OpenFile(path, fileOptions)
	if err != nil {
		return nil, onDisk{}, err
	}
	d := onDisk{s, source.NewBeside(path, fileOptions)}
	f, err := o.openSource(ctx, s, id, d.beside.Open)
	return f, d, err
}

// openSource opens a file from wherever it is. The keys of its pixels begin with
// the layer's id and the version of the bytes, and with nothing of this machine.
// Where nothing can lie beside the file, beside is nil.
func (o *opener) openSource(ctx context.Context, s source.Source, id string, beside besideFunc) (*tiff.File, error) {
	f, err := tiff.Open(ctx, s, tiff.Config{Pool: o.pool, Shared: o.shared, Key: id + "@" + s.Version(), Beside: beside})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", s.Name(), err), s.Close())
	}
	return f, nil
}

// datasetOf is an image of a file, with where it lies. The file is closed with the
// dataset, or if there is none.
func datasetOf(f *tiff.File, page int) (*layer.Dataset, error) {
	image, err := imageOf(f, page)
	if err == nil {
		err = cmp.Or(image.Unsupported(), undisplayable(image))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	d := &layer.Dataset{Provider: image, Close: f.Close}
	place := image.Georeference()
	placement, err := placementOf(place)
	switch {
	case err == nil && placement != nil:
		d.CRS, d.Placement = place.CRS, placement
	case err != nil && place.HasAffine && place.CRS != nil:
		return nil, errors.Join(err, f.Close())
	default:
		d.Place = err
	}
	return d, nil
}

// placementOf is where the pixels of an image lie. Where nothing says that, there is
// no placement, nor an error.
func placementOf(place tiff.Georeference) (geo.Placement, error) {
	switch {
	case !place.HasAffine && len(place.ControlPoints) == 0:
		return nil, nil
	case place.CRS == nil:
		return nil, place.CRSError
	case place.HasAffine:
		return geo.NewAffinePlacement(place.Affine)
	}
	placement, err := geo.FitControlPoints(controlPoints(place), place.CRS)
	if err != nil {
		return nil, err
	}
	return placement, nil
}

// controlPoints are the points of a file as geo takes them.
func controlPoints(place tiff.Georeference) []geo.ControlPoint {
	points := make([]geo.ControlPoint, len(place.ControlPoints))
	for i, p := range place.ControlPoints {
		points[i] = geo.ControlPoint{Pixel: geo.Point{X: p.Column, Y: p.Row}, Place: geo.Point{X: p.X, Y: p.Y}}
	}
	return points
}

// layerOf describes the layer of an image on disk.
func (o *opener) layerOf(a address, id string) layer.Config {
	return layer.Config{ID: id, Open: func(ctx context.Context) (*layer.Dataset, error) {
		f, file, err := o.openFile(ctx, a.path, id)
		if err != nil {
			return nil, err
		}
		d, err := datasetOf(f, a.page)
		if err != nil {
			return nil, err
		}
		d.IsCurrent, d.Settle = file.isCurrent, file.Settle
		if o.identifies {
			if d.Identity, err = identityOf(ctx, file.File, a.path); err != nil {
				return nil, errors.Join(err, d.Close())
			}
		}
		return d, nil
	}}
}
