package tifftest

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// jpegBits reads the entropy-coded data of one component bit by bit.
type jpegBits struct {
	data []byte // without stuffing
	at   int
}

func (b *jpegBits) next() uint32 {
	bit := b.data[b.at/8] >> (7 - b.at%8) & 1
	b.at++
	return uint32(bit)
}

// jpegCode maps each Huffman code to its symbol. A leading one bit preserves the code's leading
// zeros.
type jpegCode map[uint32]byte

var errJPEGScan = errors.New("a JPEG scan that cannot be read back")

// interleave merges the scans of single components into one. All must have the same size and the
// same codes. The bits of a block do not change: each is coded relative to the previous block of
// its component.
func interleave(scans [][]byte, tables []byte, blocks int) ([]byte, error) {
	dc, ac := jpegCodes(tables)
	readers := make([]jpegBits, len(scans))
	for i, scan := range scans {
		readers[i].data = bytes.ReplaceAll(scan, []byte{0xFF, 0}, []byte{0xFF})
	}
	out := &jpegWriter{}
	for range blocks {
		for i := range readers {
			if err := out.copyBlock(&readers[i], dc, ac); err != nil {
				return nil, err
			}
		}
	}
	for out.count > 0 { // ones pad the last byte
		out.write(1)
	}
	return bytes.ReplaceAll(out.data, []byte{0xFF}, []byte{0xFF, 0}), nil
}

// jpegCodes finds the DC and AC codes of a gray image in its table segments.
func jpegCodes(tables []byte) (dc, ac jpegCode) {
	for len(tables) > 0 {
		size := 2 + int(binary.BigEndian.Uint16(tables[2:]))
		segment := tables[4:size]
		for tables[1] == markerHuffman && len(segment) > 0 {
			const acClass = 0x10
			code := jpegCode{}
			if segment[0]&acClass == 0 {
				dc = code
			} else {
				ac = code
			}
			segment = code.read(segment[1:])
		}
		tables = tables[size:]
	}
	return dc, ac
}

// read parses a table at the start of segment and returns the rest.
func (c jpegCode) read(segment []byte) []byte {
	counts, rest := segment[:16], segment[16:]
	next := uint32(1)
	for _, count := range counts {
		next <<= 1
		for range count {
			c[next] = rest[0]
			next++
			rest = rest[1:]
		}
	}
	return rest
}

// jpegWriter collects bits.
type jpegWriter struct {
	data  []byte // without stuffing
	count int    // bits in the last byte
}

func (w *jpegWriter) write(bit uint32) {
	if w.count == 0 {
		w.data = append(w.data, 0)
	}
	w.data[len(w.data)-1] |= byte(bit) << (7 - w.count)
	w.count = (w.count + 1) % 8
}

// copyBlock copies the bits of the next block of 64 coefficients.
func (w *jpegWriter) copyBlock(from *jpegBits, dc, ac jpegCode) error {
	code := dc
	for coefficient := 0; coefficient < 64; code = ac {
		symbol, err := w.copySymbol(from, code)
		if err != nil {
			return err
		}
		zeros, size := int(symbol>>4), int(symbol&15)
		if coefficient > 0 && size == 0 && zeros < 15 {
			return nil // the rest of the block is zero
		}
		for range size {
			w.write(from.next())
		}
		coefficient += zeros + 1
	}
	return nil
}

func (w *jpegWriter) copySymbol(from *jpegBits, code jpegCode) (byte, error) {
	bits := uint32(1)
	for from.at < 8*len(from.data) {
		bit := from.next()
		w.write(bit)
		bits = bits<<1 | bit
		if symbol, known := code[bits]; known {
			return symbol, nil
		}
	}
	return 0, errJPEGScan
}
