package tiff

import "fmt"

// budget is the memory that the directories of a file may still take. It counts what is built from
// the bytes of a file, not what is read: many directories may point at the same bytes.
type budget struct{ remaining int64 }

func (a *budget) reserve(bytes int64) error {
	if bytes > a.remaining {
		return fmt.Errorf("the directories and their values take more memory than a file may: %w", ErrLimit)
	}
	a.remaining -= bytes
	return nil
}

// maxValues returns how many values of a tag can have a meaning. Some writers store more; the rest
// is ignored.
func (t tag) maxValues(limits Limits) uint64 {
	const (
		longestPalette   = 3 << 16 // of 16-bit samples
		longestKeys      = 4 << 16 // four numbers a key, counted by 16 bits
		longestKeyValues = 2 << 16 // keys address them by 16 bits and count them by 16 bits
		maxTiepoints     = 1 << 16
		rpcNumbers       = 92
		longestOfTheRest = 16 // the transformation matrix
	)
	switch t {
	case tagBitsPerSample, tagSampleFormat, tagExtraSamples:
		return uint64(limits.Samples)
	case tagSubIFDs:
		return uint64(limits.Directories) + 1 // one too many is an error and must not be ignored
	case tagColorMap:
		return longestPalette
	case tagTiepoints:
		return 6 * maxTiepoints
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

// isKeptRaw reports whether the values of t are used byte by byte. Those of the other tags become
// numbers of eight bytes, however short they are in the file.
func (t tag) isKeptRaw() bool {
	switch t {
	case tagJPEGTables, tagGDALMetadata, tagGDALNoData, tagGeoASCII, tagColorMap:
		return true
	}
	return false
}

// memoryBytes returns the memory that the values of e take in use.
func (e *entry) memoryBytes() int64 {
	if e.tag.isKeptRaw() {
		return e.bytes()
	}
	return max(e.bytes(), 8*int64(e.count))
}
