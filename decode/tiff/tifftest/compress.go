package tifftest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/klauspost/compress/zstd"
)

// compressor encodes the blocks of one image.
type compressor struct {
	image      Image
	order      binary.ByteOrder
	zlib       *zlib.Writer // reused: creating one costs more than encoding most blocks
	zstd       *zstd.Encoder
	jpegTables []byte // of the last block; all blocks have the same
}

func newCompressor(img Image, order binary.ByteOrder) (*compressor, error) {
	c := &compressor{image: img, order: order}
	if img.Compression != ZSTD {
		return c, nil
	}
	const windowBytes = 1 << 17
	var err error
	c.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(windowBytes))
	return c, err
}

// block returns a block as stored.
func (c *compressor) block(column, row, plane int) ([]byte, error) {
	img := c.image
	if img.Stored != nil {
		return img.Stored(column, row, plane), nil
	}
	if img.Compression == JPEGBlocks {
		return c.jpegBlock(img.block(column, row, plane))
	}
	p := img.packing(c.order)
	var rows [][]byte
	if img.subsampled() && !img.Planar {
		rows = p.rows(img.chromaBlocks(column, row), 1)
	} else {
		b := img.block(column, row, plane)
		rows = p.rows(b.rows(), b.samples)
	}
	stored, err := c.compress(rows)
	if img.LowBitFirst {
		for i, b := range stored {
			stored[i] = bits.Reverse8(b)
		}
	}
	return stored, err
}

func (c *compressor) compress(rows [][]byte) ([]byte, error) {
	packed := bytes.Join(rows, nil)
	switch c.image.Compression {
	case None:
		return packed, nil
	case PackBits:
		var out []byte
		for _, row := range rows { // a run never crosses rows
			out = appendPackBits(out, row)
		}
		return out, nil
	case LZW:
		return encodeLZW(packed), nil
	case Deflate, OldDeflate:
		return c.deflate(packed)
	case ZSTD:
		return c.zstd.EncodeAll(packed, nil), nil
	}
	return nil, fmt.Errorf("tifftest cannot write compression %d", c.image.Compression)
}

func (c *compressor) deflate(packed []byte) ([]byte, error) {
	var out bytes.Buffer
	if c.zlib == nil {
		c.zlib = zlib.NewWriter(&out)
	} else {
		c.zlib.Reset(&out)
	}
	if _, err := c.zlib.Write(packed); err != nil {
		return nil, err
	}
	err := c.zlib.Close()
	return out.Bytes(), err
}

// appendPackBits compresses one row. Runs of three or more bytes are repeats; everything else is
// literal.
func appendPackBits(out, row []byte) []byte {
	const maxRun = 128
	literalFrom := 0
	flush := func(end int) {
		for literalFrom < end {
			length := min(end-literalFrom, maxRun)
			out = append(out, byte(length-1))
			out = append(out, row[literalFrom:literalFrom+length]...)
			literalFrom += length
		}
	}
	for at := 0; at < len(row); {
		run := 1
		for at+run < len(row) && run < maxRun && row[at+run] == row[at] {
			run++
		}
		if run >= 3 {
			flush(at)
			out = append(out, byte(257-run), row[at])
			literalFrom = at + run
		}
		at += run
	}
	flush(len(row))
	return out
}
