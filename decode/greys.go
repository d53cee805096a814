package decode

import (
	"errors"
	"fmt"

	"tileserver/decode/next"
	"tileserver/decode/thunderscan"
)

// decompressNeXT writes rows of four greys.
func decompressNeXT(dst, src []byte, job *Job) (int, error) {
	l := job.Layout
	if l.Samples != 1 || l.Bits != 2 {
		return 0, fmt.Errorf("NeXT of %d samples of %d bits: %w", l.Samples, l.Bits, ErrUnsupported)
	}
	rows, err := next.Decode(dst, src, l.Width)
	return wantedRows(rows, err, errors.Is(err, next.ErrTruncated), job)
}

// decompressThunderScan writes rows of 16 greys.
func decompressThunderScan(dst, src []byte, job *Job) (int, error) {
	l := job.Layout
	if l.Samples != 1 || l.Bits != 4 {
		return 0, fmt.Errorf("ThunderScan of %d samples of %d bits: %w", l.Samples, l.Bits, ErrUnsupported)
	}
	rows, err := thunderscan.Decode(dst, src, l.Width)
	return wantedRows(rows, err, errors.Is(err, thunderscan.ErrTruncated), job)
}

// wantedRows lets a block end after the rows that are in the image.
func wantedRows(rows int, err error, truncated bool, job *Job) (int, error) {
	if truncated && rows >= job.Target.Height() {
		err = nil
	}
	return rows * job.Layout.RowBytes(), err
}
