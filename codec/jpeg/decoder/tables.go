package decoder

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"tileserver/codec/jpeg"
)

// tableNumbersEnd is the number of tables of each kind.
const tableNumbersEnd = 4

// tables holds the tables in effect at some point of a stream. The tables may be shared, so only
// those in a decoder's own memory are overwritten.
type tables struct {
	quantizers [tableNumbersEnd]*quantizer
	dc, ac     [tableNumbersEnd]*huffman
	interval   int // restart interval in units; 0 for none
}

// Tables holds tables that several streams share. It is immutable and safe for concurrent use.
type Tables struct{ tables tables }

// ParseTables reads a stream that holds only tables.
func ParseTables(stream []byte) (*Tables, error) {
	t := new(Tables)
	var own tables
	if len(stream) < 2 || stream[0] != 0xFF || jpeg.Marker(stream[1]) != jpeg.MarkerStart {
		return nil, fmt.Errorf("%w: no start of image", ErrCorrupt)
	}
	for rest := stream[2:]; ; {
		m, body, after, err := nextSegment(rest)
		if err != nil {
			return nil, err
		}
		if m == jpeg.MarkerEnd || m == jpeg.MarkerNone {
			return t, nil
		}
		if err := t.tables.read(m, body, &own); err != nil {
			return nil, err
		}
		rest = after
	}
}

// read reads the tables of a segment, if it defines any, into memory of own.
func (t *tables) read(m jpeg.Marker, body []byte, own *tables) error {
	switch m {
	case jpeg.MarkerQuantizer:
		return t.readQuantizers(body, own)
	case jpeg.MarkerHuffman:
		return t.readHuffman(body, own)
	case jpeg.MarkerInterval:
		if len(body) != 2 {
			return fmt.Errorf("%w: a restart interval of %d bytes", ErrCorrupt, len(body))
		}
		t.interval = int(binary.BigEndian.Uint16(body))
	}
	return nil
}

// quantizer holds the quantization factors in the order of a block.
type quantizer [jpeg.BlockSize]uint16

func (t *tables) readQuantizers(body []byte, own *tables) error {
	for len(body) > 0 {
		wide, number := body[0]>>4, body[0]&15
		if wide > 1 || number >= tableNumbersEnd {
			return fmt.Errorf("%w: quantizers %d of kind %d", ErrCorrupt, number, wide)
		}
		body = body[1:]
		size := jpeg.BlockSize * int(1+wide)
		if len(body) < size {
			return fmt.Errorf("%w: %d bytes of quantizers", ErrCorrupt, len(body))
		}
		q := ensure(&own.quantizers[number])
		for k, index := range zigzagIndex {
			if wide == 0 {
				q[index] = uint16(body[k])
			} else {
				q[index] = binary.BigEndian.Uint16(body[2*k:])
			}
		}
		t.quantizers[number] = q
		body = body[size:]
	}
	return nil
}

func (t *tables) readHuffman(body []byte, own *tables) error {
	for len(body) > 0 {
		class, number := body[0]>>4, body[0]&15
		if class > 1 || number >= tableNumbersEnd {
			return fmt.Errorf("%w: Huffman table %d of class %d", ErrCorrupt, number, class)
		}
		if len(body) < 1+maxCodeBits {
			return fmt.Errorf("%w: a Huffman table of %d bytes", ErrCorrupt, len(body))
		}
		symbols := 0
		for _, n := range body[1 : 1+maxCodeBits] {
			symbols += int(n)
		}
		size := 1 + maxCodeBits + symbols
		if symbols > maxSymbols || len(body) < size {
			return fmt.Errorf("%w: a Huffman table of %d symbols in %d bytes", ErrCorrupt, symbols, len(body))
		}
		current, memory := &t.dc[number], &own.dc[number]
		if class == 1 {
			current, memory = &t.ac[number], &own.ac[number]
		}
		h := ensure(memory)
		if err := h.define(body[1:size], class == 0); err != nil {
			return err
		}
		*current = h
		body = body[size:]
	}
	return nil
}

func ensure[T any](p **T) *T {
	if *p == nil {
		*p = new(T)
	}
	return *p
}

// define builds the table from a description: the number of codes of each length, and the symbols.
// It does nothing if the description is unchanged, which is common between streams.
func (h *huffman) define(description []byte, isDC bool) error {
	if h.isDC == isDC && h.described > 0 && bytes.Equal(description, h.description[:h.described]) {
		return nil
	}
	h.described = 0
	h.isDC = isDC
	if err := h.build(description[:maxCodeBits], description[maxCodeBits:]); err != nil {
		return err
	}
	h.described = copy(h.description[:], description)
	return nil
}
