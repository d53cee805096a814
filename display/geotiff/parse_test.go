package geotiff

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"math"
	"testing"
)

// A parsedFile is a file as a TIFF reader sees it. Its parser shares no code with the writer.
type parsedFile struct {
	big    bool
	images []parsedImage
}

type parsedImage struct {
	raw  []byte
	tags map[int]parsedTag
}

type parsedTag struct {
	kind   int
	values []byte
}

func (g parsedTag) numbers() (numbers []int) {
	size := map[int]int{3: 2, 4: 4, 16: 8}[g.kind]
	if size == 0 {
		return nil // no tag, or one of another type
	}
	for at := 0; at+size <= len(g.values); at += size {
		var word [8]byte
		copy(word[:], g.values[at:at+size])
		numbers = append(numbers, int(binary.LittleEndian.Uint64(word[:])))
	}
	return numbers
}

func (g parsedTag) floats() (floats []float64) {
	for at := 0; at+8 <= len(g.values); at += 8 {
		floats = append(floats, math.Float64frombits(binary.LittleEndian.Uint64(g.values[at:])))
	}
	return floats
}

// parse fails for everything that readers may reject, such as unsorted tags and values at odd
// offsets.
func parse(t *testing.T, raw []byte) parsedFile {
	t.Helper()
	file, offset := parsedFile{}, 0
	switch {
	case len(raw) >= 8 && string(raw[:4]) == "II\x2a\x00":
		offset = int(binary.LittleEndian.Uint32(raw[4:]))
	case len(raw) >= 16 && string(raw[:8]) == "II\x2b\x00\x08\x00\x00\x00":
		file.big, offset = true, int(binary.LittleEndian.Uint64(raw[8:]))
	default:
		t.Fatalf("the file begins with %q", raw[:min(len(raw), 16)])
	}
	for offset != 0 {
		if offset%2 != 0 || len(file.images) == 2 {
			t.Fatalf("directory %d at %d", len(file.images), offset)
		}
		var parsed parsedImage
		parsed, offset = parseDirectory(t, raw, offset, file.big)
		file.images = append(file.images, parsed)
	}
	return file
}

func parseDirectory(t *testing.T, raw []byte, offset int, big bool) (parsed parsedImage, next int) {
	t.Helper()
	count, entryBytes, offsetBytes := int(binary.LittleEndian.Uint16(raw[offset:])), 12, 4
	table := raw[offset+2:]
	if big {
		count, entryBytes, offsetBytes = int(binary.LittleEndian.Uint64(raw[offset:])), 20, 8
		table = raw[offset+8:]
	}
	number := func(at []byte) int {
		if big {
			return int(binary.LittleEndian.Uint64(at))
		}
		return int(binary.LittleEndian.Uint32(at))
	}
	parsed = parsedImage{raw, make(map[int]parsedTag)}
	last := 0
	for i := range count {
		entry := table[i*entryBytes:][:entryBytes]
		name, kind := int(binary.LittleEndian.Uint16(entry)), int(binary.LittleEndian.Uint16(entry[2:]))
		length := number(entry[4:]) * map[int]int{2: 1, 3: 2, 4: 4, 12: 8, 16: 8}[kind]
		values := entry[4+offsetBytes:]
		if length > len(values) {
			at := number(values)
			if at%2 != 0 {
				t.Errorf("the values of tag %d lie at %d", name, at)
			}
			values = raw[at:]
		}
		if name <= last || length == 0 {
			t.Fatalf("tag %d of %d bytes after tag %d", name, length, last)
		}
		parsed.tags[name], last = parsedTag{kind, values[:length]}, name
	}
	return parsed, number(table[count*entryBytes:])
}

// one returns the first value of a tag, or otherwise if the tag is missing.
func (p *parsedImage) one(tag, otherwise int) int {
	if found, ok := p.tags[tag]; ok {
		return found.numbers()[0]
	}
	return otherwise
}

// planes returns the samples of each band. Samples smaller than a byte become one byte each.
func (p *parsedImage) planes(t *testing.T) [][]byte {
	t.Helper()
	width, height, samples := p.one(256, 0), p.one(257, 0), p.one(277, 1)
	bits := p.tags[258].numbers()
	if len(bits) != samples {
		t.Fatalf("%d values of BitsPerSample for %d samples", len(bits), samples)
	}
	size := (bits[0] + 7) / 8
	planes := make([][]byte, samples)
	for i := range planes {
		planes[i] = make([]byte, width*height*size)
	}
	blockWidth, blockHeight, offsets, lengths := width, p.one(278, 0), p.tags[273].numbers(), p.tags[279].numbers()
	if _, tiled := p.tags[322]; tiled {
		blockWidth, blockHeight, offsets, lengths = p.one(322, 0), p.one(323, 0), p.tags[324].numbers(), p.tags[325].numbers()
	}
	across, down := (width+blockWidth-1)/blockWidth, (height+blockHeight-1)/blockHeight
	inBlock, groups := samples, 1
	if p.one(284, 1) == 2 {
		inBlock, groups = 1, samples
	}
	if len(offsets) != across*down*groups || len(lengths) != len(offsets) {
		t.Fatalf("%d offsets and %d lengths for %d x %d blocks of %d planes", len(offsets), len(lengths), across, down, groups)
	}
	for i := range offsets {
		block := p.block(t, p.raw[offsets[i]:][:lengths[i]], blockWidth, blockHeight, inBlock, bits[0])
		group, x0, y0 := i/(across*down), i%across*blockWidth, i/across%down*blockHeight
		for y := y0; y < min(y0+blockHeight, height); y++ {
			for x := x0; x < min(x0+blockWidth, width); x++ {
				for s := range inBlock {
					from := (((y-y0)*blockWidth+x-x0)*inBlock + s) * size
					copy(planes[group*inBlock+s][(y*width+x)*size:][:size], block[from:])
				}
			}
		}
	}
	return planes
}

// block decompresses a block and undoes its predictor. Bits become bytes.
func (p *parsedImage) block(t *testing.T, data []byte, width, height, samples, bits int) []byte {
	t.Helper()
	if p.one(259, 1) == 8 {
		reader, err := zlib.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if data, err = io.ReadAll(reader); err != nil {
			t.Fatal(err)
		}
	}
	rowBytes := (width*samples*bits + 7) / 8
	if len(data) != rowBytes*height {
		t.Fatalf("a block of %d bytes, want %d rows of %d", len(data), height, rowBytes)
	}
	out := make([]byte, 0, len(data))
	for y := range height {
		row := bytes.Clone(data[y*rowBytes:][:rowBytes])
		switch {
		case bits == 1:
			out = append(out, unpack(row, width)...)
			continue
		case p.one(317, 1) == 2:
			addNeighbors(row, bits/8, samples)
		case p.one(317, 1) == 3:
			row = joinFloats(row, bits/8)
		}
		out = append(out, row...)
	}
	return out
}

func unpack(row []byte, width int) (bits []byte) {
	for x := range width {
		bits = append(bits, row[x/8]>>(7-x%8)&1)
	}
	return bits
}

func addNeighbors(row []byte, size, samples int) {
	for at := samples * size; at < len(row); at += size {
		var here, before [8]byte
		copy(here[:], row[at:at+size])
		copy(before[:], row[at-samples*size:][:size])
		sum := binary.LittleEndian.AppendUint64(nil, binary.LittleEndian.Uint64(here[:])+binary.LittleEndian.Uint64(before[:]))
		copy(row[at:], sum[:size])
	}
}

func joinFloats(row []byte, size int) []byte {
	for at := 1; at < len(row); at++ {
		row[at] += row[at-1]
	}
	out := make([]byte, len(row))
	n := len(row) / size
	for i := range n {
		for b := range size {
			out[i*size+b] = row[(size-1-b)*n+i]
		}
	}
	return out
}
