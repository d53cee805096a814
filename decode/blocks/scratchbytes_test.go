package blocks

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"testing"

	"tileserver/codec/lerc"
	"tileserver/decode"
	"tileserver/raster"
)

// progressiveJPEG returns a stream with one scan per bit. The scans are nearly empty: they hold
// end-of-band runs, each of which covers thousands of blocks.
func progressiveJPEG(width, height, components int, factors byte) []byte {
	out := []byte{0xFF, 0xD8}
	segment := func(marker byte, body ...byte) {
		out = append(out, 0xFF, marker)
		out = append(binary.BigEndian.AppendUint16(out, uint16(len(body)+2)), body...)
	}
	segment(0xDB, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)
	frame := []byte{8, byte(height >> 8), byte(height), byte(width >> 8), byte(width), byte(components)}
	for i := range components {
		frame = append(frame, byte(i+1), factors, 0)
	}
	segment(0xC2, frame...)
	code := func(class, symbol byte) []byte {
		return append(append([]byte{class << 4, 1}, make([]byte, 15)...), symbol)
	}
	const endsOf16384Blocks = 0xE0
	segment(0xC4, code(0, 0)...)
	segment(0xC4, code(1, endsOf16384Blocks)...)
	blocks := ((width + 7) / 8) * ((height + 7) / 8)
	for i := range components {
		segment(0xDA, 1, byte(i+1), 0, 0, 0, 0)
		out = append(out, make([]byte, blocks/8+1)...)
		for high, low := byte(0), byte(13); low < 14; high, low = low, low-1 {
			segment(0xDA, 1, byte(i+1), 0, 1, 63, high<<4|low)
			out = append(out, make([]byte, 2*(blocks>>14+1))...)
		}
	}
	return append(out, 0xFF, 0xD9)
}

// emptyWebP returns a lossless picture whose pixels take no bits.
func emptyWebP(width, height int) []byte {
	const oneSymbol, codes = 0b0001, 5
	header := uint64(0x2F) | uint64(width-1)<<8 | uint64(height-1)<<22
	picture := binary.LittleEndian.AppendUint64(nil, header)[:5]
	bits := uint64(0) // no transform, no cache, no groups
	for i := range codes {
		bits |= oneSymbol << (3 + 4*i)
	}
	picture = append(binary.LittleEndian.AppendUint64(picture, bits), 0)
	chunk := append(binary.LittleEndian.AppendUint32([]byte("VP8L"), uint32(len(picture))), picture...)
	out := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(4+len(chunk)))
	return append(append(out, "WEBP"...), chunk...)
}

// emptySGILog returns rows of zeros, encoded in runs.
func emptySGILog(width, rows, planes int) (out []byte) {
	for range rows * planes {
		for left := width; left > 0; left -= min(left, 129) {
			out = append(out, byte(126+min(left, 129)), 0)
		}
	}
	return out
}

// TestScratchBytes decodes blocks with new codecs and compares what they allocate with what
// ScratchBytes says.
func TestScratchBytes(t *testing.T) {
	const side, small, tables = 512, 250, 192 << 10 // small is the largest side that the encoders of this package can write
	gray, rgb, deep := *grayLayout(side), *yCbCrLayout(side), Layout{Width: small, Samples: 1, Type: raster.Uint16, Bits: 16}
	asStored := Layout{Width: side, Samples: 3, Type: raster.Uint8, Bits: 8}
	floats := Layout{Width: small, Samples: 2, Type: raster.Float32, Bits: 32}
	within := floats
	within.LERCCompression = Deflate
	wide := Layout{Width: 1 << 21, Samples: 1, Type: raster.Uint8, Bits: 1}
	reversed := wide
	reversed.LowBitFirst = true
	words := Layout{Width: side, Samples: 1, Type: raster.Int16, Bits: 16}
	inThree := Layout{Width: side, Samples: 3, Type: raster.Int16, Bits: 16}
	half := pattern(small*small/2, 3, 1<<12-1)
	blob := lercImage{lerc.Float32, small, small, 2, func(i int) bool { return i > 0 }, make([]byte, 8*(small*small-1))}.blob()
	manyBits := append([]byte{0xF0}, make([]byte, 1<<18)...) // four rows like the one above, then bits that are ignored
	for _, test := range []struct {
		name        string
		compression Compression
		layout      Layout
		rows        int
		source      []byte
	}{
		{"as it is", None, asStored, side, make([]byte, 3*side*side)},
		{"deflate", Deflate, asStored, side, zlibCompressed(t, make([]byte, 3*side*side))},
		{"JPEG, sequential", JPEG, rgb, side, encodeJPEG(t, photo(side, side), 85)},
		{"JPEG, sequential gray", JPEG, gray, side, encodeJPEG(t, grayPhoto(side, side), 85)},
		{"JPEG, progressive", JPEG, rgb, side, progressiveJPEG(side, side, 3, 0x11)},
		{"JPEG, progressive in large units", JPEG, rgb, side, progressiveJPEG(side, side, 3, 0x44)},
		{"JPEG, lossless", JPEG, deep, small, losslessJPEG(12, small, pattern(small*small, 3, 1<<12-1))},
		{"JPEG, mosaic", JPEG, deep, small, losslessJPEG(12, small/2, half, half)},
		{"LERC", LERC, floats, small, blob},
		{"LERC within deflate", LERC, within, small, zlibCompressed(t, blob)},
		{"WebP", WebP, asStored, side, emptyWebP(side, side)},
		{"fax of wide rows", CCITTFax4, wide, 4, manyBits},
		{"fax of wide rows, low bit first", CCITTFax4, reversed, 4, reversedBits(manyBits)},
		{"SGILog", SGILog, words, side, emptySGILog(side, side, 2)},
		{"SGILog in three", SGILog, inThree, side, emptySGILog(side, side, 4)},
	} {
		l := test.layout
		codec, target := AllCodecs()[test.compression], raster.NewBuffer(l.Type, l.Width, test.rows, l.Samples)
		job := &Job{Layout: &l, Source: test.source, Rows: test.rows, Target: target, Samples: inOrder(l.Samples)}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := codec.Decode(job)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		reserved := ScratchBytes(test.compression, &l, test.rows, int64(len(test.source)))
		if grown := int64(after.TotalAlloc - before.TotalAlloc); grown > reserved+tables {
			t.Errorf("%s: %d bytes were allocated, and %d reserved", test.name, grown, reserved)
		}
	}
}

// TestScratchBytesOfBlocks checks known results, and sides of any size.
func TestScratchBytesOfBlocks(t *testing.T) {
	rgb := Layout{Width: 256, Samples: 3, Type: raster.Uint8, Bits: 8}
	huge := Layout{Width: 1<<31 - 1, Samples: 1 << 12, Type: raster.Float64, Bits: 64}
	clumps := Layout{Width: 5, Samples: 3, Type: raster.Uint8, Bits: 8, Subsampling: Subsampling{2, 2}}
	for _, test := range []struct {
		name        string
		compression Compression
		layout      Layout
		rows        int
		least, most int64
	}{
		{"deflate", Deflate, rgb, 256, 196_608, 196_608},
		{"chroma blocks", Deflate, clumps, 3, 36, 36},
		{"JPEG", JPEG, rgb, 256, 396_288, 500_000},
		{"one row of JPEG", JPEG, rgb, 1, smallJPEGWorkBytes + 1000, smallJPEGWorkBytes + 1000},
		{"WebP", WebP, rgb, 256, 788_736, 788_736},
		{"huge", Deflate, huge, 1<<31 - 1, 1 << 61, 1<<63 - 1},
		{"huge LERC", LERC, huge, 1<<31 - 1, 1 << 61, 1<<63 - 1},
	} {
		if got := ScratchBytes(test.compression, &test.layout, test.rows, 1000); got < test.least || got > test.most {
			t.Errorf("%s: got %d, want %d to %d", test.name, got, test.least, test.most)
		}
	}
}

// TestJPEGLargerThanItsBlock decodes streams that would need more memory than is reserved for their
// block.
func TestJPEGLargerThanItsBlock(t *testing.T) {
	for _, test := range []struct {
		name   string
		source []byte
	}{
		{"a million pixels", progressiveJPEG(1024, 1024, 3, 0x11)},
		{"a high one that fills up large units", progressiveJPEG(16, 65535, 3, 0x44)},
	} {
		l := Layout{Width: 16, Samples: 3, Type: raster.Uint8, Bits: 8}
		target := raster.NewBuffer(l.Type, 16, 16, 3)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := newJPEG().Decode(&Job{Layout: &l, Source: test.source, Rows: 16, Target: target, Samples: inOrder(3)})
		runtime.ReadMemStats(&after)
		if !errors.Is(err, decode.ErrUnsupported) {
			t.Errorf("%s: got %v, want decode.ErrUnsupported", test.name, err)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > smallJPEGWorkBytes {
			t.Errorf("%s: %d bytes were allocated", test.name, grown)
		}
	}
}

// TestColumnsOfWholeBlocks asks for columns of codecs that decode only whole blocks. They must
// reject the job, since they would return other pixels.
func TestColumnsOfWholeBlocks(t *testing.T) {
	l := Layout{Width: 16, Samples: 1, Type: raster.Uint8, Bits: 8}
	for _, compression := range []Compression{JPEG, OldJPEG, LERC, SGILog} {
		target := raster.NewBuffer(l.Type, 8, 1, 1)
		for name, job := range map[string]Job{
			"from a column on": {Column: 8}, "beside others": {OtherColumns: []Columns{{Column: 8, Target: target}}},
		} {
			job.Layout, job.Rows, job.Target, job.Samples = &l, 1, target, []int{0}
			if err := AllCodecs()[compression].Decode(&job); !errors.Is(err, errNoColumns) {
				t.Errorf("%s %s: got %v, want an error", compression, name, err)
			}
		}
	}
}
