package tiff

import (
	"encoding/binary"
	"errors"
	"fmt"

	"tileserver/decode"
	"tileserver/decode/blocks"
	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/pixel"
	"tileserver/decode/tiff/tag"
)

// Old-style JPEG, the first kind in TIFF, stores its tables, or a stream with all headers, where
// tags point. They are read at opening: a few hundred bytes that all blocks need.

// JPEG markers, and the sizes of what the tags point to.
const (
	jpegStart      = 0xd8
	jpegEnd        = 0xd9
	jpegFrame      = 0xc0
	jpegExtended   = 0xc1
	jpegHuffman    = 0xc4
	jpegScan       = 0xda
	jpegQuantizers = 0xdb
	jpegRestart    = 0xdd

	jpegQuantizerBytes = 64
	jpegCountsBytes    = 16
	jpegMaxCodes       = 256
	jpegMaxTables      = 4 // of a kind
	jpegMaxHeader      = 64 << 10
)

// oldJPEG holds what the tags of old-style JPEG point to.
type oldJPEG struct {
	tables  []byte              // a stream that has only tables
	headers *blocks.JPEGHeaders // of the stream, or nil if there is no stream
	err     error
}

// newOldJPEG follows the tags of a directory of old-style JPEG. It stores errors for requests for
// pixels, so that the file still opens.
func newOldJPEG(f *ifd.File, raw *ifd.Directory) *oldJPEG {
	j := &oldJPEG{tables: []byte{0xff, jpegStart}}
	err := j.readStream(f, raw)
	if err != nil {
		j.tables, j.headers = j.tables[:2], nil
		j.err = j.readTables(f, raw)
	}
	if raw.Entry(tag.JPEGQTables) == nil && raw.Entry(tag.JPEGInterchangeFormat) != nil {
		j.err = err
	}
	j.tables = append(j.tables, 0xff, jpegEnd)
	return j
}

func (j *oldJPEG) appendSegment(marker byte, parts ...[]byte) {
	size := 2
	for _, part := range parts {
		size += len(part)
	}
	j.tables = append(j.tables, 0xff, marker)
	j.tables = binary.BigEndian.AppendUint16(j.tables, uint16(size))
	for _, part := range parts {
		j.tables = append(j.tables, part...)
	}
}

// errNoStream means that the file has only tables.
var errNoStream = errors.New("no JPEG stream")

// readStream reads the headers of the stream that a tag points to.
func (j *oldJPEG) readStream(f *ifd.File, raw *ifd.Directory) error {
	offset := raw.Uint(tag.JPEGInterchangeFormat, 0)
	if offset == 0 {
		return errNoStream
	}
	size := uint64(f.Source.Size())
	if offset >= size {
		return fmt.Errorf("a JPEG stream at %d of a file of %d: %w", offset, size, ErrCorrupt)
	}
	length := min(jpegMaxHeader, size-offset)
	if err := f.Memory.Reserve(2 * int64(length)); err != nil { // twice, since the tables are copied
		return err
	}
	stream := make([]byte, length)
	if _, err := f.ReadAt(stream, int64(offset)); err != nil {
		return fmt.Errorf("JPEG stream: %w", err)
	}
	return j.parseHeaders(stream)
}

// parseHeaders parses the segments of a stream up to its first scan.
func (j *oldJPEG) parseHeaders(stream []byte) error {
	var headers blocks.JPEGHeaders
	if len(stream) < 2 || stream[0] != 0xff || stream[1] != jpegStart {
		return fmt.Errorf("a JPEG stream without a start: %w: %w", ErrCorrupt, decode.ErrCorruptBlock)
	}
	for rest := stream[2:]; len(rest) >= 4 && rest[0] == 0xff; {
		marker, size := rest[1], 2+int(binary.BigEndian.Uint16(rest[2:]))
		if size < 4 || size > len(rest) {
			break
		}
		body := rest[4:size:size]
		rest = rest[size:]
		switch marker {
		case jpegFrame, jpegExtended:
			headers.Frame = body
		case jpegQuantizers, jpegHuffman, jpegRestart:
			j.appendSegment(marker, body)
		case jpegScan:
			headers.Scan = body
			j.headers = &headers
			return nil
		}
	}
	return fmt.Errorf("a JPEG stream without a scan: %w: %w", ErrCorrupt, decode.ErrCorruptBlock)
}

// readTables reads the tables that tags point to: one of each kind for each sample.
func (j *oldJPEG) readTables(f *ifd.File, raw *ifd.Directory) error {
	for _, kind := range []struct {
		tag    ifd.Tag
		marker byte
		class  byte
		size   func(counts []byte) int
	}{
		{tag.JPEGQTables, jpegQuantizers, 0, nil},
		{tag.JPEGDCTables, jpegHuffman, 0 << 4, countCodes},
		{tag.JPEGACTables, jpegHuffman, 1 << 4, countCodes},
	} {
		e := raw.Entry(kind.tag)
		offsets := e.Uints()
		for i, offset := range offsets[:min(len(offsets), jpegMaxTables)] {
			table, err := tableAt(f, offset, kind.size)
			if err == nil {
				err = f.Memory.Reserve(2 * int64(len(table)))
			}
			if err != nil {
				return fmt.Errorf("%v %d: %w", e, i, err)
			}
			j.appendSegment(kind.marker, []byte{kind.class | byte(i)}, table)
		}
	}
	if interval := raw.Uint(tag.JPEGRestartInterval, 0); interval > 0 {
		j.appendSegment(jpegRestart, []byte{byte(interval >> 8), byte(interval)})
	}
	return nil
}

// countCodes returns the number of codes of all lengths.
func countCodes(counts []byte) (codes int) {
	for _, n := range counts {
		codes += int(n)
	}
	return codes
}

// tableAt reads a table of quantizers if codes is nil, and otherwise a Huffman table: the counts of
// codes and their symbols.
func tableAt(f *ifd.File, offset uint64, codes func(counts []byte) int) ([]byte, error) {
	if offset > uint64(f.Source.Size()) {
		return nil, fmt.Errorf("a table at %d of a file of %d: %w", offset, f.Source.Size(), ErrCorrupt)
	}
	if codes == nil {
		table := make([]byte, jpegQuantizerBytes)
		_, err := f.ReadAt(table, int64(offset))
		return table, err
	}
	counts := make([]byte, jpegCountsBytes)
	if _, err := f.ReadAt(counts, int64(offset)); err != nil {
		return nil, err
	}
	n := codes(counts)
	if n > jpegMaxCodes {
		return nil, fmt.Errorf("%d codes: %w", n, ErrCorrupt)
	}
	table := make([]byte, jpegCountsBytes+n)
	_, err := f.ReadAt(table, int64(offset))
	return table, err
}

// readOldJPEG sets the tables and headers that the blocks lack. It says why the blocks cannot be
// read, or returns nil.
func (d *directory) readOldJPEG(raw *ifd.Directory, f *ifd.File) error {
	const baseline, lossless = 1, 14
	stored := newOldJPEG(f, raw)
	switch process := raw.Uint(tag.JPEGProc, baseline); {
	case stored.err != nil:
		return fmt.Errorf("old-style JPEG: %w", stored.err)
	case process == lossless:
		return fmt.Errorf("old-style JPEG that is lossless: %w", decode.ErrUnsupported)
	case process != baseline:
		return fmt.Errorf("old-style JPEG of process %d: %w", process, decode.ErrUnsupported)
	case d.samples.Planar || d.samples.Bits != 8 || d.samples.Count > jpegMaxTables:
		return fmt.Errorf("old-style JPEG of %d samples of %d bits, planar %v: %w", d.samples.Count, d.samples.Bits, d.samples.Planar, decode.ErrUnsupported)
	}
	d.coding.layout.JPEG.Tables = blocks.NewJPEGTables(stored.tables)
	d.coding.layout.JPEG.Headers = stored.headers
	if d.coding.layout.JPEG.Headers == nil {
		d.coding.layout.JPEG.Headers = d.oldJPEGHeaders(raw)
	}
	return nil
}

// oldJPEGHeaders builds headers from the tags. They say which tables each sample uses and how it is
// subsampled: luma, which comes first, may have more samples than the others.
func (d *directory) oldJPEGHeaders(raw *ifd.Directory) *blocks.JPEGHeaders {
	const bits, last = 8, 63
	frame := []byte{bits, 0, 0, byte(d.blockWidth >> 8), byte(d.blockWidth), byte(d.samples.Count)}
	scan := []byte{byte(d.samples.Count)}
	of := func(t ifd.Tag, i int) byte { return byte(max(min(i, len(raw.Entry(t).Uints())-1), 0)) }
	for i := range d.samples.Count {
		factors := byte(1<<4 | 1)
		if i == 0 && d.colors.Photometric == pixel.YCbCr && d.samples.Count == 3 {
			factors = byte(min(d.colors.Subsampling[0], 15)<<4 | min(d.colors.Subsampling[1], 15))
		}
		frame = append(frame, byte(i+1), factors, of(tag.JPEGQTables, i))
		scan = append(scan, byte(i+1), of(tag.JPEGDCTables, i)<<4|of(tag.JPEGACTables, i))
	}
	return &blocks.JPEGHeaders{Frame: frame, Scan: append(scan, 0, last, 0)}
}
