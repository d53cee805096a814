// Package oldjpeg reads what blocks of old-style JPEG lack. That first kind of JPEG in TIFF stores
// its tables, or a stream with all headers, where tags point: a few hundred bytes that all blocks
// need. Package coding calls Read while a file is opened. The package must never know where blocks
// are stored, nor how they are decoded.
package oldjpeg

import (
	"fmt"

	"tileserver/decode"
	"tileserver/decode/blocks"
	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/pixel"
	"tileserver/decode/tiff/tag"
)

// Image is an image of old-style JPEG.
type Image struct {
	Width   int // of a block
	Samples *pixel.Samples
	Colors  *pixel.Colors
}

// Read reads the tables and headers that the tags of a directory point to. The error says why the
// blocks cannot be read.
func (m Image) Read(f *ifd.File, raw *ifd.Directory) (blocks.JPEGLayout, error) {
	const baseline, lossless = 1, 14
	stored, err := readStored(f, raw)
	s := m.Samples
	switch process := raw.Uint(tag.JPEGProc, baseline); {
	case err != nil:
		return blocks.JPEGLayout{}, fmt.Errorf("old-style JPEG: %w", err)
	case process == lossless:
		return blocks.JPEGLayout{}, fmt.Errorf("old-style JPEG that is lossless: %w", decode.ErrUnsupported)
	case process != baseline:
		return blocks.JPEGLayout{}, fmt.Errorf("old-style JPEG of process %d: %w", process, decode.ErrUnsupported)
	case s.Planar || s.Bits != 8 || s.Count > maxTables:
		return blocks.JPEGLayout{}, fmt.Errorf("old-style JPEG of %d samples of %d bits, planar %v: %w", s.Count, s.Bits, s.Planar, decode.ErrUnsupported)
	}
	layout := blocks.JPEGLayout{Tables: blocks.NewJPEGTables(stored.tables), Headers: stored.headers}
	if layout.Headers == nil {
		layout.Headers = m.headers(raw, stored.hasSecond)
	}
	return layout, nil
}

// headers builds headers from the tags. They say which tables each sample uses and how it is
// subsampled: luma, which comes first, may have more samples than the others. If the tables are not
// listed by tags, chroma uses the second ones, if there are such.
func (m Image) headers(raw *ifd.Directory, hasSecond bool) *blocks.JPEGHeaders {
	const bits, last = 8, 63
	samples := m.Samples.Count
	frame := []byte{bits, 0, 0, byte(m.Width >> 8), byte(m.Width), byte(samples)}
	scan := []byte{byte(samples)}
	of := func(t ifd.Tag, i int) byte {
		last := len(raw.Entry(t).Uints()) - 1
		if last < 0 && hasSecond && samples == 3 {
			last = 1
		}
		return byte(max(min(i, last), 0))
	}
	for i := range samples {
		factors := byte(1<<4 | 1)
		if i == 0 && m.Colors.Photometric == pixel.YCbCr && samples == 3 {
			factors = byte(min(m.Colors.Subsampling[0], 15)<<4 | min(m.Colors.Subsampling[1], 15))
		}
		frame = append(frame, byte(i+1), factors, of(tag.JPEGQTables, i))
		scan = append(scan, byte(i+1), of(tag.JPEGDCTables, i)<<4|of(tag.JPEGACTables, i))
	}
	return &blocks.JPEGHeaders{Frame: frame, Scan: append(scan, 0, last, 0)}
}
