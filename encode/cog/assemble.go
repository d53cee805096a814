package cog

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"tileserver/internal/unfinished"
)

// Finish writes the COG of all blocks under its name, at once and for good: until it exists, a file of
// that name stays as it was.
func (w *Writer) Finish(ctx context.Context) error {
	err := w.finish(ctx)
	return errors.Join(err, w.Abort())
}

func (w *Writer) finish(ctx context.Context) error {
	for i, level := range w.levels {
		if err := level.check(w.image.Info.Levels[i].Columns()); err != nil {
			return fmt.Errorf("level %d: %w", i, err)
		}
	}
	out, err := w.temporary()
	if err != nil {
		return err
	}
	err = w.assemble(ctx, out)
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err == nil {
		err = os.Rename(out.Name(), w.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(out.Name()))
	}
	return unfinished.SyncFolder(filepath.Dir(w.path))
}

// assemble writes everything in the order of the file.
func (w *Writer) assemble(ctx context.Context, to io.WriterAt) error {
	images, err := w.images()
	if err != nil {
		return err
	}
	head := func(big bool) int { return len(appendHead(nil, big, w.masks != nil)) }
	l := newLayout(images, head, w.recordBytes(), w.image.Big)
	const bufferBytes = 1 << 20
	out := bufio.NewWriterSize(io.NewOffsetWriter(to, 0), bufferBytes)
	if _, err := out.Write(w.directories(&l)); err != nil {
		return err
	}
	if err := w.writeArrays(out, &l); err != nil {
		return err
	}
	for level := len(w.levels) - 1; level >= 0; level-- {
		if err := w.levels[level].copyTo(ctx, out); err != nil {
			return fmt.Errorf("level %d: %w", level, err)
		}
		if err := w.levels[level].remove(); err != nil { // its room is needed for the next one
			return err
		}
	}
	return out.Flush()
}

// images returns the images and masks in the order of their directories, as GDAL has it: the full image
// and its mask, all overviews, and the masks of all overviews.
func (w *Writer) images() ([]fileImage, error) {
	tables, err := w.encoder.JPEGTables()
	if err != nil {
		return nil, err
	}
	images := []fileImage{}
	var masks []fileImage
	for level := range w.levels {
		images = append(images, fileImage{directory: w.image.describe(level, tables, w.encoder.Coding()), level: level})
		if w.masks == nil {
			continue
		}
		mask := fileImage{directory: w.image.describeMask(level), level: level, isMask: true}
		if level == 0 {
			images = append(images, mask)
		} else {
			masks = append(masks, mask)
		}
	}
	return append(images, masks...), nil
}

// recordBytes returns the size of all records of each level.
func (w *Writer) recordBytes() []int64 {
	sizes := make([]int64, len(w.levels))
	for i, level := range w.levels {
		sizes[i] = level.bytes
	}
	return sizes
}

// directories returns the head of the file and all directories.
func (w *Writer) directories(l *layout) []byte {
	out := appendHead(nil, l.big, w.masks != nil)
	for i := range l.images {
		f := &l.images[i]
		next := 0
		if i+1 < len(l.images) {
			next = l.images[i+1].at
		}
		level := w.levels[f.level]
		offsets := level.offsetsFrom(l.recordsAt[f.level], f.isMask)
		out = f.append(out, l, next, func(int) uint64 { return offsets() }, level.sizes(f.isMask))
	}
	return out
}

// writeArrays writes the arrays that do not fit into directories.
func (w *Writer) writeArrays(out *bufio.Writer, l *layout) error {
	var number []byte
	for i := range l.images {
		f := &l.images[i]
		level := w.levels[f.level]
		offsets, sizes := level.offsetsFrom(l.recordsAt[f.level], f.isMask), level.sizes(f.isMask)
		if f.offsetsAt > 0 {
			for range f.blocks {
				number = appendBytes(number[:0], offsets(), offsetBytes(l.big))
				if _, err := out.Write(number); err != nil {
					return err
				}
			}
		}
		if f.sizesAt > 0 {
			for block := range f.blocks {
				number = appendBytes(number[:0], sizes(block), sizeBytes)
				if _, err := out.Write(number); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
