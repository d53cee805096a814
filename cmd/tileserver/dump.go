package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"tileserver/raster"
)

// dump is the samples of a window of a level, to be written band after band. It holds about as
// many bytes of pixels at a time as it has room for, or one block if that takes more.
type dump struct {
	provider raster.Provider
	level    int
	window   raster.Rect
	bands    []int
	room     int64
	lost     lostPixels
}

// lostPixels is what was lost of the pixels that were read until now.
type lostPixels struct {
	damage  raster.Damage
	isBegun bool
	isSeen  bool // a pixel has data
}

func (l *lostPixels) add(t raster.Tile) {
	d := t.Damage()
	switch {
	case !l.isBegun:
		l.isBegun, l.damage = true, d
	case !d.IsZero() || l.damage.IsTotal():
		l.damage = l.damage.Join(d)
	}
	l.isSeen = l.isSeen || d.IsZero() || t.AnyValid()
}

// isAll reports whether nothing of the pixels could be decoded.
func (l *lostPixels) isAll() bool {
	return !l.damage.IsZero() && (l.damage.IsTotal() || !l.isSeen)
}

// bytes is how long the output is. It fails where no file can be as long.
func (d *dump) bytes() (int64, error) {
	size := int64(1)
	for _, factor := range []int{d.window.Width(), d.window.Height(), len(d.bands), d.sampleBytes()} {
		if int64(factor) > math.MaxInt64/size {
			return 0, errors.New("the samples take more bytes than a file can have")
		}
		size *= int64(factor)
	}
	return size, nil
}

func (d *dump) sampleBytes() int { return d.provider.Info().Type.Size() }

// writeAt writes all samples but those that are zero to an output that is zeros.
func (d *dump) writeAt(ctx context.Context, w io.WriterAt) error {
	for _, bands := range d.bandsAtATime() {
		for piece := range d.pieces(len(bands)) {
			if err := d.writePiece(ctx, w, piece, bands); err != nil {
				return err
			}
		}
	}
	return context.Cause(ctx)
}

// writeInOrder writes all samples from the first to the last, to an output that takes them in no
// other order. Blocks that are needed for several bands are read once for each.
func (d *dump) writeInOrder(ctx context.Context, w io.Writer) error {
	var buffer samplesBuffer
	for _, band := range d.bands {
		for strip := range d.strips() {
			part := *d
			part.window, part.bands, part.room = strip, []int{band}, d.room/2
			buffer.reset(strip.Width() * strip.Height() * d.sampleBytes())
			err := part.writeAt(ctx, &buffer)
			d.lost = part.lost
			if err != nil {
				return err
			}
			if _, err := w.Write(buffer.bytes); err != nil {
				return fmt.Errorf("writing: %w", err)
			}
		}
	}
	return nil
}

// samplesBuffer is an output in memory.
type samplesBuffer struct{ bytes []byte }

func (b *samplesBuffer) reset(size int) {
	if cap(b.bytes) < size {
		b.bytes = make([]byte, size)
	}
	b.bytes = b.bytes[:size]
	clear(b.bytes)
}

func (b *samplesBuffer) WriteAt(p []byte, offset int64) (int, error) {
	return copy(b.bytes[offset:], p), nil
}
