package lzma

import (
	"encoding/binary"
	"fmt"
)

// Control bytes of LZMA2. In the control byte of a compressed chunk, two bits tell what is reset;
// each value includes the previous ones.
const (
	controlEnd           = 0
	controlNewDictionary = 1 // the chunk is uncompressed
	controlUncompressed  = 2
	controlCompressed    = 0x80

	newState      = 1
	newProperties = 2
	newDictionary = 3
)

// trailingBytes is the minimum number of bytes behind a chunk: the end of the chunks, an index with
// one block, and a footer. In a corrupt chunk, the range decoder may read into them, by at most one
// symbol and one byte.
const (
	trailingBytes = 1 + 8 + headerBytes
	_             = uint(trailingBytes - maxSymbolBytes - 1)
)

// history is the data that matches may refer to: dst from start to n, but not farther back than the
// size of the dictionary.
type history struct {
	dst        []byte
	n          int
	start      int
	dictionary uint64
}

// chunks decodes LZMA2 data into dst from index n on. It returns the index after the decoded data,
// even if it returns an error.
func (d *Decoder) chunks(dst []byte, n int, in *input, dictionary uint64) (int, error) {
	h := history{dst: dst, n: n, start: n, dictionary: dictionary}
	hasDictionary, hasProperties := false, false
	for {
		control, err := in.take(1)
		if err != nil {
			return h.n, err
		}
		if control[0] == controlEnd {
			return h.n, nil
		}
		reset := int(control[0] >> 5 & 3)
		isCompressed := control[0] >= controlCompressed
		if control[0] == controlNewDictionary || isCompressed && reset == newDictionary {
			h.start = h.n
			hasDictionary, hasProperties = true, false
		}
		switch {
		case !hasDictionary, !isCompressed && control[0] > controlUncompressed, isCompressed && reset < newProperties && !hasProperties:
			return h.n, fmt.Errorf("LZMA2 control byte %#02x: %w", control[0], ErrCorrupt)
		case isCompressed:
			hasProperties = true
			err = d.compressedChunk(&h, in, control[0])
		default:
			err = h.copyChunk(in)
		}
		if err != nil {
			return h.n, err
		}
	}
}

// copyChunk copies an uncompressed chunk.
func (h *history) copyChunk(in *input) error {
	size, err := in.take(2)
	if err != nil {
		return err
	}
	length := int(binary.BigEndian.Uint16(size)) + 1
	present := in.rest()
	present = present[:min(length, len(present))]
	copied := copy(h.dst[h.n:], present)
	h.n += copied
	in.pos += copied
	switch {
	case copied < len(present):
		return ErrTooLong
	case len(present) < length:
		return ErrTruncated
	}
	return nil
}

// compressedChunk decodes a compressed chunk. It resets the model first if the control byte says
// so.
func (d *Decoder) compressedChunk(h *history, in *input, control byte) error {
	sizes, err := in.take(4)
	if err != nil {
		return err
	}
	decodedBytes := int(control&0x1f)<<16 + int(binary.BigEndian.Uint16(sizes)) + 1
	storedBytes := int(binary.BigEndian.Uint16(sizes[2:])) + 1
	reset := int(control >> 5 & 3)
	if reset >= newProperties {
		properties, err := in.take(1)
		if err == nil {
			err = d.model.setProperties(properties[0])
		}
		if err != nil {
			return err
		}
	}
	if reset >= newState {
		d.model.reset()
	}
	if len(in.rest()) < storedBytes+trailingBytes {
		return ErrTruncated
	}
	from := in.pos
	in.pos += storedBytes
	return d.model.decode(h, in.src[from:], storedBytes, decodedBytes)
}
