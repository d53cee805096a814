// Package dataset opens images of files as the datasets of layers. The server, the commands that
// read one file, and tools call it. An Opener owns the pool that decodes all of its files. The
// package must never know which files are served, nor HTTP or the command line.
package dataset

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"tileserver/cache"
	"tileserver/cache/disk"
	"tileserver/decode/container"
	"tileserver/decode/formats"
	"tileserver/decode/pool"
	"tileserver/geo"
	"tileserver/geo/sensor"
	"tileserver/gpu/gather"
	"tileserver/layer"
	"tileserver/source"
)

// Opener opens files as datasets that share one decoding pool. It is safe for concurrent use.
type Opener struct {
	Config
	Pool    *pool.Pool
	Formats *formats.Formats
	indexes *disk.Store // part of State that stores code-block indexes; or nil
}

// Config configures an Opener.
type Config struct {
	Files    source.Store // where files lie
	Workers  int          // that decode at a time
	InFlight int64        // bytes for blocks between disk and cache

	Gatherer *gather.Gatherer // of work for a device; or nil

	Cache  *cache.Cache // for data between decoding stages; nil: each file caches a little itself
	State  *disk.Store  // for data that outlives the process; or nil
	Grids  *geo.Grids   // of datum shifts; or nil
	Logger *slog.Logger // for damage in files and settings without effect; or nil
}

// NewOpener returns an Opener of files in all formats.
func NewOpener(c Config) *Opener {
	workers := pool.New(pool.Config{Workers: c.Workers, Budget: cache.NewBudget(c.InFlight), Gatherer: c.Gatherer})
	o := &Opener{Config: c, Pool: workers, Formats: formats.New(formats.Config{Pool: workers, Cache: c.Cache})}
	indexes, err := c.State.Sub("code-blocks", maxIndexStateBytes)
	switch {
	case err == nil:
		o.indexes = indexes
	case c.Logger != nil:
		c.Logger.Warn("state folder cannot be used, JPEG 2000 indexes will be built again after a restart", "err", err)
	}
	return o
}

// Over returns an Opener of files in another store. Both share all else.
func (o *Opener) Over(files source.Store) *Opener {
	other := *o
	other.Files = files
	return &other
}

// Options says how to open a file.
type Options struct {
	ID            string // of the layer, or empty
	QualityLayers int    // to decode; 0 means all
	Placing       container.Placing
	Terrain       Terrain // for a camera model
}

// key returns the prefix of the file's pixel keys: the layer's id and the version of the bytes. It
// contains nothing specific to this machine.
func (o *Options) key(s source.Source) string { return o.ID + "@" + s.Version() }

// Open opens a file of the store. The file closes the object.
func (o *Opener) Open(ctx context.Context, path string, options Options) (container.File, source.Object, error) {
	object, _, f, err := o.open(ctx, path, options)
	return f, object, err
}

// open opens a file. The identity of its content is empty if nothing of it is stored.
func (o *Opener) open(ctx context.Context, path string, options Options) (object source.Object, identity string, f container.File, err error) {
	if object, err = o.Files.Open(ctx, path); err != nil {
		return nil, "", nil, err
	}
	if o.State != nil { // a version alone is too weak to identify stored data
		if identity, err = object.Identity(ctx); err != nil {
			return nil, "", nil, errors.Join(err, object.Close())
		}
	}
	f, err = o.Formats.Open(ctx, object, container.Options{
		Key: options.key(object), QualityLayers: options.QualityLayers, Beside: object.Sibling,
		State: o.stateOf(identity), Warn: o.damageWarner(object),
	})
	return object, identity, f, err
}

// OpenSource opens a file from any source, without side files. The file closes the source; on an
// error OpenSource closes it.
func (o *Opener) OpenSource(ctx context.Context, s source.Source, options Options) (container.File, error) {
	return o.Formats.Open(ctx, s, container.Options{
		Key: options.key(s), QualityLayers: options.QualityLayers, Warn: o.damageWarner(s),
	})
}

// damageWarner returns a function that logs damage in a file; nil without a logger.
func (o *Opener) damageWarner(s source.Source) func(note string) {
	if o.Logger == nil {
		return nil
	}
	return func(note string) {
		o.Logger.Warn("damaged file, serving its intact parts", "path", source.Redacted(s.Name()), "damage", note)
	}
}

// New returns the dataset of an image of a file. The dataset closes the file; on an error New closes
// it.
func New(ctx context.Context, f container.File, number int, placing container.Placing) (*layer.Dataset, error) {
	m, err := container.ImageOf(f, number)
	if err == nil {
		err = cmp.Or(m.Unsupported(), container.CheckDisplayable(m))
	}
	var location container.Location
	if err == nil {
		location, err = container.Locate(ctx, m, placing)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	d := &layer.Dataset{Provider: m, Close: f.Close, DecodingTime: decodingTime(m), CRS: location.CRS, Placement: location.Placement, CRSError: location.Problem}
	if location.RPC != nil {
		d.GroundError = location.RPC.GroundError()
	}
	return d, nil
}

// Layer returns the configuration of the layer of an image in the store.
func (o *Opener) Layer(image Address, options Options) layer.Config {
	return layer.Config{ID: options.ID, Open: func(ctx context.Context) (*layer.Dataset, error) {
		object, identity, f, err := o.open(ctx, image.Path, options)
		if err != nil {
			return nil, asChanged(err)
		}
		d, err := New(ctx, f, image.Number, options.Placing)
		if err != nil {
			return nil, asChanged(err)
		}
		if d.CRS != nil {
			d.CRS = d.CRS.WithGrids(o.Grids)
		}
		d.ChangedAt = object.ChangedAt()
		d.IsCurrent, d.Settle, d.Identity = func() bool { return isCurrent(object) }, object.Settle, identity
		d.Source, d.Storage, d.IsFar = image.Path, o.Files.Storage(image.Path), source.IsRemote(image.Path)
		if err := o.addTerrain(ctx, d, options.Terrain); err != nil {
			return nil, errors.Join(err, d.Close())
		}
		d.Notes = options.unused(d)
		o.logNotes(options.ID, d.Notes)
		return d, nil
	}}
}

// unused returns which options have no effect on a dataset, and why.
func (o *Options) unused(d *layer.Dataset) (notes []string) {
	if _, ok := d.Placement.(*sensor.Placement); ok {
		return nil
	}
	for _, option := range []struct {
		name  string
		isSet bool
	}{{"height", o.Placing.HasHeight}, {"dem", o.Terrain != (Terrain{})}} {
		if option.isSet {
			notes = append(notes, option.name+" has no effect, since the image is not placed by RPCs")
		}
	}
	return notes
}

// logNotes logs the notes about a layer.
func (o *Opener) logNotes(id string, notes []string) {
	if o.Logger == nil {
		return
	}
	for _, note := range notes {
		o.Logger.Warn("setting of layer is unused", "layer", id, "note", note)
	}
}

// isCurrent reports whether an object is current. One whose storage does not answer counts as current:
// what is cached of it is served until more is known.
func isCurrent(object source.Object) bool {
	is, err := object.IsCurrent(context.Background())
	return is || err != nil
}
