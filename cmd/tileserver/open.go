package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"tileserver/cache"
	"tileserver/cache/disk"
	"tileserver/decode"
	"tileserver/decode/jp2k"
	"tileserver/decode/tiff"
	"tileserver/layer"
	"tileserver/source"
)

// opener opens files as datasets that share one decoding pool.
type opener struct {
	openerConfig
	pool    *decode.Pool
	tiffs   *tiff.Shared
	jp2ks   *jp2k.Shared
	indexes *disk.Store // of what of the state is where code-blocks lie; or nil
}

// openerConfig is what an opener is made of.
type openerConfig struct {
	workers  int
	inFlight byteSize

	cache  *cache.Cache // of what is decoded and not yet blocks; nil: each file keeps little, by itself
	state  *disk.Store  // of what outlives the process; or nil
	logger *slog.Logger // told what is damaged; or nil
}

func newOpener(c openerConfig) *opener {
	o := &opener{
		openerConfig: c,
		pool:         decode.NewPool(decode.PoolConfig{Codecs: decode.Default(), Workers: c.workers, Budget: cache.NewBudget(int64(c.inFlight))}),
		tiffs:        tiff.NewShared(filesBytes),
		jp2ks:        newJP2KShared(c.cache),
	}
	var err error
	if o.indexes, err = c.state.Sub("code-blocks", maxIndexStateBytes); err != nil && c.logger != nil {
		c.logger.Warn("state folder cannot be used, JPEG 2000 indexes will be built again after a restart", "err", err)
	}
	return o
}

// fileOptions leave the inode out of a file's version: replicas that each hold a
// copy of a file, with its time of modification, are to serve the same ETags.
var fileOptions = source.Options{WithoutInode: true}

// besideFunc opens what lies beside a file, by its name.
type besideFunc = func(ctx context.Context, name string) (source.Source, error)

// reading is how a file is to be read.
type reading struct {
	id            string // of the layer, or empty
	qualityLayers int    // that are decoded; 0 is all
	beside        besideFunc
	identity      string // of the content on this machine, if anything is to be kept of it
}

// key begins the keys of pixels: with the layer's id and the version of the bytes, and with
// nothing of this machine.
func (r *reading) key(s source.Source) string { return r.id + "@" + s.Version() }

// onDisk is a file on disk with what lies beside it, as they were when it was opened.
type onDisk struct {
	*source.File
	beside   *source.Siblings
	identity string // of its content, if anything is to be kept of it
}

// isCurrent tells whether opening the file again would give the same.
func (d onDisk) isCurrent() bool { return d.IsCurrent() && d.beside.IsCurrent() }

// openFile opens a file on disk, with what lies beside it.
func (o *opener) openFile(ctx context.Context, path string, as reading) (container, onDisk, error) {
	s, err := source.OpenFile(path, fileOptions)
	if err != nil {
		return nil, onDisk{}, err
	}
	d := onDisk{File: s, beside: source.NewSiblings(path, fileOptions)}
	if o.state != nil { // which keeps nothing of files that are told apart by less
		if d.identity, err = identityOf(ctx, s, path); err != nil {
			return nil, onDisk{}, errors.Join(err, s.Close())
		}
	}
	as.beside, as.identity = d.beside.Open, d.identity
	c, err := o.openSource(ctx, s, as)
	return c, d, err
}

// datasetOf is an image of a file, with where it lies. The file is closed with the
// dataset, or if there is none.
func datasetOf(c container, number int) (*layer.Dataset, error) {
	m, err := pageOf(c, number)
	if err == nil {
		err = cmp.Or(m.Unsupported(), undisplayable(m))
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	d := &layer.Dataset{Provider: m, Close: c.Close}
	place := m.Georeference()
	placement, err := place.Placement()
	switch {
	case err == nil && placement != nil:
		d.CRS, d.Placement = place.CRS, placement
	case err != nil && place.HasAffine && place.CRS != nil:
		return nil, errors.Join(err, c.Close())
	default:
		d.CRSError = cmp.Or(err, place.Missing())
	}
	return d, nil
}

// warnOf is who is told what is damaged in a file.
func (o *opener) warnOf(s source.Source) func(note string) {
	if o.logger == nil {
		return nil
	}
	return func(note string) {
		o.logger.Warn("damaged file, serving its intact parts", "path", s.Name(), "damage", note)
	}
}

// layerOf describes the layer of an image on disk.
func (o *opener) layerOf(a address, id string, qualityLayers int) layer.Config {
	return layer.Config{ID: id, Open: func(ctx context.Context) (*layer.Dataset, error) {
		f, file, err := o.openFile(ctx, a.path, reading{id: id, qualityLayers: qualityLayers})
		if err != nil {
			return nil, err
		}
		d, err := datasetOf(f, a.page)
		if err != nil {
			return nil, err
		}
		d.IsCurrent, d.Settle, d.Identity = file.isCurrent, file.Settle, file.identity
		return d, nil
	}}
}

// servedLayerOf is layerOf for a server, whose log names the option that helps if a block is too
// large.
func (o *opener) servedLayerOf(a address, id string, qualityLayers int) layer.Config {
	c := o.layerOf(a, id, qualityLayers)
	open := c.Open
	c.Open = func(ctx context.Context) (*layer.Dataset, error) {
		d, err := open(ctx)
		return d, withRemedy(err, o.inFlight)
	}
	return c
}
