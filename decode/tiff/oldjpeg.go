package tiff

import (
	"encoding/binary"
	"errors"
	"fmt"

	"tileserver/decode"
)

// The first kind of JPEG in TIFF has the tables of streams, or a stream with all of
// its headers, where tags point to. They are read when the file is opened: a few
// hundred bytes that all blocks need.

// The markers of JPEG that are looked for, and the sizes of what tags point to.
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
	jpegMostCodes      = 256
	jpegMostTables     = 4 // of a kind
	jpegMostHeader     = 64 << 10
)

// oldJPEG is what the tags of old-style JPEG point at.
type oldJPEG struct {
	tables  []byte              // a stream of nothing else
	headers *decode.JPEGHeaders // of a stream, or nil
	err     error
}

// readOldJPEG follows the tags of a directory, if it is one of old-style JPEG. What
// goes wrong is kept for those who want the pixels.
func (w *walker) readOldJPEG(d *directory) *oldJPEG {
	r := reading{directory: d}
	if compression(r.uint(tagCompression, 1)) != compressionOldJPEG {
		return nil
	}
	j := &oldJPEG{tables: []byte{0xff, jpegStart}}
	err := j.readStream(w, r)
	if err != nil {
		j.tables, j.headers = j.tables[:2], nil
		j.err = j.readTables(w, r)
	}
	if d.entries[tagJPEGQTables] == nil && d.entries[tagJPEGInterchangeFormat] != nil {
		j.err = err
	}
	j.tables = append(j.tables, 0xff, jpegEnd)
	return j
}

func (j *oldJPEG) add(marker byte, parts ...[]byte) {
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

// errNoStream is that of files of which only the tables are apart.
var errNoStream = errors.New("no JPEG stream")

// readStream takes the headers of the stream that a tag points at.
func (j *oldJPEG) readStream(w *walker, r reading) error {
	offset := r.uint(tagJPEGInterchangeFormat, 0)
	if offset == 0 {
		return errNoStream
	}
	size := uint64(w.in.size)
	if offset >= size {
		return fmt.Errorf("a JPEG stream at %d of a file of %d: %w", offset, size, ErrCorrupt)
	}
	length := min(jpegMostHeader, size-offset)
	if err := w.memory.take(2 * int64(length)); err != nil { // with the tables, which are a copy
		return err
	}
	stream := make([]byte, length)
	if _, err := w.in.ReadAt(stream, int64(offset)); err != nil {
		return fmt.Errorf("JPEG stream: %w", err)
	}
	return j.takeHeaders(stream)
}

// takeHeaders goes through the segments of a stream up to its first scan.
func (j *oldJPEG) takeHeaders(stream []byte) error {
	var headers decode.JPEGHeaders
	if len(stream) < 2 || stream[0] != 0xff || stream[1] != jpegStart {
		return fmt.Errorf("a JPEG stream without a start: %w: %w", ErrCorrupt, decode.ErrCorrupt)
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
			j.add(marker, body)
		case jpegScan:
			headers.Scan = body
			j.headers = &headers
			return nil
		}
	}
	return fmt.Errorf("a JPEG stream without a scan: %w: %w", ErrCorrupt, decode.ErrCorrupt)
}

// readTables reads the tables that tags point at, one of each kind for each sample.
func (j *oldJPEG) readTables(w *walker, r reading) error {
	for _, kind := range []struct {
		tag    tag
		marker byte
		class  byte
		size   func(counts []byte) int
	}{
		{tagJPEGQTables, jpegQuantizers, 0, nil},
		{tagJPEGDCTables, jpegHuffman, 0 << 4, codesOf},
		{tagJPEGACTables, jpegHuffman, 1 << 4, codesOf},
	} {
		offsets := r.entries[kind.tag].uints()
		for i, offset := range offsets[:min(len(offsets), jpegMostTables)] {
			table, err := tableAt(w.in, offset, kind.size)
			if err == nil {
				err = w.memory.take(2 * int64(len(table)))
			}
			if err != nil {
				return fmt.Errorf("%v %d: %w", kind.tag, i, err)
			}
			j.add(kind.marker, []byte{kind.class | byte(i)}, table)
		}
	}
	if interval := r.uint(tagJPEGRestartInterval, 0); interval > 0 {
		j.add(jpegRestart, []byte{byte(interval >> 8), byte(interval)})
	}
	return nil
}

// codesOf is how many codes there are, of all lengths.
func codesOf(counts []byte) (codes int) {
	for _, n := range counts {
		codes += int(n)
	}
	return codes
}

// tableAt reads quantizers, or the counts of codes and what the codes stand for.
func tableAt(in *readAhead, offset uint64, codes func(counts []byte) int) ([]byte, error) {
	if offset > uint64(in.size) {
		return nil, fmt.Errorf("a table at %d of a file of %d: %w", offset, in.size, ErrCorrupt)
	}
	if codes == nil {
		table := make([]byte, jpegQuantizerBytes)
		_, err := in.ReadAt(table, int64(offset))
		return table, err
	}
	counts := make([]byte, jpegCountsBytes)
	if _, err := in.ReadAt(counts, int64(offset)); err != nil {
		return nil, err
	}
	n := codes(counts)
	if n > jpegMostCodes {
		return nil, fmt.Errorf("%d codes: %w", n, ErrCorrupt)
	}
	table := make([]byte, jpegCountsBytes+n)
	_, err := in.ReadAt(table, int64(offset))
	return table, err
}

// layOutOldJPEG gives the blocks what they lack.
func (p *page) layOutOldJPEG(r reading) error {
	const baseline, lossless = 1, 14
	switch process := r.uint(tagJPEGProc, baseline); {
	case r.oldJPEG.err != nil:
		return fmt.Errorf("old-style JPEG: %w", r.oldJPEG.err)
	case process == lossless:
		return fmt.Errorf("old-style JPEG that is lossless: %w", decode.ErrUnsupported)
	case process != baseline:
		return fmt.Errorf("old-style JPEG of process %d: %w", process, decode.ErrUnsupported)
	case p.planar || p.bits != 8 || p.samples > jpegMostTables:
		return fmt.Errorf("old-style JPEG of %d samples of %d bits, planar %v: %w", p.samples, p.bits, p.planar, decode.ErrUnsupported)
	}
	p.layout.JPEG.Tables = decode.NewJPEGTables(r.oldJPEG.tables)
	p.layout.JPEG.Headers = r.oldJPEG.headers
	if p.layout.JPEG.Headers == nil {
		p.layout.JPEG.Headers = p.oldJPEGHeaders(r)
	}
	return nil
}

// oldJPEGHeaders say which tables each sample has, and how often it is there:
// luminance, which comes first, more often than the others.
func (p *page) oldJPEGHeaders(r reading) *decode.JPEGHeaders {
	const bits, last = 8, 63
	frame := []byte{bits, 0, 0, byte(p.blockWidth >> 8), byte(p.blockWidth), byte(p.samples)}
	scan := []byte{byte(p.samples)}
	of := func(t tag, i int) byte { return byte(max(min(i, len(r.entries[t].uints())-1), 0)) }
	for i := range p.samples {
		factors := byte(1<<4 | 1)
		if i == 0 && p.photometric == yCbCr && p.samples == 3 {
			factors = byte(min(p.subsampling[0], 15)<<4 | min(p.subsampling[1], 15))
		}
		frame = append(frame, byte(i+1), factors, of(tagJPEGQTables, i))
		scan = append(scan, byte(i+1), of(tagJPEGDCTables, i)<<4|of(tagJPEGACTables, i))
	}
	return &decode.JPEGHeaders{Frame: frame, Scan: append(scan, 0, last, 0)}
}
