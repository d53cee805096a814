package blocks

import (
	"math/bits"

	"github.com/klauspost/compress/zstd"
)

// zstdCompressor writes frames of Zstandard.
type zstdCompressor struct{ encoder *zstd.Encoder }

var _ compressor = zstdCompressor{}

// newZSTD returns a compressor whose window is as large as a block, so that it takes no more memory
// than that.
func newZSTD(s *Shape, effort int) (zstdCompressor, error) {
	const maxWindow = 8 << 20 // what every decoder must support
	window := min(max(1<<bits.Len(uint(s.blockBytes()-1)), zstd.MinWindowSize), maxWindow)
	encoder, err := zstd.NewWriter(nil,
		zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(effort)),
		zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false),
		zstd.WithWindowSize(window),
		zstd.WithLowerEncoderMem(true),
		zstd.WithAllLitEntropyCompression(true), // differences of noisy samples have no matches, and yet few values
	)
	return zstdCompressor{encoder}, err
}

func (c zstdCompressor) append(dst, block []byte) ([]byte, error) {
	return c.encoder.EncodeAll(block, dst), nil
}
