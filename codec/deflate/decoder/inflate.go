// Package decoder decompresses DEFLATE and zlib data from one slice into another in a single call.
// Decoders of image formats call it for compressed blocks. It knows nothing about the content of
// the data, offers no readers, and allocates no memory.
package decoder

import (
	"encoding/binary"
	"errors"
	"fmt"

	"tileserver/codec/adler32"
	"tileserver/codec/deflate"
	"tileserver/decode"
)

var (
	// ErrCorrupt reports invalid data.
	ErrCorrupt = decode.Corrupt("inflate: corrupt data")
	// ErrChecksum wraps ErrCorrupt. It reports a zlib stream that decoded completely but whose
	// checksum does not match.
	ErrChecksum = fmt.Errorf("%w: Adler-32 mismatch", ErrCorrupt)
	// ErrTruncated reports input that ends before the stream does.
	ErrTruncated = decode.Corrupt("inflate: truncated data")
	// ErrTooLong reports a stream that is longer than the destination, which is filled.
	ErrTooLong = errors.New("inflate: data longer than its destination")
)

// Decoder decompresses streams and reuses its tables. The zero value is ready to use. It is not
// safe for concurrent use.
type Decoder struct {
	literals      table // of literals and lengths
	distances     table
	hasFixedCodes bool // the tables are those of the fixed codes of RFC 1951, section 3.2.6
	lengths       [deflate.FixedLiteralSymbols + deflate.FixedDistanceSymbols]uint8
	order         canonicalOrder
}

// Zlib decompresses a zlib stream into dst. It returns the number of bytes written, even if it
// returns an error. It ignores bytes after the stream. It cannot check the checksum if it returns
// ErrTooLong, since the checksum follows the last byte.
func (d *Decoder) Zlib(dst, src []byte) (n int, err error) {
	if len(src) < deflate.ZlibHeaderBytes {
		return 0, fmt.Errorf("zlib header: %w", ErrTruncated)
	}
	header := binary.BigEndian.Uint16(src)
	if !deflate.IsZlibHeader(header) {
		return 0, fmt.Errorf("zlib header %#04x: %w", header, ErrCorrupt)
	}
	n, consumed, err := d.blocks(dst, src[deflate.ZlibHeaderBytes:])
	if err != nil {
		return n, err
	}
	trailer := src[deflate.ZlibHeaderBytes+consumed:]
	if len(trailer) < deflate.ZlibChecksumBytes {
		return n, fmt.Errorf("zlib checksum: %w", ErrTruncated)
	}
	if adler32.Update(adler32.Initial, dst[:n]) != binary.BigEndian.Uint32(trailer) {
		return n, ErrChecksum
	}
	return n, nil
}

// Raw decompresses a DEFLATE stream into dst. It returns the number of bytes written, even if it
// returns an error. It ignores bytes after the stream.
func (d *Decoder) Raw(dst, src []byte) (n int, err error) {
	n, _, err = d.blocks(dst, src)
	return n, err
}

// blocks decodes all blocks up to the final one. It returns the number of bytes written to dst and
// read from src.
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
