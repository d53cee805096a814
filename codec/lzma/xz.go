// Package lzma decompresses .xz data from one slice into another in a single call. It supports
// LZMA2, optionally behind the delta filter, as TIFF uses it. decode/blocks calls it. It knows
// nothing about the content of the data, offers no readers, and allocates no memory.
package lzma

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"tileserver/decode"
)

var (
	// ErrCorrupt reports invalid data.
	ErrCorrupt = decode.Corrupt("lzma: corrupt data")
	// ErrChecksum wraps ErrCorrupt. It reports a block that decoded completely but whose check does
	// not match.
	ErrChecksum = fmt.Errorf("%w: checksum mismatch", ErrCorrupt)
	// ErrTruncated reports input that ends before the stream does.
	ErrTruncated = decode.Corrupt("lzma: truncated data")
	// ErrTooLong reports a stream that is longer than the destination, which is filled.
	ErrTooLong = errors.New("lzma: data longer than its destination")
	// ErrUnsupported reports an unknown filter or check.
	ErrUnsupported = errors.New("lzma: unsupported")
)

const (
	streamMagic = "\xfd7zXZ\x00"
	footerMagic = "YZ"
	headerBytes = 12 // size of a stream header and of a footer
	padding     = 4  // alignment of all structures
)

// Decoder decompresses data and reuses its tables. The zero value is ready to use. It is not safe
// for concurrent use.
type Decoder struct {
	model model
}

// Decode decompresses an .xz file of one or several streams into dst. It returns the number of
// bytes written, even if it returns an error. It ignores bytes after the last stream. dst serves as
// the dictionary, so a large declared dictionary takes no memory. If it returns ErrTooLong, it has
// not checked the data behind the last byte that fits.
func (d *Decoder) Decode(dst, src []byte) (n int, err error) {
	in := input{src: src}
	for index := 0; ; index++ {
		if err := d.stream(dst, &n, &in); err != nil {
			return n, fmt.Errorf("stream %d: %w", index, err)
		}
		rest := bytes.TrimLeft(in.rest(), "\x00")
		if (len(in.rest())-len(rest))%padding != 0 || !bytes.HasPrefix(rest, []byte(streamMagic)) {
			return n, nil
		}
		in.pos = len(src) - len(rest)
	}
}

// stream decodes one stream: a header, blocks, their index, and a footer.
func (d *Decoder) stream(dst []byte, n *int, in *input) error {
	check, err := readStreamHeader(in)
	if err != nil {
		return fmt.Errorf("header: %w", err)
	}
	var blocks sizeDigest
	for index := 0; ; index++ {
		if in.pos == len(in.src) {
			return ErrTruncated
		}
		if in.src[in.pos] == 0 {
			break
		}
		sizes, err := d.block(dst, n, in, check)
		if err != nil {
			return fmt.Errorf("block %d: %w", index, err)
		}
		blocks.add(sizes)
	}
	indexBytes, err := readIndex(in, blocks)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	if err := readStreamFooter(in, check, indexBytes); err != nil {
		return fmt.Errorf("footer: %w", err)
	}
	return nil
}

// readStreamHeader returns the kind of check of the blocks in the stream.
func readStreamHeader(in *input) (checkKind, error) {
	header, err := in.take(headerBytes)
	if err != nil {
		return 0, err
	}
	flags := header[len(streamMagic):][:2]
	if !bytes.HasPrefix(header, []byte(streamMagic)) ||
		crc32.ChecksumIEEE(flags) != binary.LittleEndian.Uint32(header[8:]) ||
		flags[0] != 0 || flags[1] > maxCheckKind {
		return 0, ErrCorrupt
	}
	check := checkKind(flags[1])
	if !check.isKnown() {
		return 0, fmt.Errorf("check %d: %w", check, ErrUnsupported)
	}
	return check, nil
}

// readStreamFooter checks that the footer matches the stream.
func readStreamFooter(in *input, check checkKind, indexBytes int) error {
	footer, err := in.take(headerBytes)
	if err != nil {
		return err
	}
	fields := footer[4:10]
	switch {
	case string(footer[10:]) != footerMagic,
		crc32.ChecksumIEEE(fields) != binary.LittleEndian.Uint32(footer),
		uint64(indexBytes) != (uint64(binary.LittleEndian.Uint32(fields))+1)*4,
		fields[4] != 0, fields[5] != byte(check):
		return ErrCorrupt
	}
	return nil
}

// input is a source with a read position.
type input struct {
	src []byte
	pos int
}

func (in *input) rest() []byte { return in.src[in.pos:] }

// take returns the next count bytes.
func (in *input) take(count int) ([]byte, error) {
	if count > len(in.src)-in.pos {
		return nil, ErrTruncated
	}
	in.pos += count
	return in.src[in.pos-count : in.pos], nil
}

// takePadding skips zeros up to a multiple of padding bytes from begin.
func (in *input) takePadding(begin int) error {
	for (in.pos-begin)%padding != 0 {
		zero, err := in.take(1)
		if err != nil {
			return err
		}
		if zero[0] != 0 {
			return fmt.Errorf("padding: %w", ErrCorrupt)
		}
	}
	return nil
}

// number reads a number of seven bits per byte, lowest first. It is below 1<<63.
func (in *input) number() (uint64, error) {
	const maxBytes = 9
	value := uint64(0)
	for i := range maxBytes {
		b, err := in.take(1)
		if err != nil {
			return 0, err
		}
		value |= uint64(b[0]&0x7f) << (7 * i)
		if b[0] < 0x80 {
			if b[0] == 0 && i > 0 {
				return 0, ErrCorrupt // not the shortest form
			}
			return value, nil
		}
	}
	return 0, ErrCorrupt
}
