package blocks

import "math"

// ScratchBytes returns the maximum memory that decoding a block takes, beside the stored bytes and
// the decoded pixels. Callers reserve it before they read the block. So it covers any stream that
// the codec accepts; codecs reject a stream that would need more. It does not count memory that a
// worker keeps between blocks, such as tables of some kilobytes.
func ScratchBytes(c Compression, l *Layout, rows int, stored int64) int64 {
	bytes := 0.
	if l.LowBitFirst {
		bytes += float64(stored) // the copy with reversed bits
	}
	switch c {
	case JPEG, OldJPEG:
		bytes += jpegScratchBytes(l, rows, stored)
	case JPEG2000:
		bytes += jpeg2000ScratchBytes(l, rows)
	case LERC:
		bytes += lercScratchBytes(l, rows)
	case WebP:
		bytes += l.blockBytes(rows) + webpScratchBytes(l, rows)
	case CCITTRLE, CCITTRLEW, CCITTFax3, CCITTFax4:
		bytes += l.blockBytes(rows) + ccittScratchBytes(l, stored)
	case SGILog:
		bytes += sgilogScratchBytes(l, rows)
	default:
		bytes += l.blockBytes(rows)
	}
	return int64(min(bytes, math.MaxInt64/2))
}
