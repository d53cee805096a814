package lzma

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"hash/crc64"
)

// checkKind identifies the check of the decoded bytes of a block.
type checkKind uint8

const (
	checkNone    checkKind = 0
	checkCRC32   checkKind = 1
	checkCRC64   checkKind = 4
	checkSHA256  checkKind = 10
	maxCheckKind           = 15
)

func (c checkKind) isKnown() bool {
	return c == checkNone || c == checkCRC32 || c == checkCRC64 || c == checkSHA256
}

// verify reads the check of a block and compares it with that of the decoded bytes.
func (c checkKind) verify(in *input, decoded []byte) error {
	equal := true
	var stored []byte
	var err error
	switch c {
	case checkCRC32:
		if stored, err = in.take(4); err == nil {
			equal = crc32.ChecksumIEEE(decoded) == binary.LittleEndian.Uint32(stored)
		}
	case checkCRC64:
		if stored, err = in.take(8); err == nil {
			equal = crc64.Checksum(decoded, crc64.MakeTable(crc64.ECMA)) == binary.LittleEndian.Uint64(stored)
		}
	case checkSHA256:
		if stored, err = in.take(sha256.Size); err == nil {
			equal = sha256.Sum256(decoded) == [sha256.Size]byte(stored)
		}
	}
	if err != nil {
		return fmt.Errorf("check: %w", err)
	}
	if !equal {
		return ErrChecksum
	}
	return nil
}
