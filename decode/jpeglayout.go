package decode

import (
	"encoding/binary"
	"sync"

	"tileserver/decode/jpeg"
)

// JPEGLayout is what a JPEG stream inside another file does not say itself.
type JPEGLayout struct {
	Tables *JPEGTables // that all blocks share, or nil
	YCbCr  bool        // three samples are YCbCr, and come out as RGB

	// Headers are what blocks lack that hold nothing but entropy-coded data.
	Headers *JPEGHeaders
}

// JPEGHeaders are the bodies of the headers of a frame, whose height is whatever the
// block's is, and of its only scan.
type JPEGHeaders struct{ Frame, Scan []byte }

// whole is source with the headers that it lacks. Some blocks of old files hold a
// whole stream all the same, or one without its start.
func (h *JPEGHeaders) whole(source []byte, rows int) []byte {
	const (
		start, frame, scan       = 0xD8, 0xC0, 0xDA
		firstRestart             = 0xD0
		lastRestart              = 0xD7
		heightAt, leastFrameSize = 1, 6
	)
	if h == nil || len(h.Frame) < leastFrameSize {
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
	return append(stream, source...)
}

func appendJPEGSegment(stream []byte, marker byte, body []byte) []byte {
	stream = append(stream, 0xFF, marker)
	return append(binary.BigEndian.AppendUint16(stream, uint16(len(body)+2)), body...)
}

// JPEGTables are tables that streams share, parsed when they are first used.
type JPEGTables struct{ parse func() (*jpeg.Tables, error) }

// NewJPEGTables returns the tables in a stream of them, which may be empty.
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
