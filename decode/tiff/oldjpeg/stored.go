package oldjpeg

import (
	"encoding/binary"
	"errors"
	"fmt"

	"tileserver/codec/jpeg"
	"tileserver/decode"
	"tileserver/decode/blocks"
	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/tag"
)

const (
	maxTables      = 4 // of a kind
	maxHeaderBytes = 64 << 10
)

// stored is what the tags of old-style JPEG point to.
type stored struct {
	tables  []byte              // a stream that has only tables
	headers *blocks.JPEGHeaders // of the stream, or nil if there is no stream, or one of only tables

	// hasSecond says that a stream has a second table of each kind, which is that of chroma.
	hasSecond bool
}

// readStored follows the tags of a directory of old-style JPEG.
func readStored(f *ifd.File, raw *ifd.Directory) (s stored, err error) {
	start := []byte{0xff, byte(jpeg.MarkerStart)}
	s.tables = start
	streamErr := s.readStream(f, raw)
	if streamErr != nil {
		s = stored{tables: start}
		err = s.readTables(f, raw)
	}
	if raw.Entry(tag.JPEGQTables) == nil && raw.Entry(tag.JPEGInterchangeFormat) != nil {
		err = streamErr
	}
	s.tables = append(s.tables, 0xff, byte(jpeg.MarkerEnd))
	return s, err
}

func (s *stored) appendSegment(marker jpeg.Marker, parts ...[]byte) {
	size := 2
	for _, part := range parts {
		size += len(part)
	}
	s.tables = append(s.tables, 0xff, byte(marker))
	s.tables = binary.BigEndian.AppendUint16(s.tables, uint16(size))
	for _, part := range parts {
		s.tables = append(s.tables, part...)
	}
}

// errNoStream means that the file has only tables.
var errNoStream = errors.New("no JPEG stream")

// readStream reads the headers of the stream that a tag points to.
func (s *stored) readStream(f *ifd.File, raw *ifd.Directory) error {
	offset := raw.Uint(tag.JPEGInterchangeFormat, 0)
	if offset == 0 {
		return errNoStream
	}
	size := uint64(f.Source.Size())
	if offset >= size {
		return fmt.Errorf("a JPEG stream at %d of a file of %d: %w", offset, size, ifd.ErrCorrupt)
	}
	length := min(maxHeaderBytes, size-offset)
	if err := f.Memory.Reserve(2 * int64(length)); err != nil { // twice, since the tables are copied
		return err
	}
	stream := make([]byte, length)
	if _, err := f.ReadAt(stream, int64(offset)); err != nil {
		return fmt.Errorf("JPEG stream: %w", err)
	}
	return s.parseHeaders(stream)
}

// parseHeaders parses the segments of a stream up to its first scan.
func (s *stored) parseHeaders(stream []byte) error {
	var headers blocks.JPEGHeaders
	var found tableNumbers
	if len(stream) < 2 || stream[0] != 0xff || stream[1] != byte(jpeg.MarkerStart) {
		return fmt.Errorf("a JPEG stream without a start: %w: %w", ifd.ErrCorrupt, decode.ErrCorruptBlock)
	}
	for rest := stream[2:]; len(rest) >= 4 && rest[0] == 0xff; {
		marker, size := jpeg.Marker(rest[1]), 2+int(binary.BigEndian.Uint16(rest[2:]))
		if size < 4 || size > len(rest) {
			break
		}
		body := rest[4:size:size]
		rest = rest[size:]
		switch marker {
		case jpeg.MarkerFrame, jpeg.MarkerFrame + 1:
			headers.Frame = body
		case jpeg.MarkerQuantizer, jpeg.MarkerHuffman, jpeg.MarkerInterval:
			s.appendSegment(marker, body)
			found.add(marker, body)
		case jpeg.MarkerScan:
			headers.Scan = body
			s.headers = &headers
			return nil
		}
	}
	if !found.has(0) {
		return fmt.Errorf("a JPEG stream without a scan: %w: %w", ifd.ErrCorrupt, decode.ErrCorruptBlock)
	}
	s.hasSecond = found.has(1)
	return nil
}

// tableNumbers are the numbers of the tables of a stream, a bit each, by their kinds: quantizers, and
// Huffman codes of DC and of AC.
type tableNumbers [3]uint

// has reports whether there is a table of each kind with a number.
func (n *tableNumbers) has(number int) bool { return n[0]&n[1]&n[2]>>number&1 == 1 }

// add adds the tables of a segment. A damaged one ends early.
func (n *tableNumbers) add(marker jpeg.Marker, body []byte) {
	const quantizerBytes, countsBytes = 64, 16
	for len(body) > countsBytes {
		class, number := body[0]>>4, body[0]&15
		switch marker {
		case jpeg.MarkerQuantizer:
			n[0] |= 1 << number
			body = body[min(1+quantizerBytes<<(class&1), len(body)):]
		case jpeg.MarkerHuffman:
			n[1+class&1] |= 1 << number
			codes := 0
			for _, count := range body[1:][:countsBytes] {
				codes += int(count)
			}
			body = body[min(1+countsBytes+codes, len(body)):]
		default:
			return
		}
	}
}

// readTables reads the tables that tags point to: one of each kind for each sample.
func (s *stored) readTables(f *ifd.File, raw *ifd.Directory) error {
	for _, kind := range []struct {
		tag    ifd.Tag
		marker jpeg.Marker
		class  byte
		read   func(f *ifd.File, offset uint64) ([]byte, error)
	}{
		{tag.JPEGQTables, jpeg.MarkerQuantizer, 0, readQuantizers},
		{tag.JPEGDCTables, jpeg.MarkerHuffman, 0 << 4, readHuffman},
		{tag.JPEGACTables, jpeg.MarkerHuffman, 1 << 4, readHuffman},
	} {
		e := raw.Entry(kind.tag)
		offsets := e.Uints()
		for i, offset := range offsets[:min(len(offsets), maxTables)] {
			table, err := kind.read(f, offset)
			if err == nil {
				err = f.Memory.Reserve(2 * int64(len(table)))
			}
			if err != nil {
				return fmt.Errorf("%v %d: %w", e, i, err)
			}
			s.appendSegment(kind.marker, []byte{kind.class | byte(i)}, table)
		}
	}
	if interval := raw.Uint(tag.JPEGRestartInterval, 0); interval > 0 {
		s.appendSegment(jpeg.MarkerInterval, []byte{byte(interval >> 8), byte(interval)})
	}
	return nil
}

// readQuantizers reads a table of quantizers.
func readQuantizers(f *ifd.File, offset uint64) ([]byte, error) {
	const bytes = 64
	return readTable(f, offset, bytes)
}

// readHuffman reads a Huffman table: the counts of the codes of each length, and their symbols.
func readHuffman(f *ifd.File, offset uint64) ([]byte, error) {
	const countsBytes, maxCodes = 16, 256
	counts, err := readTable(f, offset, countsBytes)
	if err != nil {
		return nil, err
	}
	codes := 0
	for _, n := range counts {
		codes += int(n)
	}
	if codes > maxCodes {
		return nil, fmt.Errorf("%d codes: %w", codes, ifd.ErrCorrupt)
	}
	return readTable(f, offset, countsBytes+codes)
}

func readTable(f *ifd.File, offset uint64, bytes int) ([]byte, error) {
	if offset > uint64(f.Source.Size()) {
		return nil, fmt.Errorf("a table at %d of a file of %d: %w", offset, f.Source.Size(), ifd.ErrCorrupt)
	}
	table := make([]byte, bytes)
	_, err := f.ReadAt(table, int64(offset))
	return table, err
}
