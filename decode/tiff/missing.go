package tiff

import (
	"cmp"
	"context"

	"tileserver/decode/tiff/blockindex"
	"tileserver/raster"
)

const (
	// maxLookedUnits bounds how many units of a directory Missing looks up. Of more, it looks up
	// the last ones, which a truncated file mostly lacks.
	maxLookedUnits = 4 << 20

	// unitsPerLookup bounds the chunks of an index that Missing holds at a time.
	unitsPerLookup = 16 << 10
)

// Missing returns which blocks the file ends before or within, at all levels. It reads only the index of
// the blocks. The damage is total if the file has no block of the image. If all blocks lie within
// the file, known is false: any of them may still be corrupt.
func (m *Image) Missing(ctx context.Context) (damage raster.Damage, known bool, err error) {
	var found missingUnits
	for i, d := range m.levels {
		if err := found.look(ctx, d, lostBlock); err != nil {
			return raster.Damage{}, false, m.wrapError(i, err)
		}
	}
	isTotal := found.others == 0
	for i, d := range m.masks {
		if err := found.look(ctx, d, lostMaskBlock); err != nil {
			return raster.Damage{}, false, m.wrapError(i, err)
		}
	}
	damage = raster.NewDamage(found.losses, isTotal)
	return damage, !damage.IsZero(), nil
}

// missingUnits collects the units that a file ends before.
type missingUnits struct {
	losses []raster.Loss // at most one more than a raster.Damage lists
	others int64         // units that are not lost, as far as the index tells
}

// look looks up the units of a directory, which may be nil.
func (f *missingUnits) look(ctx context.Context, d *directory, kind string) error {
	if d == nil || d.unsupported != nil || d.halvings > 0 {
		return nil
	}
	units := int64(d.unitColumns()) * int64(d.unitRows()) * int64(d.samples.Planes())
	first := max(0, units-maxLookedUnits)
	f.others += first
	for ; first < units; first += unitsPerLookup {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if err := f.lookAt(ctx, d, kind, first, min(first+unitsPerLookup, units)); err != nil {
			return err
		}
	}
	return nil
}

// lookAt looks up the units from first to before end.
func (f *missingUnits) lookAt(ctx context.Context, d *directory, kind string, first, end int64) error {
	columns, rows := int64(d.unitColumns()), int64(d.unitRows())
	l := new(blockindex.Lookup)
	for number := first; number < end; {
		// The error of a stored block that cannot be decoded is left to whoever reads the block.
		u, _ := d.find(l, int(number%columns), int(number/columns%rows), int(number/columns/rows))
		if l.Missing() > 0 {
			if err := l.Load(ctx, l.Missing()); err != nil {
				return err
			}
			continue
		}
		number++
		if u.lost == nil {
			f.others++
		}
		if err := cmp.Or(u.lost, u.cut); err != nil && len(f.losses) <= raster.MaxLosses {
			f.losses = append(f.losses, u.loss(kind, err))
		}
	}
	return nil
}
