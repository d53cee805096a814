package cog

import (
	"bufio"
	"context"
	"io"
)

// offsetsFrom returns a function that gives the offsets of the images or masks of one block after the
// other, if the records of the level begin at an offset. Blocks that are left out have the offset 0.
func (s *spool) offsetsFrom(at int64, isMask bool) func() uint64 {
	next := 0
	return func() uint64 {
		b := &s.blocks[next]
		next++
		part := at + sizeBytes
		at += b.bytes()
		switch {
		case isMask && b.mask > 0:
			return uint64(part + partBytes(b.image))
		case !isMask && b.image > 0:
			return uint64(part)
		}
		return 0
	}
}

// sizes returns the sizes of the images or masks of blocks.
func (s *spool) sizes(isMask bool) blockValues {
	return func(block int) uint64 {
		if isMask {
			return uint64(s.blocks[block].mask)
		}
		return uint64(s.blocks[block].image)
	}
}

// copyTo writes the records in the order of their blocks. Those that lie one after the other in the
// spool are copied together.
func (s *spool) copyTo(ctx context.Context, out *bufio.Writer) error {
	for i := 0; i < len(s.blocks); {
		at, end := s.blocks[i].at, s.blocks[i].at
		for ; i < len(s.blocks) && (s.blocks[i].bytes() == 0 || s.blocks[i].at == end); i++ {
			end += s.blocks[i].bytes()
		}
		if err := s.copyRange(ctx, out, at, end); err != nil {
			return err
		}
	}
	return nil
}

// copyRange copies a range of the spool, and looks now and then whether it shall go on.
func (s *spool) copyRange(ctx context.Context, out *bufio.Writer, at, end int64) error {
	const copiedBytes = 64 << 20
	for ; at < end; at += copiedBytes {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(end-at, copiedBytes)
		if _, err := io.CopyN(out, io.NewSectionReader(s.file, at, n), n); err != nil {
			return err
		}
	}
	return nil
}
