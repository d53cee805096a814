package cog

import "encoding/binary"

// repeatedBytes is the number of last bytes of a block that are repeated after it.
const repeatedBytes = 4

// frameBytes is what lies around an encoded block: its size before it, its last bytes after it.
const frameBytes = sizeBytes + repeatedBytes

// beginPart appends room for the size of an encoded block, which follows.
func beginPart(record []byte) []byte { return append(record, make([]byte, sizeBytes)...) }

// endPart completes the encoded block that was begun at an index of a record.
func endPart(record []byte, begin int) []byte {
	encoded := record[begin+sizeBytes:]
	binary.LittleEndian.PutUint32(record[begin:], uint32(len(encoded)))
	var last [repeatedBytes]byte
	copy(last[:], encoded[max(len(encoded)-repeatedBytes, 0):])
	return append(record, last[:]...)
}

// A stored is where the record of a block lies in the spool of its level, and the sizes of its parts.
type stored struct {
	at          int64
	image, mask uint32
	state       state
}

// state is what is known of a block.
type state uint8

const (
	missing state = iota
	begun         // is being encoded or written
	written
	leftOut // has no valid pixel
)

// bytes returns the size of the record.
func (s *stored) bytes() int64 { return partBytes(s.image) + partBytes(s.mask) }

func partBytes(size uint32) int64 {
	if size == 0 {
		return 0
	}
	return int64(size) + frameBytes
}
