package coding

import (
	"fmt"

	"tileserver/decode/blocks"
)

// Compression is the value of the tag Compression.
type Compression uint16

// The compressions.
const (
	None        Compression = 1
	CCITTRLE    Compression = 2
	CCITTFax3   Compression = 3
	CCITTFax4   Compression = 4
	LZW         Compression = 5
	OldJPEG     Compression = 6
	JPEG        Compression = 7
	Deflate     Compression = 8
	NeXT        Compression = 32766
	CCITTRLEW   Compression = 32771
	PackBits    Compression = 32773
	ThunderScan Compression = 32809
	OldDeflate  Compression = 32946
	SGILog      Compression = 34676
	JPEG2000    Compression = 34712
	LERC        Compression = 34887
	LZMA        Compression = 34925
	ZSTD        Compression = 50000
	WebP        Compression = 50001

	// JPEG 2000 as scanners of slides name it: by the colors of the codestream, whatever the tag
	// PhotometricInterpretation says, or by its being lossy.
	AperioYCbCr   Compression = 33003
	JPEG2000Lossy Compression = 33004
	AperioRGB     Compression = 33005
)

// codec returns the compression's name in package blocks.
func (c Compression) codec() (blocks.Compression, bool) {
	switch c {
	case None:
		return blocks.None, true
	case CCITTRLE:
		return blocks.CCITTRLE, true
	case CCITTFax3:
		return blocks.CCITTFax3, true
	case CCITTFax4:
		return blocks.CCITTFax4, true
	case LZW:
		return blocks.LZW, true
	case OldJPEG:
		return blocks.OldJPEG, true
	case JPEG:
		return blocks.JPEG, true
	case Deflate, OldDeflate:
		return blocks.Deflate, true
	case NeXT:
		return blocks.NeXT, true
	case ThunderScan:
		return blocks.ThunderScan, true
	case SGILog:
		return blocks.SGILog, true
	case CCITTRLEW:
		return blocks.CCITTRLEW, true
	case PackBits:
		return blocks.PackBits, true
	case LERC:
		return blocks.LERC, true
	case LZMA:
		return blocks.LZMA, true
	case ZSTD:
		return blocks.ZSTD, true
	case WebP:
		return blocks.WebP, true
	case JPEG2000, AperioYCbCr, JPEG2000Lossy, AperioRGB:
		return blocks.JPEG2000, true
	}
	return "", false
}

// usesPredictor reports whether the tag Predictor applies to c. With other compressions some
// writers set it without applying it.
func (c Compression) usesPredictor() bool {
	switch c {
	case LZW, Deflate, OldDeflate, LZMA, ZSTD:
		return true
	}
	return false
}

// KeepsBytes reports whether the codec compresses bytes without knowing what they mean.
func (c Compression) KeepsBytes() bool {
	return c == None || c == PackBits || c.usesPredictor()
}

// hasPictures reports whether each block is a complete picture to its codec. Such a codec handles
// colors and subsampling itself.
func (c Compression) hasPictures() bool {
	return c == OldJPEG || c == JPEG || c == WebP || c.isJPEG2000()
}

// isJPEG2000 reports whether each block is a codestream of JPEG 2000.
func (c Compression) isJPEG2000() bool {
	codec, _ := c.codec()
	return codec == blocks.JPEG2000
}

// String returns the name of c in lower case, or its number.
func (c Compression) String() string {
	if codec, ok := c.codec(); ok {
		return string(codec)
	}
	switch c {
	case 9, 10, 34661:
		return "jbig"
	case 34677:
		return "sgilog24"
	case 50002, 52546:
		return "jpeg xl"
	}
	return fmt.Sprintf("%d", uint16(c))
}
