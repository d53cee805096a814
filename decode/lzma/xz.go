// Package lzma decompresses .xz data in one go, from a slice into a slice: LZMA2, alone or behind the delta filter, which is
// what TIFF has. It must never know what the bytes mean or where they came from: no readers, no image formats, no allocation.
package lzma

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

var (
	// ErrCorrupt reports data that no encoder writes.
	ErrCorrupt = errors.New("lzma: corrupt data")
	// ErrChecksum is the ErrCorrupt of a block that decoded to its end, but into other bytes than were encoded.
	ErrChecksum = fmt.Errorf("%w: checksum mismatch", ErrCorrupt)
	// ErrTruncated reports input that ended before the stream did.
	ErrTruncated = errors.New("lzma: truncated data")
	// ErrTooLong reports a stream that holds more bytes than the destination; the destination is full.
	ErrTooLong = errors.New("lzma: data longer than its destination")
	// ErrUnsupported reports a filter or a checksum that is not known.
	ErrUnsupported = errors.New("lzma: unsupported")
)

const (
	streamMagic = "\xfd7zXZ\x00"
	footerMagic = "YZ"
	headerBytes = 12 // of a stream, and of its footer
	padding     = 4  // everything begins at a multiple of it
)

// Decoder keeps its tables from one call to the next. The zero value is ready; one goroutine at a time may use it.
type Decoder struct {
	model model
}

// Decode decompresses an .xz file, which is one stream or several, into dst and returns how many bytes of dst it wrote, also
// with an error. Bytes after the last stream are ignored. The dictionary of the data is dst itself: how large a file says
// it is costs nothing. What follows the last byte that fits is not looked at when the answer is ErrTooLong.
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
	var blocks tally
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

// readStreamHeader says how the blocks of the stream are checked.
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

// readStreamFooter makes sure that the footer says what the stream turned out to be.
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

// input is how much of the source has been read.
type input struct {
	src []byte
	pos int
}

func (in *input) rest() []byte { return in.src[in.pos:] }

// take is the next count bytes.
func (in *input) take(count int) ([]byte, error) {
	if count > len(in.src)-in.pos {
		return nil, ErrTruncated
	}
	in.pos += count
	return in.src[in.pos-count : in.pos], nil
}

// takePadding skips zeros up to a multiple of padding bytes from where something began.
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

// number is a number of seven bits a byte, the lowest first. It is below 1<<63.
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
				return 0, ErrCorrupt // it could be shorter
			}
			return value, nil
		}
	}
	return 0, ErrCorrupt
}
