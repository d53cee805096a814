package blocks

import (
	"encoding/binary"
	"sync"

	jpeg "tileserver/codec/jpeg/decoder"
)

// JPEGLayout holds what a JPEG stream embedded in another file does not say itself.
type JPEGLayout struct {
	Tables *JPEGTables // shared by all blocks, or nil
	YCbCr  bool        // the three samples are YCbCr and are decoded to RGB

	// Headers are the headers of blocks that hold only entropy-coded data, or nil.
	Headers *JPEGHeaders
}

// JPEGHeaders holds the bodies of a frame header and of the header of its only scan. The height in
// the frame is ignored: each block sets its own.
type JPEGHeaders struct{ Frame, Scan []byte }

// complete returns source with the headers that it lacks. Some old files have blocks that are
// complete streams, or complete but for the start marker; these get no headers.
func (h *JPEGHeaders) complete(source []byte, rows int) []byte {
	const (
		start, frame, scan     = 0xD8, 0xC0, 0xDA
		firstRestart           = 0xD0
		lastRestart            = 0xD7
		heightAt, minFrameSize = 1, 6
	)
	if h == nil || len(h.Frame) < minFrameSize {
		return source
	}
	stream := []byte{0xFF, start}
	if len(source) > 1 && source[0] == 0xFF {
		switch marker := source[1]; {
		case marker == start:
			return source
		case marker != 0 && (marker < firstRestart || marker > lastRestart):
			return append(stream, source...)
		}
	}
	stream = appendJPEGSegment(stream, frame, h.Frame)
	binary.BigEndian.PutUint16(stream[len(stream)-len(h.Frame)+heightAt:], uint16(rows))
	stream = appendJPEGSegment(stream, scan, h.Scan)
	headers := len(stream)
	stream = append(stream, source...)
	return stream[:headers+renumberRestarts(stream[headers:])]
}

// renumberRestarts drops restart markers before entropy-coded data, and lets the others count from 0.
// Blocks that were cut from one scan go on with the numbers of the block before. It returns the length
// of the data.
func renumberRestarts(data []byte) int {
	const firstRestart, restarts = 0xD0, 8
	isRestart := func(at int) bool {
		return at+1 < len(data) && data[at] == 0xFF && data[at+1]&^(restarts-1) == firstRestart
	}
	skipped := 0
	for isRestart(skipped) {
		skipped += 2
	}
	data = data[:copy(data, data[skipped:])]
	for at, next := 0, byte(0); at < len(data); at++ {
		if isRestart(at) {
			data[at+1] = firstRestart + next%restarts
			next++
		}
	}
	return len(data)
}

func appendJPEGSegment(stream []byte, marker byte, body []byte) []byte {
	stream = append(stream, 0xFF, marker)
	return append(binary.BigEndian.AppendUint16(stream, uint16(len(body)+2)), body...)
}

// JPEGTables holds tables that streams share. They are parsed on first use.
type JPEGTables struct{ parse func() (*jpeg.Tables, error) }

// NewJPEGTables returns the tables in stream, which has nothing else. It returns nil if stream is
// empty.
func NewJPEGTables(stream []byte) *JPEGTables {
	if len(stream) == 0 {
		return nil
	}
	return &JPEGTables{sync.OnceValues(func() (*jpeg.Tables, error) { return jpeg.ParseTables(stream) })}
}

func (t *JPEGTables) parsed() (*jpeg.Tables, error) {
	if t == nil {
		return nil, nil
	}
	return t.parse()
}
