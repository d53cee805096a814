package lzma

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// blockSizes holds the index entry of a block.
type blockSizes struct {
	unpadded uint64 // including header and check, without padding
	decoded  uint64
}

// sizeDigest counts blocks and hashes their sizes, so that the index can be compared without
// storing it. The hash does not protect against forgery; neither do the checksums.
type sizeDigest struct {
	count uint64
	hash  uint64
}

func (t *sizeDigest) add(s blockSizes) {
	const prime = 0x100000001b3
	t.count++
	t.hash = (t.hash*prime+s.unpadded)*prime + s.decoded
}

// readIndex reads the sizes of all blocks, and compares them with those of the decoded blocks. It
// returns the length of the index.
func readIndex(in *input, blocks sizeDigest) (indexBytes int, err error) {
	begin := in.pos
	in.pos++ // the zero that distinguishes the index from a block
	count, err := in.number()
	if err == nil && count != blocks.count {
		err = fmt.Errorf("%d blocks, expected %d: %w", count, blocks.count, ErrCorrupt)
	}
	if err != nil {
		return 0, err
	}
	var listed sizeDigest
	for range count {
		var s blockSizes
		if s.unpadded, err = in.number(); err != nil {
			return 0, err
		}
		if s.decoded, err = in.number(); err != nil {
			return 0, err
		}
		listed.add(s)
	}
	if listed != blocks {
		return 0, fmt.Errorf("block sizes do not match: %w", ErrCorrupt)
	}
	if err := in.takePadding(begin); err != nil {
		return 0, err
	}
	body := in.src[begin:in.pos]
	stored, err := in.take(4)
	if err != nil {
		return 0, err
	}
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(stored) {
		return 0, fmt.Errorf("CRC-32: %w", ErrCorrupt)
	}
	return in.pos - begin, nil
}
