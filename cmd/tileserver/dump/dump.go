// Package dump reads the samples of one image within a bounded memory, to write them or to find out
// what is lost. Commands read and info call it. It must never know how samples become colors.
//
// Words: a *piece* is a part of a window that is read at once; a *strip* is some rows of one band.
package dump

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"tileserver/raster"
)

// A Dump writes the samples of a window of a level, band after band. It holds about Room bytes of
// pixels at a time, or one block if that is larger.
type Dump struct {
	Provider raster.Provider
	Level    int
	Window   raster.Rect
	Bands    []int
	Room     int64 // bytes of pixels at a time

	lost lostPixels
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
func (d *Dump) bytes() (int64, error) {
	size := int64(1)
	for _, factor := range []int{d.Window.Width(), d.Window.Height(), len(d.Bands), d.sampleBytes()} {
		if int64(factor) > math.MaxInt64/size {
			return 0, errors.New("the samples take more bytes than a file can have")
		}
		size *= int64(factor)
	}
	return size, nil
}

func (d *Dump) sampleBytes() int { return d.Provider.Info().Type.Size() }

// writeAt writes all nonzero samples to an output that is filled with zeros.
func (d *Dump) writeAt(ctx context.Context, w io.WriterAt) error {
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
func (d *Dump) writeInOrder(ctx context.Context, w io.Writer) error {
	var buffer samplesBuffer
	for _, band := range d.Bands {
		for strip := range d.strips() {
			part := *d
			part.Window, part.Bands, part.Room = strip, []int{band}, d.Room/2
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

// Damage returns what is lost of the pixels read so far.
func (d *Dump) Damage() raster.Damage { return d.lost.damage }
