package pmtiles

import (
	"context"
	"errors"
	"fmt"
	"math"

	"tileserver/archive"
	"tileserver/archive/contents"
	"tileserver/archive/pmtiles/directory"
	"tileserver/archive/pmtiles/records"
)

// body is a file with contents of tiles, and what must be known of them to complete it.
type body struct {
	file     file
	contents *contents.Table // where each begins
	records  *records.List   // of tiles, in the order in which they came
	last     records.Record  // not in records yet; of no tiles at first

	isOrdered bool // tiles came in the order of their numbers
	written   uint64
	distinct  uint64
	tiles     uint64
}

// newBody returns an empty body. It uses half of the memory for contents, and half for records.
func newBody(f file, o Options) *body {
	return &body{
		file: f, isOrdered: true,
		contents: contents.New(o.ScratchFolder, o.MemoryBytes/2), records: records.NewList(o.ScratchFolder, o.MemoryBytes/2),
	}
}

// put adds tiles with numbers in a row and the same content, which is written if it is new.
func (b *body) put(number uint64, run uint32, content []byte) error {
	offset, err := b.contents.First(content, b.written)
	if err != nil {
		return err
	}
	if offset == b.written {
		if _, err := b.file.WriteAt(content, directory.StartBytes+int64(offset)); err != nil {
			return err
		}
		b.written += uint64(len(content))
		b.distinct++
	}
	b.tiles += uint64(run)
	return b.note(records.Record{Number: number, Offset: offset, Length: uint32(len(content)), Run: run})
}

// note appends records for tiles, one for each zoom, since software takes a run for tiles of one zoom.
func (b *body) note(r records.Record) error {
	for r.Run > 0 {
		part := r
		if behind := archive.FirstNumber(archive.ZoomOf(r.Number) + 1); r.End() > behind {
			part.Run = uint32(behind - r.Number)
		}
		if err := b.noteOfOneZoom(part); err != nil {
			return err
		}
		r.Number, r.Run = part.End(), r.Run-part.Run
	}
	return nil
}

func (b *body) noteOfOneZoom(r records.Record) error {
	if r.Number < b.last.End() {
		b.isOrdered = false
	}
	if follows(r, b.last) {
		b.last.Run += r.Run
		return nil
	}
	if err := b.flush(); err != nil {
		return err
	}
	b.last = r
	return nil
}

// follows reports whether tiles extend the run of those before them.
func follows(r, before records.Record) bool {
	return before.Run > 0 && r.Number == before.End() && r.Offset == before.Offset &&
		uint64(before.Run)+uint64(r.Run) <= math.MaxUint32 && archive.ZoomOf(r.Number) == archive.ZoomOf(before.Number)
}

// flush appends the last record to the others.
func (b *body) flush() error {
	if b.last.Run == 0 {
		return nil
	}
	err := b.records.Append(b.last)
	b.last.Run = 0
	return err
}

// copySorted copies the tiles to an empty body, in the order of their numbers.
func (b *body) copySorted(ctx context.Context, to *body) error {
	if err := errors.Join(b.flush(), b.contents.Close(), b.records.Sort()); err != nil {
		return err
	}
	end, content := uint64(0), []byte(nil)
	for r, err := range b.records.All() {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if r.Number < end {
			position, _ := archive.PositionOf(r.Number)
			return fmt.Errorf("%w: %v", archive.ErrPutTwice, position)
		}
		end, content = r.End(), append(content[:0], make([]byte, r.Length)...)
		if _, err := b.file.ReadAt(content, directory.StartBytes+int64(r.Offset)); err != nil {
			return err
		}
		if err := to.put(r.Number, r.Run, content); err != nil {
			return err
		}
	}
	return nil
}

// forget gives up what was known of the tiles.
func (b *body) forget() error { return errors.Join(b.contents.Close(), b.records.Close()) }

func (b *body) discard() error { return errors.Join(b.forget(), b.file.Discard()) }
