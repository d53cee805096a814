package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"tileserver/cache"
	"tileserver/cache/disk"
	"tileserver/decode"
	"tileserver/decode/container"
	"tileserver/decode/formats"
	"tileserver/layer"
	"tileserver/source"
)

// opener opens files as datasets that share one decoding pool.
type opener struct {
	openerConfig
	pool    *decode.Pool
	formats *formats.Formats
	indexes *disk.Store // part of state that stores code-block indexes; or nil
}

// openerConfig configures an opener.
type openerConfig struct {
	workers  int
	inFlight byteSize

	cache  *cache.Cache // for data between decoding stages; nil: each file caches a little itself
	state  *disk.Store  // for data that outlives the process; or nil
	logger *slog.Logger // for damage in files; or nil
}

func newOpener(c openerConfig) *opener {
	pool := decode.NewPool(decode.PoolConfig{Codecs: decode.Default(), Workers: c.workers, Budget: cache.NewBudget(int64(c.inFlight))})
	o := &opener{openerConfig: c, pool: pool, formats: formats.New(formats.Config{Pool: pool, Cache: c.cache})}
	var err error
	if o.indexes, err = c.state.Sub("code-blocks", maxIndexStateBytes); err != nil && c.logger != nil {
		c.logger.Warn("state folder cannot be used, JPEG 2000 indexes will be built again after a restart", "err", err)
	}
	return o
}

// maxIndexStateBytes bounds the code-block indexes in the state folder.
const maxIndexStateBytes = 192 << 20

// stateOf returns where the code-block index of a file is stored, or nil if it must not be stored.
func (o *opener) stateOf(identity string) container.State {
	if o.indexes == nil || identity == "" {
		return nil
	}
	return identifiedState{o.indexes, identity}
}

// identifiedState is the part of a store that belongs to one file. It prefixes keys with the file's
// identity, because another file may have the same key.
type identifiedState struct {
	*disk.Store
	identity string
}

func (s identifiedState) Get(key string) ([]byte, bool) { return s.Store.Get(s.identity + ":" + key) }

func (s identifiedState) Put(key string, value []byte) error {
	return s.Store.Put(s.identity+":"+key, value)
}

// fileOptions leaves the inode out of a file's version. Replicas that each hold a copy of a file,
// with its modification time, then serve the same ETags.
var fileOptions = source.Options{WithoutInode: true}

// openSiblingFunc opens a file next to another one, by its name.
type openSiblingFunc = func(ctx context.Context, name string) (source.Source, error)

// openOptions says how to open a file.
type openOptions struct {
	id            string // of the layer, or empty
	qualityLayers int    // to decode; 0 means all
	openSibling   openSiblingFunc
	identity      string // of the content on this machine; empty if nothing of it is stored
}

// key returns the prefix of the file's pixel keys: the layer's id and the version of the bytes. It
// contains nothing specific to this machine.
func (r *openOptions) key(s source.Source) string { return r.id + "@" + s.Version() }

// diskFile is a file on disk with its siblings, as they were when it was opened.
type diskFile struct {
	*source.File
	siblings *source.Siblings
	identity string // of its content; empty if nothing of it is stored
}

// isCurrent reports whether neither the file nor its siblings have changed.
func (d diskFile) isCurrent() bool { return d.IsCurrent() && d.siblings.IsCurrent() }

// openFile opens a file on disk with its siblings.
func (o *opener) openFile(ctx context.Context, path string, options openOptions) (container.File, diskFile, error) {
	s, err := source.OpenFile(path, fileOptions)
	if err != nil {
		return nil, diskFile{}, err
	}
	d := diskFile{File: s, siblings: source.NewSiblings(path, fileOptions)}
	if o.state != nil { // a version alone is too weak to identify stored data
		if d.identity, err = identityOf(ctx, s, path); err != nil {
			return nil, diskFile{}, errors.Join(err, s.Close())
		}
	}
	options.openSibling, options.identity = d.siblings.Open, d.identity
	f, err := o.openSource(ctx, s, options)
	return f, d, err
}

// openSource opens a file from any source. The file closes the source; on an error openSource
// closes it.
func (o *opener) openSource(ctx context.Context, s source.Source, options openOptions) (container.File, error) {
	return o.formats.Open(ctx, s, container.Options{
		Key: options.key(s), QualityLayers: options.qualityLayers, Beside: options.openSibling,
		State: o.stateOf(options.identity), Warn: o.damageWarner(s),
	})
}

// newDataset returns the dataset of an image of a file. The dataset closes the file; on an error
// newDataset closes it.
func newDataset(f container.File, number int) (*layer.Dataset, error) {
	m, err := container.ImageOf(f, number)
	if err == nil {
		err = cmp.Or(m.Unsupported(), undisplayable(m))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	d := &layer.Dataset{Provider: m, Close: f.Close}
	reference := m.Georeference()
	placement, err := reference.Placement()
	switch {
	case err == nil && placement != nil:
		d.CRS, d.Placement = reference.CRS, placement
	case err != nil && reference.HasAffine && reference.CRS != nil:
		return nil, errors.Join(err, f.Close())
	default:
		d.CRSError = cmp.Or(err, reference.Missing())
	}
	return d, nil
}

// damageWarner returns a function that logs damage in a file; nil without a logger.
func (o *opener) damageWarner(s source.Source) func(note string) {
	if o.logger == nil {
		return nil
	}
	return func(note string) {
		o.logger.Warn("damaged file, serving its intact parts", "path", s.Name(), "damage", note)
	}
}

// layerOf returns the configuration of the layer of an image on disk.
func (o *opener) layerOf(image imageAddress, id string, qualityLayers int) layer.Config {
	return layer.Config{ID: id, Open: func(ctx context.Context) (*layer.Dataset, error) {
		f, file, err := o.openFile(ctx, image.path, openOptions{id: id, qualityLayers: qualityLayers})
		if err != nil {
			return nil, err
		}
		d, err := newDataset(f, image.number)
		if err != nil {
			return nil, err
		}
		d.IsCurrent, d.Settle, d.Identity = file.isCurrent, file.Settle, file.identity
		return d, nil
	}}
}

// servedLayerOf is layerOf for a server: its errors name the option to raise when a block is too
// large.
func (o *opener) servedLayerOf(image imageAddress, id string, qualityLayers int) layer.Config {
	c := o.layerOf(image, id, qualityLayers)
	open := c.Open
	c.Open = func(ctx context.Context) (*layer.Dataset, error) {
		d, err := open(ctx)
		return d, withMemoryHint(err, o.inFlight)
	}
	return c
}
