package tiff

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"slices"
	"strings"
	"testing"

	markers "tileserver/codec/jpeg"
	"tileserver/decode"
)

// oldJPEGPicture is a JPEG stream split into its parts.
type oldJPEGPicture struct {
	whole      []byte
	head       []byte // up to and including the header of the scan
	data       []byte
	tables     []byte // their segments
	quantizers [][]byte
	dc, ac     [][]byte
	want       []byte
}

// newOldJPEGPicture encodes a gray ramp with a pattern, or its lower part.
func newOldJPEGPicture(t *testing.T, width, top, bottom int) oldJPEGPicture {
	t.Helper()
	p := image.NewGray(image.Rect(0, 0, width, bottom-top))
	for i := range p.Pix {
		x, y := i%width, i/width+top
		p.Pix[i] = byte(5*x + 3*y + 20*(x/7%2))
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, p, &jpeg.Options{Quality: 90}); err != nil {
		t.Fatal(err)
	}
	made := oldJPEGPicture{whole: out.Bytes()}
	decoded, err := jpeg.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	for y := range bottom - top {
		made.want = append(made.want, decoded.(*image.Gray).Pix[y*decoded.(*image.Gray).Stride:][:width]...)
	}
	made.takeApart()
	return made
}

func (p *oldJPEGPicture) takeApart() {
	const quantizerBytes, countsBytes = 64, 16
	for rest := p.whole[2:]; ; {
		marker, size := markers.Marker(rest[1]), 2+int(binary.BigEndian.Uint16(rest[2:]))
		body, segment := rest[4:size], rest[:size]
		rest = rest[size:]
		if marker == markers.MarkerQuantizer || marker == markers.MarkerHuffman {
			p.tables = append(p.tables, segment...)
		}
		switch marker {
		case markers.MarkerQuantizer:
			for ; len(body) > 0; body = body[1+quantizerBytes:] {
				p.quantizers = append(p.quantizers, body[1:][:quantizerBytes])
			}
		case markers.MarkerHuffman:
			for len(body) > 0 {
				n := countsBytes
				for _, count := range body[1:][:countsBytes] {
					n += int(count)
				}
				tables := &p.dc
				if body[0]>>4 == 1 {
					tables = &p.ac
				}
				*tables = append(*tables, body[1:][:n])
				body = body[1+n:]
			}
		case markers.MarkerScan:
			p.head, p.data = p.whole[:len(p.whole)-len(rest)], rest[:len(rest)-2]
			return
		}
	}
}

// oldJPEGFile writes data after a directory and sets the tags that point to it.
type oldJPEGFile struct {
	entries []rawEntry
	pieces  []byte
}

// pieceBase is an offset after any directory that these tests build.
const pieceBase = 512

func (f *oldJPEGFile) add(piece []byte) (offset uint32) {
	offset = pieceBase + uint32(len(f.pieces))
	f.pieces = append(f.pieces, piece...)
	return offset
}

// list writes values that do not fit into an entry.
func (f *oldJPEGFile) list(tag uint16, values ...uint32) {
	if len(values) == 1 {
		f.entries = append(f.entries, rawEntry{tag, 4, 1, values[0]})
		return
	}
	var list []byte
	for _, v := range values {
		list = binary.LittleEndian.AppendUint32(list, v)
	}
	f.entries = append(f.entries, rawEntry{tag, 4, uint32(len(values)), f.add(list)})
}

func (f *oldJPEGFile) tables(p oldJPEGPicture) {
	for tag, tables := range map[uint16][][]byte{519: p.quantizers[:1], 520: p.dc[:1], 521: p.ac[:1]} {
		f.list(tag, f.add(tables[0]))
	}
}

func (f *oldJPEGFile) bytes(width, height, rows int) []byte {
	entries := append(f.entries, rawEntry{256, 3, 1, uint32(width)}, rawEntry{257, 3, 1, uint32(height)},
		rawEntry{259, 3, 1, 6}, rawEntry{278, 3, 1, uint32(rows)})
	made := rawFile(0, rawImage(entries...)...)
	return append(append(made, make([]byte, pieceBase-len(made))...), f.pieces...)
}

func TestOldJPEG(t *testing.T) {
	const width, height, rows = 43, 37, 16
	whole := newOldJPEGPicture(t, width, 0, height)
	var strips []oldJPEGPicture
	var stripsWant []byte
	for top := 0; top < height; top += rows {
		strip := newOldJPEGPicture(t, width, top, min(top+rows, height))
		strips, stripsWant = append(strips, strip), append(stripsWant, strip.want...)
	}
	one := func(f *oldJPEGFile, offset, length uint32) {
		f.list(273, offset)
		f.list(279, length)
	}
	all := func(f *oldJPEGFile, piece func(p oldJPEGPicture) []byte) {
		var offsets, lengths []uint32
		for _, s := range strips {
			offsets, lengths = append(offsets, f.add(piece(s))), append(lengths, uint32(len(piece(s))))
		}
		f.list(273, offsets...)
		f.list(279, lengths...)
	}
	dataOf := func(p oldJPEGPicture) []byte { return p.data }
	for _, test := range []struct {
		name  string
		rows  int
		want  []byte
		build func(f *oldJPEGFile)
	}{
		{"tables apart, one strip", height, whole.want, func(f *oldJPEGFile) {
			f.tables(whole)
			one(f, f.add(whole.data), uint32(len(whole.data)))
		}},
		{"tables apart, strips", rows, stripsWant, func(f *oldJPEGFile) {
			f.tables(whole)
			all(f, dataOf)
		}},
		{"a stream that is the strip", height, whole.want, func(f *oldJPEGFile) {
			at := f.add(whole.whole)
			f.list(513, at)
			f.list(514, uint32(len(whole.whole)))
			one(f, at, uint32(len(whole.whole)))
		}},
		{"a stream with the strip in it", height, whole.want, func(f *oldJPEGFile) {
			at := f.add(whole.whole)
			f.list(513, at)
			one(f, at+uint32(len(whole.head)), uint32(len(whole.data)))
		}},
		{"a strip that begins behind the start of the stream", height, whole.want, func(f *oldJPEGFile) {
			at := f.add(whole.whole)
			f.list(513, at)
			one(f, at+2, uint32(len(whole.whole)-2))
		}},
		{"the head of a stream, and strips", rows, stripsWant, func(f *oldJPEGFile) {
			f.list(513, f.add(whole.head))
			f.list(514, uint32(len(whole.head)))
			all(f, dataOf)
		}},
		{"a stream of tables, and strips", rows, stripsWant, func(f *oldJPEGFile) {
			tables := append(slices.Clone(whole.head[:2]), whole.tables...)
			f.list(513, f.add(tables))
			f.list(514, uint32(len(tables)))
			all(f, dataOf)
		}},
		{"strips of one scan with restarts", rows, stripsWant, func(f *oldJPEGFile) {
			f.tables(whole)
			next := byte(0)
			all(f, func(p oldJPEGPicture) []byte {
				next++
				return append([]byte{0xFF, 0xD0 + (next/2+3)%8}, p.data...)
			})
		}},
		{"strips that are streams", rows, stripsWant, func(f *oldJPEGFile) {
			f.tables(whole)
			all(f, func(p oldJPEGPicture) []byte { return p.whole })
		}},
	} {
		var file oldJPEGFile
		test.build(&file)
		m := openBytes(t, file.bytes(width, height, test.rows)).Images()[0]
		planes, err := planesOf(t, m, 0)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		for at, got := range planes[0] {
			if d := int(got) - int(test.want[at]); d > 2 || d < -2 {
				t.Errorf("%s: pixel %d is %d, want %d", test.name, at, got, test.want[at])
				break
			}
		}
	}
}

func TestBadOldJPEG(t *testing.T) {
	whole := newOldJPEGPicture(t, 20, 0, 20)
	for _, test := range []struct {
		name  string
		want  error
		says  string
		build func(f *oldJPEGFile)
	}{
		{"no tables", decode.ErrCorruptBlock, "no Huffman", func(*oldJPEGFile) {}},
		{"tables outside of the file", ErrCorrupt, "JPEGQTables", func(f *oldJPEGFile) { f.list(519, 1<<31) }},
		{"a stream outside of the file", ErrCorrupt, "1073741824", func(f *oldJPEGFile) { f.list(513, 1<<30) }},
		{"a stream of noise", decode.ErrCorruptBlock, "", func(f *oldJPEGFile) { f.list(513, f.add(slices.Repeat([]byte{0xFF, 0xC4, 0x55}, 99))) }},
		{"lossless", decode.ErrUnsupported, "lossless", func(f *oldJPEGFile) { f.tables(whole); f.list(512, 14) }},
	} {
		var file oldJPEGFile
		test.build(&file)
		file.list(273, file.add(whole.data))
		file.list(279, uint32(len(whole.data)))
		m := openBytes(t, file.bytes(20, 20, 20)).Images()[0]
		_, err := planesOf(t, m, 0)
		if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: got %v, want %v that says %q", test.name, err, test.want, test.says)
		}
	}
}

// TestOldJPEGOfTablesInAStream has colors, of which chroma uses the second tables of the stream.
func TestOldJPEGOfTablesInAStream(t *testing.T) {
	const width, height = 32, 16
	picture, red := image.NewRGBA(image.Rect(0, 0, width, height)), color.RGBA{200, 50, 100, 255}
	draw.Draw(picture, picture.Bounds(), image.NewUniform(red), image.Point{}, draw.Src)
	var out bytes.Buffer
	if err := jpeg.Encode(&out, picture, nil); err != nil {
		t.Fatal(err)
	}
	p := oldJPEGPicture{whole: out.Bytes()}
	p.takeApart()
	var f oldJPEGFile
	f.list(513, f.add(append(slices.Clone(p.head[:2]), p.tables...)))
	f.list(273, f.add(p.data))
	f.list(279, uint32(len(p.data)))
	f.entries = append(f.entries, rawEntry{262, 3, 1, 6}, rawEntry{277, 3, 1, 3})
	planes, err := planesOf(t, openBytes(t, f.bytes(width, height, height)).Images()[0], 0)
	if err != nil {
		t.Fatal(err)
	}
	y, cb, cr := color.RGBToYCbCr(red.R, red.G, red.B)
	for band, want := range []byte{y, cb, cr} {
		for at, got := range planes[band] {
			if d := int(got) - int(want); d > 2 || d < -2 {
				t.Fatalf("sample %d of band %d is %d, want %d", at, band, got, want)
			}
		}
	}
}
