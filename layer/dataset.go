package layer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/cache/disk"
	"tileserver/geo"
	"tileserver/layer/providers"
	"tileserver/layer/tilesets"
	"tileserver/layer/versions"
	"tileserver/raster"
)

// A Dataset is one opened version of a file with its side files.
type Dataset struct {
	Provider raster.Provider // uncached blocks, as stored in the file
	CRS      *geo.CRS        // nil for an image without a known place on the earth
	CRSError error           // why CRS is nil

	// Placement maps pixels to CRS. It is nil if CRS is nil.
	Placement geo.Placement

	// GroundError is the standard error of places in meters, as the file states it, or 0 if it is
	// unknown.
	GroundError float64

	Notes []string // settings without effect, and why

	Close func() error

	// Source identifies where the bytes of the file come from, and Storage what else stalls when that
	// does, such as its disk. Work that reads equal sources waits together when one stalls. If Source
	// is "", the key of Provider identifies it. If Storage is "", it is unknown.
	Source, Storage string

	// IsFar says that the file lies behind a network, where each answer takes long.
	IsFar bool

	// DecodingTime is a guess of how long a sample takes to decode on one core, until
	// pictures are measured; 0 is unknown.
	DecodingTime time.Duration

	// Identity identifies the content of the file on this machine. It is stricter than the key of
	// Provider, which replicas share: two files of equal name, size and time have equal keys.
	// Statistics and overviews are stored on disk only for datasets with an Identity.
	Identity string

	// ChangedAt is when the file was last changed, by the clock of who wrote it. If it is zero, the file
	// was complete when it appeared.
	ChangedAt time.Time

	// changeSeen is when the server saw that the file had changed; zero if it did not see that.
	changeSeen time.Time

	// IsCurrent reports whether opening the file again would give the same dataset. It must be
	// cheap. If it is nil, the file never changes.
	IsCurrent func() bool

	// Settle waits until the next version of the file is likely to be complete. If it is nil, files
	// appear complete at once.
	Settle func(ctx context.Context) error
}

// Open opens the current version of a file. The error is fs.ErrNotExist if the file is gone.
type Open func(ctx context.Context) (*Dataset, error)

// A version is one dataset with the providers built on it. Package versions describes its states.
type version struct {
	dataset   *Dataset
	saved     *disk.Group // keeps its overviews; nothing more once the next version is open; or nil
	providers providers.Set
	describe  func() Description // cached after the first call
	isPlaced  func() bool        // cached after the first call
	tileSets  tilesets.List
	damage    damageLog
}

const (
	// stillTime is how long a file must be seen unchanged until its pictures may be kept. Its writing may
	// have paused for longer than Settle waits, so that it may be half of one version and half of another.
	stillTime = 10 * time.Second

	// clockError is how wrong the clock may be of a machine that writes files. The server believes that a
	// file which it has not seen before is unchanged if it is older.
	clockError = 15 * time.Minute
)

// noteChange notes that the file was changed just now, as far as the server can tell: it saw that, or
// it has not seen the file before, and its date does not say that it is old.
func (d *Dataset) noteChange(isSeen bool) {
	if !d.ChangedAt.IsZero() && (isSeen || time.Since(d.ChangedAt) < clockError) {
		d.changeSeen = time.Now()
	}
}

// mayBeUnfinished reports whether the file was changed so recently that it may still be written to. It
// goes by what the server saw, since the clock of the machine that writes may be wrong.
func (d *Dataset) mayBeUnfinished() bool {
	return !d.changeSeen.IsZero() && time.Since(d.changeSeen) < stillTime
}

// versionsOf returns the sequence of a layer's versions, without a version.
func (c *Catalog) versionsOf(l *Layer) *versions.Sequence[version] {
	return versions.New(versions.Config[version]{
		Open:      func(ctx context.Context, previous *version) (*version, error) { return c.openVersion(ctx, l, previous) },
		IsCurrent: func(v *version) bool { return v.dataset.IsCurrent == nil || v.dataset.IsCurrent() },
		Settle:    func(ctx context.Context, v *version) error { return v.dataset.settle(ctx) },
		OnChange:  c.lastChange.record,
		OnError:   l.config.OnReopenError,
	})
}

func (d *Dataset) source() admission.Source {
	return admission.Source{Name: cmp.Or(d.Source, d.Provider.Key()), Storage: d.Storage, IsFar: d.IsFar}
}

func (d *Dataset) settle(ctx context.Context) error {
	if d.Settle == nil {
		return nil
	}
	return d.Settle(ctx)
}

// openVersion opens the version of a layer after previous, which is nil for the first one. A panic is
// an error if there is a previous version: no handler waits for the next one that would recover.
func (c *Catalog) openVersion(ctx context.Context, l *Layer, previous *version) (next *version, err error) {
	if previous != nil {
		defer recoverTo(&err)
	}
	dataset, err := l.config.Open(ctx)
	if err != nil {
		return nil, fmt.Errorf("opening: %w", err)
	}
	dataset.noteChange(previous != nil)
	if previous != nil {
		dataset.Provider = previous.keyRecord().Successor(dataset.Provider, &c.keys)
	} else {
		dataset.Provider = c.firstKey(l.ID(), dataset)
	}
	next, err = l.newVersion(dataset)
	if err != nil {
		return nil, errors.Join(err, dataset.Close())
	}
	if dataset.DecodingTime > 0 {
		l.group.rates.decoding.Guess(dataset.DecodingTime)
	}
	if previous != nil {
		c.forgetSuperseded(previous.dataset, dataset)
	}
	return next, nil
}

// recoverTo makes an error of a panic. It must be deferred.
func recoverTo(err *error) {
	if value := recover(); value != nil {
		*err = &cache.PanicError{Value: value, Stack: debug.Stack()}
	}
}

// newVersion builds the providers of a dataset.
func (l *Layer) newVersion(dataset *Dataset) (*version, error) {
	converted, err := l.providers.Convert(dataset.Provider, dataset.CRS != nil)
	if err != nil {
		return nil, err
	}
	next := &version{dataset: dataset, saved: savedOverviews(l.saved, dataset)}
	next.providers = l.chain(next, converted, nil, l.config.Style.Resampling)
	p := next.providers
	describe := sync.OnceValue(func() Description { return l.describe(dataset, p.Pyramid) })
	next.describe, next.isPlaced = describe, sync.OnceValue(func() bool { return isPlaced(p.Pyramid) })
	next.tileSets = tilesets.List{Offered: func() []tilesets.TileSet { return describe().TileSets }, Custom: l.config.TileSets}
	return next, nil
}

// keyRecord returns the record of the version's key.
func (v *version) keyRecord() *versions.Record {
	return versions.RecordOf(v.dataset.Provider, v.dataset.Identity)
}

// firstKey returns the provider of a dataset that is the first of a layer to be opened. Its key
// differs from those of all datasets of different content.
func (c *Catalog) firstKey(id string, d *Dataset) raster.Provider {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l, ok := c.served.Load().Find(id); ok {
		if record := l.versions.Last().keyRecord(); record.HasKeyOf(d.Provider) {
			return record.Returning(d.Provider, d.Identity, &c.keys)
		}
	}
	return c.retired.Rekey(id, d.Provider, d.Identity, &c.keys)
}
