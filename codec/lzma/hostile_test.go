package lzma

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"
)

// withBlockHeader replaces the fields, starting with the flags, in the header of a file's only
// block.
func withBlockHeader(file []byte, fields ...byte) []byte {
	oldBytes := (int(file[headerBytes]) + 1) * 4
	header := padded(append([]byte{0}, fields...))
	header[0] = byte(len(header) / 4)
	header = binary.LittleEndian.AppendUint32(header, crc32.ChecksumIEEE(header))
	return append(append(bytes.Clone(file[:headerBytes]), header...), file[headerBytes+oldBytes:]...)
}

func TestDecodeRejects(t *testing.T) {
	data := photo(5, 5)
	file := encoder{}.file(data)
	unknownCheck := bytes.Clone(file)
	unknownCheck[7] = 2
	binary.LittleEndian.PutUint32(unknownCheck[8:], crc32.ChecksumIEEE(unknownCheck[6:8]))
	reserved := bytes.Clone(file)
	reserved[6] = 1
	binary.LittleEndian.PutUint32(reserved[8:], crc32.ChecksumIEEE(reserved[6:8]))
	for name, test := range map[string]struct {
		src  []byte
		want error
	}{
		"nothing":                    {nil, ErrTruncated},
		"gzip":                       {[]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00"), ErrCorrupt},
		"reserved stream flags":      {reserved, ErrCorrupt},
		"a check of the future":      {unknownCheck, ErrUnsupported},
		"x86 BCJ":                    {withBlockHeader(file, 1, 4, 0, filterLZMA2, 1, 22), ErrUnsupported},
		"a filter of one's own":      {withBlockHeader(file, 1, 0x80, 0x80, 1, 0, filterLZMA2, 1, 22), ErrUnsupported},
		"two deltas":                 {withBlockHeader(file, 2, filterDelta, 1, 0, filterDelta, 1, 0, filterLZMA2, 1, 22), ErrUnsupported},
		"reserved block flags":       {withBlockHeader(file, 4, filterLZMA2, 1, 22), ErrUnsupported},
		"a delta alone":              {withBlockHeader(file, 0, filterDelta, 1, 0), ErrCorrupt},
		"LZMA2 not last":             {withBlockHeader(file, 1, filterLZMA2, 1, 22, filterDelta, 1, 0), ErrCorrupt},
		"LZMA2 with two properties":  {withBlockHeader(file, 0, filterLZMA2, 2, 22, 0), ErrCorrupt},
		"a dictionary beyond 4 GiB":  {withBlockHeader(file, 0, filterLZMA2, 1, 41), ErrCorrupt},
		"properties beyond its end":  {withBlockHeader(file, 0, filterLZMA2, 100), ErrCorrupt},
		"endless properties":         {withBlockHeader(file, 0, filterLZMA2, 255, 255, 255, 255, 255, 255, 255, 255, 127), ErrCorrupt},
		"a number too long":          {withBlockHeader(file, 0, filterLZMA2, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1), ErrCorrupt},
		"a number longer than it is": {withBlockHeader(file, 0, filterLZMA2, 0x81, 0, 22), ErrCorrupt},
		"bytes after the filters":    {withBlockHeader(file, 0, filterLZMA2, 1, 22, 0, 9), ErrCorrupt},
		"another compressed size":    {withBlockHeader(file, 0x40, 99, filterLZMA2, 1, 22), ErrCorrupt},
		"another decoded size":       {withBlockHeader(file, 0x80, 99, 1, filterLZMA2, 1, 22), ErrCorrupt},
		"an index of another header": {withBlockHeader(file, 0, filterLZMA2, 1, 22, 0, 0, 0, 0), ErrCorrupt},
	} {
		t.Run(name, func(t *testing.T) {
			var decoder Decoder
			if n, err := decoder.Decode(make([]byte, len(data)), test.src); !errors.Is(err, test.want) {
				t.Fatalf("got %d, %v; want %v", n, err, test.want)
			}
		})
	}
}

// TestChunksRejects checks invalid LZMA2 data.
func TestChunksRejects(t *testing.T) {
	body := func(head ...byte) []byte { return append(head, make([]byte, 64)...) }
	for name, src := range map[string][]byte{
		"no dictionary":             body(controlUncompressed, 0, 0, 7),
		"no dictionary, compressed": body(0xc0, 0, 0, 0, 9, 0),
		"no properties":             body(controlNewDictionary, 0, 0, 7, 0xa0, 0, 0, 0, 9, 0),
		"reserved control byte":     body(controlNewDictionary, 0, 0, 7, 0x03),
		"properties too large":      body(0xe0, 0, 0, 0, 9, 225),
		"too much context":          body(0xe0, 0, 0, 0, 9, 4+9*1),
		"no head":                   body(0xe0, 0, 0, 0, 3, 0),
		"head not zero":             body(0xe0, 0, 0, 0, 9, 0, 1),
		"match before the first":    body(0xe0, 0, 9, 0, 9, 0, 0, 0xff, 0xff, 0xff, 0xff),
		"more stored than read":     body(0xe0, 0, 0, 0, 30, 0, 0),
	} {
		t.Run(name, func(t *testing.T) {
			var decoder Decoder
			n, err := decoder.chunks(make([]byte, 100), 0, &input{src: src}, 1<<20)
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("got %d, %v", n, err)
			}
		})
	}
}

// TestDictionarySize decodes a match that refers beyond the size of the dictionary.
func TestDictionarySize(t *testing.T) {
	data := samples()["text"]
	chunks := append(encoder{lc: 3, chunkBytes: 500}.chunks(data), make([]byte, 30)...)
	var decoder Decoder
	dst := make([]byte, len(data))
	if n, err := decoder.chunks(dst, 0, &input{src: chunks}, 1<<20); n != len(data) || err != nil {
		t.Fatalf("a dictionary large enough: %d, %v", n, err)
	}
	if n, err := decoder.chunks(dst, 0, &input{src: chunks}, 40); !errors.Is(err, ErrCorrupt) {
		t.Fatalf("a small one: %d, %v", n, err)
	}
}

// TestDecodeTruncated truncates a file at every length.
func TestDecodeTruncated(t *testing.T) {
	data := photo(17, 7)
	for encoderName, e := range encoders() {
		file := e.file(data)
		for length := range file {
			dst := make([]byte, len(data))
			var decoder Decoder
			if n, err := decoder.Decode(dst, file[:length:length]); !errors.Is(err, ErrTruncated) {
				t.Fatalf("%s, %d of %d bytes: got %d, %v", encoderName, length, len(file), n, err)
			}
		}
	}
}

// TestDecodeDamaged flips single bits in files whose blocks have a check. Some bits have no effect,
// such as a dictionary reset that no match notices.
func TestDecodeDamaged(t *testing.T) {
	data := photo(17, 7)
	for encoderName, e := range encoders() {
		if e.check == checkNone {
			continue
		}
		file := e.file(data)
		var decoder Decoder
		dst := make([]byte, len(data))
		for bit := range len(file) * 8 {
			file[bit/8] ^= 1 << (bit % 8)
			if n, err := decoder.Decode(dst, file); err == nil && !bytes.Equal(dst[:n], data) {
				t.Fatalf("%s, bit %d of byte %d: got other bytes and no error", encoderName, bit%8, bit/8)
			}
			file[bit/8] ^= 1 << (bit % 8)
		}
	}
}

func TestDecodeChecksum(t *testing.T) {
	data := photo(17, 7)
	for _, check := range []checkKind{checkCRC32, checkCRC64, checkSHA256} {
		e := encoder{check: check}
		file := e.file(data)
		at := bytes.LastIndex(file, e.checkOf(data))
		file[at]++
		var decoder Decoder
		if n, err := decoder.Decode(make([]byte, len(data)), file); n != len(data) || !errors.Is(err, ErrChecksum) || !errors.Is(err, ErrCorrupt) {
			t.Errorf("check %d: got %d, %v", check, n, err)
		}
	}
}
