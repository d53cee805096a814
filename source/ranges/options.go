package ranges

import (
	"fmt"
	"math"
)

// Options controls how ranges turn into reads. The zero value of a field means its
// default.
type Options struct {
	// MergeGapBytes is the maximum distance between two ranges that are read together, including
	// the bytes between them. Default: 4 KiB. A negative value merges only ranges that touch or
	// overlap.
	MergeGapBytes int64
	// MaxMergedBytes is the maximum length of a merged read. A longer range is still one read.
	// Default: 8 MiB.
	MaxMergedBytes int64
	// MaxBytesPerCall is the maximum number of bytes that one call of ReadRanges reads, including
	// gaps between merged ranges. Default: 256 MiB.
	MaxBytesPerCall int64
	// ParallelReads is the maximum number of parallel reads of one object, over all calls. Default:
	// 16.
	ParallelReads int
}

const (
	defaultMergeGapBytes   = 4 << 10
	defaultMaxMergedBytes  = 8 << 20
	defaultMaxBytesPerCall = 256 << 20
	defaultParallelReads   = 16
)

// WithDefaults sets the defaults and checks the other values.
func (o Options) WithDefaults() (Options, error) {
	switch {
	case o.MergeGapBytes == 0:
		o.MergeGapBytes = defaultMergeGapBytes
	case o.MergeGapBytes < 0:
		o.MergeGapBytes = 0
	}
	if o.MaxMergedBytes == 0 {
		o.MaxMergedBytes = defaultMaxMergedBytes
	}
	if o.MaxBytesPerCall == 0 {
		o.MaxBytesPerCall = defaultMaxBytesPerCall
	}
	if o.ParallelReads == 0 {
		o.ParallelReads = defaultParallelReads
	}
	if o.MaxMergedBytes < 0 || o.MaxBytesPerCall < 0 || o.ParallelReads < 0 {
		return o, fmt.Errorf("source: options below zero: %+v", o)
	}
	if o.MaxBytesPerCall > math.MaxInt {
		return o, fmt.Errorf("source: MaxBytesPerCall is %d, over what this platform can address", o.MaxBytesPerCall)
	}
	return o, nil
}
