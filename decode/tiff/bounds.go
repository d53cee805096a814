package tiff

import "fmt"

// allowance is what the directories of a file may still take in memory. It
// counts what is made of the bytes of a file and not what is read of them: many
// directories may point at the same bytes.
type allowance struct{ left int64 }

func (a *allowance) take(bytes int64) error {
	if bytes > a.left {
		return fmt.Errorf("the directories and their values take more memory than a file may: %w", ErrLimit)
	}
	a.left -= bytes
	return nil
}

// mostValues is how many values of a tag can have a meaning. Writers are known to
// give more, and those are left alone.
func (t tag) mostValues(limits Limits) uint64 {
	const (
		longestPalette   = 3 << 16 // of 16-bit samples
		longestKeys      = 4 << 16 // four numbers a key, counted by 16 bits
		longestKeyValues = 2 << 16 // which keys address by 16 bits, each as many
		mostTiepoints    = 1 << 16
		rpcNumbers       = 92
		longestOfTheRest = 16 // the transformation, a matrix
	)
	switch t {
	case tagBitsPerSample, tagSampleFormat, tagExtraSamples:
		return uint64(limits.Samples)
	case tagSubIFDs:
		return uint64(limits.Directories) + 1 // one too many is an error, and not left alone
	case tagColorMap:
		return longestPalette
	case tagTiepoints:
		return 6 * mostTiepoints
	case tagGeoKeys:
		return longestKeys
	case tagRPC:
		return rpcNumbers
	case tagGeoDoubles, tagGeoASCII:
		return longestKeyValues
	case tagJPEGTables, tagGDALMetadata, tagGDALNoData:
		return uint64(limits.ValueBytes)
	}
	return longestOfTheRest
}

// staysAsStored tells whether the values of t are used byte by byte. Those of the
// other tags become numbers of eight bytes, however short they are in the file.
func (t tag) staysAsStored() bool {
	switch t {
	case tagJPEGTables, tagGDALMetadata, tagGDALNoData, tagGeoASCII, tagColorMap:
		return true
	}
	return false
}

// memoryBytes is what the values of e take once they are in use.
func (e *entry) memoryBytes() int64 {
	if e.tag.staysAsStored() {
		return e.bytes()
	}
	return max(e.bytes(), 8*int64(e.count))
}
