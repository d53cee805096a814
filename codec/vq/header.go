package vq

import (
	"encoding/binary"
	"fmt"
)

// HeaderBytes is the size of the header before the tables, as it is usually written.
const HeaderBytes = imageBytes + sectionBytes + offsetBytes + kernelSide*recordBytes

// Sizes of the parts of the header.
const (
	imageBytes   = 9  // rows of codes, codes in a row, bits of a code
	sectionBytes = 6  // algorithm, number of tables, number of parameters
	offsetBytes  = 6  // where the records begin, and their length
	recordBytes  = 14 // the shape of a table, and where it begins
)

// maxSide bounds the codes in a row and in a column of a block.
const maxSide = 1 << 13

// Header describes the codes and the codebook of an image.
type Header struct {
	// Bytes is the size of the header and its codebook. The blocks follow.
	Bytes int

	rows, columns int             // of codes in a block
	kernels       int             // in the codebook
	tables        [kernelSide]int // where they begin
}

// Width returns the width of a block in pixels.
func (h *Header) Width() int { return h.columns * kernelSide }

// Height returns the height of a block in pixels.
func (h *Header) Height() int { return h.rows * kernelSide }

// BlockBytes returns the size of a block's codes.
func (h *Header) BlockBytes() int { return bytesOf(h.rows * h.columns) }

// ParseHeader reads the header at the beginning of data, which holds at least HeaderBytes.
func ParseHeader(data []byte) (Header, error) {
	if len(data) < HeaderBytes {
		return Header{}, fmt.Errorf("%w: a header of %d bytes", ErrTruncated, len(data))
	}
	h := Header{Bytes: HeaderBytes}
	if err := h.readCodes(data); err != nil {
		return Header{}, err
	}
	if err := h.readSection(data[imageBytes:]); err != nil {
		return Header{}, err
	}
	return h, nil
}

// readCodes reads how the codes of a block are stored.
func (h *Header) readCodes(data []byte) error {
	rows, columns, bits := binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[4:]), data[8]
	switch {
	case rows == 0 || columns == 0 || rows > maxSide || columns > maxSide:
		return fmt.Errorf("%w: a block of %dx%d codes", ErrCorrupt, columns, rows)
	case bits != codeBits:
		return fmt.Errorf("%w: codes of %d bits", ErrUnsupported, bits)
	}
	h.rows, h.columns = int(rows), int(columns)
	return nil
}

// readSection reads the section that describes the codebook. Offsets in it count from behind its
// first fields.
func (h *Header) readSection(section []byte) error {
	const vectorQuantization = 1
	algorithm, tables := binary.BigEndian.Uint16(section), binary.BigEndian.Uint16(section[2:])
	if algorithm != vectorQuantization || tables != kernelSide {
		return fmt.Errorf("%w: algorithm %d with %d tables", ErrUnsupported, algorithm, tables)
	}
	offsets := section[sectionBytes:]
	at, length := int64(binary.BigEndian.Uint32(offsets)), int64(binary.BigEndian.Uint16(offsets[4:]))
	if at < offsetBytes || length < recordBytes || at+kernelSide*length > int64(len(offsets)) {
		return fmt.Errorf("%w: records of %d bytes at %d", ErrCorrupt, length, at)
	}
	for i := range kernelSide {
		if err := h.readRecord(i, offsets[at+int64(i)*length:]); err != nil {
			return err
		}
	}
	return nil
}

// readRecord reads the shape and the place of a table.
func (h *Header) readRecord(i int, record []byte) error {
	const maxBytes = 1 << 24 // far more than the largest codebook
	kernels, values := binary.BigEndian.Uint32(record[2:]), binary.BigEndian.Uint16(record[6:])
	bits, at := binary.BigEndian.Uint16(record[8:]), binary.BigEndian.Uint32(record[10:])
	switch {
	case values != kernelSide || bits != 8:
		return fmt.Errorf("%w: rows of %d pixels of %d bits", ErrUnsupported, values, bits)
	case kernels == 0 || kernels > maxKernels || i > 0 && int(kernels) != h.kernels:
		return fmt.Errorf("%w: a table of %d rows", ErrCorrupt, kernels)
	case at > maxBytes:
		return fmt.Errorf("%w: a table at %d", ErrCorrupt, at)
	}
	h.kernels = int(kernels)
	h.tables[i] = imageBytes + sectionBytes + int(at)
	h.Bytes = max(h.Bytes, h.tables[i]+kernelSide*h.kernels)
	return nil
}
