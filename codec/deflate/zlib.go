package deflate

// The parts of a zlib stream around its DEFLATE data (RFC 1950).
const (
	ZlibHeaderBytes   = 2
	ZlibChecksumBytes = 4 // of Adler-32, behind the data
)

// IsZlibHeader reports whether a stream that begins with two bytes, the first one highest, is a zlib
// stream that needs no dictionary.
func IsZlibHeader(header uint16) bool {
	const (
		method        = 8
		maxWindowLog  = 7 // log2 of the window size, minus 8
		hasDictionary = 1 << 5
	)
	return header>>8&15 == method && header>>12 <= maxWindowLog && header%31 == 0 && header&hasDictionary == 0
}
