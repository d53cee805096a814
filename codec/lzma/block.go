package lzma

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

const (
	filterDelta = 0x03
	filterLZMA2 = 0x21

	maxDictionaryCode = 40
	noSize            = ^uint64(0) // a size that the header does not state
)

// blockHeader describes the data of a block.
type blockHeader struct {
	compressed, decoded uint64 // or noSize
	delta               int    // distance of the delta filter, or 0
	dictionary          uint64 // maximum distance of matches
}

// block decodes one block and verifies its check.
func (d *Decoder) block(dst []byte, n *int, in *input, check checkKind) (blockSizes, error) {
	begin, from := in.pos, *n
	header, err := readBlockHeader(in)
	if err != nil {
		return blockSizes{}, fmt.Errorf("header: %w", err)
	}
	dataAt := in.pos
	*n, err = d.chunks(dst, from, in, header.dictionary)
	decoded := dst[from:*n]
	undoDelta(decoded, header.delta)
	if err != nil {
		return blockSizes{}, err
	}
	if header.compressed != noSize && header.compressed != uint64(in.pos-dataAt) ||
		header.decoded != noSize && header.decoded != uint64(len(decoded)) {
		return blockSizes{}, fmt.Errorf("sizes differ from the header: %w", ErrCorrupt)
	}
	sizes := blockSizes{unpadded: uint64(in.pos - begin), decoded: uint64(len(decoded))}
	if err := in.takePadding(begin); err != nil {
		return blockSizes{}, err
	}
	checkAt := in.pos
	if err := check.verify(in, decoded); err != nil {
		return blockSizes{}, err
	}
	sizes.unpadded += uint64(in.pos - checkAt)
	return sizes, nil
}

func readBlockHeader(in *input) (blockHeader, error) {
	// The first byte holds the length of the header. The caller has checked that it is not zero.
	whole, err := in.take((int(in.src[in.pos]) + 1) * 4)
	if err != nil {
		return blockHeader{}, err
	}
	fields, checksum := whole[:len(whole)-4], whole[len(whole)-4:]
	if crc32.ChecksumIEEE(fields) != binary.LittleEndian.Uint32(checksum) {
		return blockHeader{}, fmt.Errorf("CRC-32: %w", ErrCorrupt)
	}
	h, err := parseBlockHeader(&input{src: fields, pos: 1})
	if errors.Is(err, ErrTruncated) {
		err = fmt.Errorf("fields beyond its end: %w", ErrCorrupt)
	}
	return h, err
}

func parseBlockHeader(in *input) (blockHeader, error) {
	const (
		filtersMask   = 3
		reserved      = 0x3c
		hasCompressed = 0x40
		hasDecoded    = 0x80
	)
	h := blockHeader{compressed: noSize, decoded: noSize}
	flags, err := in.take(1)
	if err != nil {
		return h, err
	}
	if flags[0]&reserved != 0 {
		return h, fmt.Errorf("flags %#02x: %w", flags[0], ErrUnsupported)
	}
	if flags[0]&hasCompressed != 0 {
		if h.compressed, err = in.number(); err != nil {
			return h, err
		}
	}
	if flags[0]&hasDecoded != 0 {
		if h.decoded, err = in.number(); err != nil {
			return h, err
		}
	}
	for filters := int(flags[0]&filtersMask) + 1; filters > 0; filters-- {
		if err := h.readFilter(in, filters == 1); err != nil {
			return h, err
		}
	}
	for _, b := range in.rest() {
		if b != 0 {
			return h, fmt.Errorf("padding: %w", ErrCorrupt)
		}
	}
	return h, nil
}

// readFilter reads one filter. The last must be LZMA2; one delta filter may precede it.
func (h *blockHeader) readFilter(in *input, isLast bool) error {
	id, err := in.number()
	if err != nil {
		return err
	}
	size, err := in.number()
	if err != nil {
		return err
	}
	properties, err := in.take(int(min(size, uint64(len(in.src)+1))))
	if err != nil {
		return err
	}
	switch {
	case id == filterLZMA2 && isLast && len(properties) == 1 && properties[0] <= maxDictionaryCode:
		code := uint64(properties[0])
		h.dictionary = (2 | code&1) << (code/2 + 11)
	case id == filterDelta && !isLast && len(properties) == 1 && h.delta == 0:
		h.delta = int(properties[0]) + 1
	case id == filterLZMA2, id == filterDelta && (isLast || len(properties) != 1):
		return fmt.Errorf("filter %#x with %d bytes of properties: %w", id, len(properties), ErrCorrupt)
	case id == filterDelta:
		return fmt.Errorf("two delta filters: %w", ErrUnsupported)
	default:
		return fmt.Errorf("filter %s: %w", filterName(id), ErrUnsupported)
	}
	return nil
}

// filterName returns the name of a filter for executables, for error messages.
func filterName(id uint64) string {
	switch id {
	case 0x04:
		return "x86 BCJ"
	case 0x05:
		return "PowerPC BCJ"
	case 0x06:
		return "IA-64 BCJ"
	case 0x07:
		return "ARM BCJ"
	case 0x08:
		return "ARM Thumb BCJ"
	case 0x09:
		return "SPARC BCJ"
	case 0x0a:
		return "ARM64 BCJ"
	case 0x0b:
		return "RISC-V BCJ"
	}
	return fmt.Sprintf("%#x", id)
}
