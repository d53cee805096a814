package decode

import "math"

// ScratchBytes is the most that decoding a block of so many rows, stored in so many
// bytes, takes for the time beside those and the pixels that come out. It is for
// whoever reserves memory before a block is read, and so is what any stream may make
// its codec take; codecs refuse one that would take more. What a worker has for all
// blocks, tables of some kilobytes, is not in it.
func ScratchBytes(c Compression, l *Layout, rows int, stored int64) int64 {
	bytes := 0.
	if l.LowBitFirst {
		bytes += float64(stored) // as reversed
	}
	switch c {
	case JPEG, OldJPEG:
		bytes += jpegScratchBytes(l, rows, stored)
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
