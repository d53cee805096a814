package tiff

import (
	"fmt"

	"tileserver/decode/blocks"
)

// compression is the value of the tag Compression.
type compression uint16

const (
	compressionNone        compression = 1
	compressionCCITTRLE    compression = 2
	compressionCCITTFax3   compression = 3
	compressionCCITTFax4   compression = 4
	compressionLZW         compression = 5
	compressionOldJPEG     compression = 6
	compressionJPEG        compression = 7
	compressionDeflate     compression = 8
	compressionNeXT        compression = 32766
	compressionCCITTRLEW   compression = 32771
	compressionPackBits    compression = 32773
	compressionThunderScan compression = 32809
	compressionOldDeflate  compression = 32946
	compressionSGILog      compression = 34676
	compressionLERC        compression = 34887
	compressionLZMA        compression = 34925
	compressionZSTD        compression = 50000
	compressionWebP        compression = 50001
)

// codec returns the compression's name in package blocks.
func (c compression) codec() (blocks.Compression, bool) {
	switch c {
	case compressionNone:
		return blocks.None, true
	case compressionCCITTRLE:
		return blocks.CCITTRLE, true
	case compressionCCITTFax3:
		return blocks.CCITTFax3, true
	case compressionCCITTFax4:
		return blocks.CCITTFax4, true
	case compressionLZW:
		return blocks.LZW, true
	case compressionOldJPEG:
		return blocks.OldJPEG, true
	case compressionJPEG:
		return blocks.JPEG, true
	case compressionDeflate, compressionOldDeflate:
		return blocks.Deflate, true
	case compressionNeXT:
		return blocks.NeXT, true
	case compressionThunderScan:
		return blocks.ThunderScan, true
	case compressionSGILog:
		return blocks.SGILog, true
	case compressionCCITTRLEW:
		return blocks.CCITTRLEW, true
	case compressionPackBits:
		return blocks.PackBits, true
	case compressionLERC:
		return blocks.LERC, true
	case compressionLZMA:
		return blocks.LZMA, true
	case compressionZSTD:
		return blocks.ZSTD, true
	case compressionWebP:
		return blocks.WebP, true
	}
	return "", false
}

// usesPredictor reports whether the tag Predictor applies to c. With other compressions some
// writers set it without applying it.
func (c compression) usesPredictor() bool {
	switch c {
	case compressionLZW, compressionDeflate, compressionOldDeflate, compressionLZMA, compressionZSTD:
		return true
	}
	return false
}

// hasPictures reports whether each block is a complete picture to its codec. Such a codec handles
// colors and subsampling itself.
func (c compression) hasPictures() bool {
	return c == compressionOldJPEG || c == compressionJPEG || c == compressionWebP
}

// String returns the name of c in lower case, or its number.
func (c compression) String() string {
	if codec, ok := c.codec(); ok {
		return string(codec)
	}
	switch c {
	case 9, 10, 34661:
		return "jbig"
	case 33003, 33004, 33005, 34712:
		return "jpeg 2000"
	case 34677:
		return "sgilog24"
	case 50002, 52546:
		return "jpeg xl"
	}
	return fmt.Sprintf("%d", uint16(c))
}
