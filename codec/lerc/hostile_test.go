package lerc

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"
)

// sealed fixes the size and checksum of a changed blob.
func sealed(src []byte) []byte {
	version := binary.LittleEndian.Uint32(src[6:])
	sizeAt := map[bool]int{false: 26, true: 34}[version >= 4]
	if version < 3 {
		sizeAt -= 4
	}
	binary.LittleEndian.PutUint32(src[sizeAt:], uint32(len(src)))
	if version >= 3 {
		binary.LittleEndian.PutUint32(src[10:], Fletcher32(src[checksumFrom:]))
	}
	return src
}

func TestDecodeTruncated(t *testing.T) {
	for _, kind := range []Type{Uint8, Float32} {
		p := pictures(kind)["dots of four values"]
		for name, e := range encoders(kind) {
			if e.version < 4 {
				continue
			}
			src := e.stream(p)
			for length := range src {
				if header, err := ReadHeader(src[:length]); !errors.Is(err, ErrTruncated) {
					t.Fatalf("%s, %d of %d bytes: %+v, %v", name, length, len(src), header, err)
				}
			}
		}
	}
}

// TestDecodeShortened removes bytes from the end of the samples and fixes the size of the blob.
func TestDecodeShortened(t *testing.T) {
	var decoder Decoder
	for _, kind := range allTypes {
		p := pictures(kind)["circle of noise"]
		samples, mask := expected(p)
		for name, e := range encoders(kind) {
			if e.version < 4 {
				continue
			}
			src := e.stream(p)
			header, err := readBlobHeader(src)
			if err != nil {
				t.Fatal(err)
			}
			wordAhead := 0 // appended for decoders that read ahead, and not needed
			if e.method == methodDeltaHuffman || e.method == methodHuffman {
				wordAhead = 4
			}
			for length := header.bodyAt; length < len(src)-wordAhead; length += 1 + len(src)/64 {
				if err := decoder.Decode(samples, mask, sealed(bytes.Clone(src[:length]))); err == nil {
					t.Fatalf("%v, %s: no error for %d of %d bytes", kind, name, length, len(src))
				}
			}
			if err := decoder.Decode(samples, mask, sealed(append(bytes.Clone(src), 0))); !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%v, %s, a byte more: %v", kind, name, err)
			}
		}
	}
}

// TestDecodeDamaged flips single bits everywhere except in the version, which the checksum does not
// cover.
func TestDecodeDamaged(t *testing.T) {
	p := pictures(Uint8)["circle"]
	samples, mask := expected(p)
	var decoder Decoder
	for version := 3; version <= newestVersion; version++ {
		src := encoder{version: version, maxZError: 0.5, blockSize: 8}.stream(p)
		for bit := range len(src) * 8 {
			if at := bit / 8; at >= 6 && at < 10 {
				continue
			}
			damaged := bytes.Clone(src)
			damaged[bit/8] ^= 1 << (bit % 8)
			if err := decoder.Decode(samples, mask, damaged); err == nil {
				t.Fatalf("version %d: no error for bit %d of byte %d", version, bit%8, bit/8)
			}
		}
	}
	src := encoder{version: 4, maxZError: 0.5, blockSize: 8}.stream(p)
	src[len(src)-1]++
	if err := decoder.Decode(samples, mask, src); !errors.Is(err, ErrChecksum) || !errors.Is(err, ErrCorrupt) {
		t.Errorf("the last byte: %v", err)
	}
}

// TestDecodeRejects changes bytes behind the header of a masked 8-bit band.
func TestDecodeRejects(t *testing.T) {
	p := pictures(Uint8)["circle"]
	blocks := encoder{version: 4, maxZError: 0.5, blockSize: 8}.stream(p)
	deltas := encoder{version: 4, method: methodDeltaHuffman, maxZError: 0.5, blockSize: 8}.stream(p)
	header, err := readBlobHeader(blocks)
	if err != nil {
		t.Fatal(err)
	}
	maskAt := header.bodyAt
	maskBytes := int(binary.LittleEndian.Uint32(blocks[maskAt:]))
	methodAt := maskAt + 4 + maskBytes + 2
	for name, test := range map[string]struct {
		src   []byte
		at    int
		bytes []byte
	}{
		"no mask":                    {blocks, maskAt, []byte{0, 0, 0, 0}},
		"a negative mask":            {blocks, maskAt, []byte{0, 0, 0, 0x80}},
		"a mask beyond the end":      {blocks, maskAt, []byte{0, 0, 0, 1}},
		"a mask cut short":           {blocks, maskAt, []byte{byte(maskBytes - 1), byte(maskBytes >> 8)}},
		"a run of nothing":           {blocks, maskAt + 4, []byte{0, 0}},
		"a run beyond the picture":   {blocks, maskAt + 4, []byte{0xff, 0x7f}},
		"a run that is the end":      {blocks, maskAt + 4, []byte{0, 0x80}},
		"more pixels than counted":   {blocks, maskAt + 4 + maskBytes - 3, []byte{0xff}},
		"a method of the future":     {blocks, methodAt + 1, []byte{4}},
		"floats by planes":           {blocks, methodAt + 1, []byte{3}},
		"a block elsewhere":          {blocks, methodAt + 2, []byte{3 << 2}},
		"an old code table":          {deltas, methodAt + 2, []byte{1}},
		"a code table of nothing":    {deltas, methodAt + 6, []byte{0, 0}},
		"a code table too large":     {deltas, methodAt + 6, []byte{0, 2}},
		"symbols before the first":   {deltas, methodAt + 10, []byte{0xff, 0xff, 0xff, 0xff}},
		"symbols beyond the last":    {deltas, methodAt + 10, []byte{0, 1}},
		"symbols that go backwards":  {deltas, methodAt + 14, []byte{0, 0, 0, 0}},
		"symbols that go round":      {deltas, methodAt + 14, []byte{0xff, 0xff}},
		"fewer lengths than symbols": {deltas, methodAt + 14, []byte{byte(deltas[methodAt+14] - 1)}},
		"lengths of no bits":         {deltas, methodAt + 18, []byte{0x80, 0}},
		"lengths of 31 bits":         {deltas, methodAt + 18, []byte{0x9f}},
	} {
		t.Run(name, func(t *testing.T) {
			src := bytes.Clone(test.src)
			copy(src[test.at:], test.bytes)
			samples, mask := expected(p)
			var decoder Decoder
			if err := decoder.Decode(samples, mask, sealed(src)); err == nil {
				t.Fatal("no error")
			}
		})
	}
}

// TestHuffmanClashes checks codes that are prefixes of others.
func TestHuffmanClashes(t *testing.T) {
	for name, test := range map[string]struct {
		lengths []uint8
		codes   []uint32
	}{
		"the same short code":          {[]uint8{2, 2}, []uint32{1, 1}},
		"short within shorter":         {[]uint8{1, 3}, []uint32{1, 5}},
		"shorter around short":         {[]uint8{3, 1}, []uint32{5, 1}},
		"the same long code":           {[]uint8{20, 20}, []uint32{9, 9}},
		"long within short":            {[]uint8{2, 20}, []uint32{1, 1 << 18}},
		"short around long":            {[]uint8{20, 2}, []uint32{1 << 18, 1}},
		"long within another long one": {[]uint8{14, 32}, []uint32{1, 1<<18 + 7}},
	} {
		var words wordWriter
		var h huffman
		for i, length := range test.lengths {
			words.put(test.codes[i], int(length))
			h.lengths[i], h.symbols[i] = length, uint8(i)
		}
		if err := h.build(stuffedWords{src: words.out}, len(test.lengths), true); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHuffmanIncomplete(t *testing.T) {
	var words wordWriter
	words.put(0b10, 2)
	words.put(0b11<<12, 14)
	var h huffman
	h.lengths[0], h.symbols[0] = 2, 'a'
	h.lengths[1], h.symbols[1] = 14, 'b'
	if err := h.build(stuffedWords{src: words.out}, 2, true); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		words []uint32
		want  error
	}{
		"invalid code":              {[]uint32{0b00 << 30, 0}, ErrCorrupt},
		"a long code does not":      {[]uint32{0b11<<30 | 1<<18, 0}, ErrCorrupt},
		"the end":                   {[]uint32{0xaaaaaaaa}, ErrTruncated},
		"the end within a code":     {[]uint32{0xaaaaaaab}, ErrTruncated},
		"the end after a long code": {[]uint32{0b11<<30 | 0x2aaaa}, ErrTruncated},
	} {
		var src []byte
		for _, word := range test.words {
			src = binary.LittleEndian.AppendUint32(src, word)
		}
		if err := h.decode(make([]byte, 40), &bitWords{src: src}); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
}
