package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"tileserver/raster"
)

// dump writes the samples of a window of a level, band after band. It holds about room bytes of
// pixels at a time, or one block if that is larger.
type dump struct {
	provider raster.Provider
	level    int
	window   raster.Rect
	bands    []int
	room     int64
	lost     lostPixels
}

// lostPixels accumulates the damage to the pixels read so far.
type lostPixels struct {
	damage  raster.Damage
	isBegun bool
	hasData bool // any pixel has data
}

func (l *lostPixels) add(t raster.Tile) {
	d := t.Damage()
	switch {
	case !l.isBegun:
		l.isBegun, l.damage = true, d
	case !d.IsZero() || l.damage.IsTotal():
		l.damage = l.damage.Join(d)
	}
	l.hasData = l.hasData || d.IsZero() || t.AnyValid()
}

// isAll reports whether none of the pixels could be decoded.
func (l *lostPixels) isAll() bool {
	return !l.damage.IsZero() && (l.damage.IsTotal() || !l.hasData)
}

// bytes returns the size of the output. It returns an error if no file can be that large.
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

// writeAt writes all nonzero samples to an output that is filled with zeros.
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

// writeInOrder writes all samples in sequence, to an output without random access. It reads blocks
// once per band.
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

// samplesBuffer is an io.WriterAt in memory.
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
