package source

import (
	"fmt"
	"math"
)

// Options are how a Source turns ranges into reads. The zero value of each field means its default.
type Options struct {
	// MergeGapBytes is how far apart two ranges may be to be read in one go, with what lies between them. Default:
	// 4 KiB; below zero, only ranges that touch or overlap merge.
	MergeGapBytes int64
	// MaxMergedBytes is how long a read may become by merging. A longer range is one read all the same. Default: 8 MiB.
	MaxMergedBytes int64
	// MaxBytesPerCall is how many bytes one call of ReadRanges may read, what lies between merged ranges included.
	// Default: 256 MiB.
	MaxBytesPerCall int64
	// ParallelReads is how many reads of one Source are under way at a time, over all calls. Default: 16.
	ParallelReads int
	// WithoutInode leaves the number of a file out of its version, so that replicas that each hold a copy, with the
	// same modification time, have the same version. A file that another one of the same size and time replaces then
	// keeps its version.
	WithoutInode bool
}

const (
	defaultMergeGapBytes   = 4 << 10
	defaultMaxMergedBytes  = 8 << 20
	defaultMaxBytesPerCall = 256 << 20
	defaultParallelReads   = 16
)

// withDefaults fills in the defaults and checks the rest.
func (o Options) withDefaults() (Options, error) {
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
