package blocks

import (
	"errors"
	"fmt"

	"tileserver/codec/next"
	"tileserver/codec/thunderscan"
	"tileserver/decode"
)

// decompressNeXT writes rows of 2-bit gray.
func decompressNeXT(dst, src []byte, job *Job) (int, error) {
	l := job.Layout
	if l.Samples != 1 || l.Bits != 2 {
		return 0, fmt.Errorf("NeXT of %d samples of %d bits: %w", l.Samples, l.Bits, decode.ErrUnsupported)
	}
	rows, err := next.Decode(dst, src, l.Width)
	return allowMissingRows(rows, err, errors.Is(err, next.ErrTruncated), job)
}

// decompressThunderScan writes rows of 4-bit gray.
func decompressThunderScan(dst, src []byte, job *Job) (int, error) {
	l := job.Layout
	if l.Samples != 1 || l.Bits != 4 {
		return 0, fmt.Errorf("ThunderScan of %d samples of %d bits: %w", l.Samples, l.Bits, decode.ErrUnsupported)
	}
	rows, err := thunderscan.Decode(dst, src, l.Width)
	return allowMissingRows(rows, err, errors.Is(err, thunderscan.ErrTruncated), job)
}

// allowMissingRows returns the number of bytes decoded. It drops a truncation error if the block
// has all rows that lie in the image.
func allowMissingRows(rows int, err error, truncated bool, job *Job) (int, error) {
	if truncated && rows >= job.Target.Height() {
		err = nil
	}
	return rows * job.Layout.RowBytes(), err
}
