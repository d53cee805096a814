// Package inflate decompresses DEFLATE and zlib data in one go, from a slice into a slice, as fast as plain Go allows.
// It must never know what the bytes mean or where they came from: no readers, no image formats, no allocation.
package inflate

import (
	"encoding/binary"
	"errors"
	"fmt"
)

var (
	// ErrCorrupt reports data that no encoder writes.
	ErrCorrupt = errors.New("inflate: corrupt data")
	// ErrChecksum is the ErrCorrupt of a zlib stream that decoded to its end, but into other bytes than were encoded.
	ErrChecksum = fmt.Errorf("%w: Adler-32 mismatch", ErrCorrupt)
	// ErrTruncated reports input that ended before the stream did.
	ErrTruncated = errors.New("inflate: truncated data")
	// ErrTooLong reports a stream that holds more bytes than the destination; the destination is full.
	ErrTooLong = errors.New("inflate: data longer than its destination")
)

// Decoder keeps its tables from one call to the next. The zero value is ready; one goroutine at a time may use it.
type Decoder struct {
	literals   literalTable
	distances  distanceTable
	holdsFixed bool // the tables are those of the fixed codes of RFC 1951, 3.2.6
	lengths    [maxLiteralSymbols + maxDistanceSymbols]uint8
	order      canonicalOrder
}

// Zlib decompresses a zlib stream into dst and returns how many bytes of dst it wrote, also with an error. Bytes after
// the stream are ignored. The checksum follows the last byte, so it is not checked when the answer is ErrTooLong.
func (d *Decoder) Zlib(dst, src []byte) (n int, err error) {
	const (
		headerBytes   = 2
		checksumBytes = 4
		deflateMethod = 8
		maxWindowLog  = 7 // log2 of the window, less 8
		hasDictionary = 1 << 5
	)
	if len(src) < headerBytes {
		return 0, fmt.Errorf("zlib header: %w", ErrTruncated)
	}
	header := binary.BigEndian.Uint16(src)
	if src[0]&15 != deflateMethod || src[0]>>4 > maxWindowLog || header%31 != 0 || header&hasDictionary != 0 {
		return 0, fmt.Errorf("zlib header %#04x: %w", header, ErrCorrupt)
	}
	n, consumed, err := d.blocks(dst, src[headerBytes:])
	if err != nil {
		return n, err
	}
	trailer := src[headerBytes+consumed:]
	if len(trailer) < checksumBytes {
		return n, fmt.Errorf("zlib checksum: %w", ErrTruncated)
	}
	if adler32Of(dst[:n]) != binary.BigEndian.Uint32(trailer) {
		return n, ErrChecksum
	}
	return n, nil
}

// Raw decompresses a DEFLATE stream into dst and returns how many bytes of dst it wrote, also with an error. Bytes after
// the stream are ignored.
func (d *Decoder) Raw(dst, src []byte) (n int, err error) {
	n, _, err = d.blocks(dst, src)
	return n, err
}

// blocks decodes blocks up to the final one and says how much of src they took.
func (d *Decoder) blocks(dst, src []byte) (n, consumed int, err error) {
	s := stream{src: src, dst: dst}
	for index := 0; ; index++ {
		header, err := s.take(3)
		if err == nil {
			err = d.block(&s, header>>1)
		}
		if err != nil {
			return s.n, s.pos, fmt.Errorf("block %d: %w", index, err)
		}
		if header&1 == 1 {
			s.alignToByte()
			return s.n, s.pos, nil
		}
	}
}

// block decodes the body of one block of the given type.
func (d *Decoder) block(s *stream, blockType uint) error {
	var err error
	switch blockType {
	case 0:
		return s.copyStored()
	case 1:
		err = d.useFixedCodes()
	case 2:
		err = d.readDynamicCodes(s)
	default:
		err = ErrCorrupt
	}
	if err != nil {
		return err
	}
	if ended, err := d.decodeFast(s); ended || err != nil {
		return err
	}
	return d.decodeCarefully(s)
}
