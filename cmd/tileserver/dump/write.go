package dump

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"tileserver/cmd/tileserver/damaged"
	"tileserver/decode/container"
	"tileserver/raster"
)

// CheckAnyStored returns an error if the headers alone show that nothing of the image can be
// decoded. It ignores other errors in the headers: reading the pixels will return them.
func CheckAnyStored(ctx context.Context, m container.Image) error {
	damage, known, err := m.Missing(ctx)
	if err == nil && known && damage.IsTotal() {
		return damaged.NothingDecoded(damage)
	}
	return context.Cause(ctx)
}

// WriteInOrder writes samples to an output in sequence.
func (d *Dump) WriteInOrder(ctx context.Context, w io.Writer) error {
	return cmp.Or(d.writeInOrder(ctx, w), d.checkDecoded())
}

// WriteFile writes samples to a regular file at random offsets, with holes for missing data. To
// other files it writes them in sequence. It removes an incomplete file.
func (d *Dump) WriteFile(ctx context.Context, out string) error {
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		return errors.Join(d.WriteInOrder(ctx, file), file.Close())
	}
	err = errors.Join(cmp.Or(err, d.writeRegular(ctx, file)), file.Close())
	if err != nil {
		return errors.Join(err, os.Remove(out))
	}
	return nil
}

// writeRegular writes samples to an empty file, in one pass over the level.
func (d *Dump) writeRegular(ctx context.Context, file *os.File) error {
	size, err := d.bytes()
	if err != nil {
		return err
	}
	if err := file.Truncate(size); err != nil {
		return fmt.Errorf("the samples take %d bytes: %w", size, err)
	}
	return cmp.Or(d.writeAt(raster.InBulk(ctx), file), d.checkDecoded())
}

// checkDecoded returns an error if none of the samples could be decoded.
func (d *Dump) checkDecoded() error {
	if d.lost.isAll() {
		return damaged.NothingDecoded(d.lost.damage)
	}
	return nil
}
