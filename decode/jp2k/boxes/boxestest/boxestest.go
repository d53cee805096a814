// Package boxestest writes boxes of JPEG 2000 for tests, and reads bytes as packages that parse files want them. It must
// never know how they are read.
package boxestest

import (
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
)

// Box is a box of some content.
func Box(kind string, content ...[]byte) []byte {
	body := slices.Concat(content...)
	return slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(8+len(body))), []byte(kind), body)
}

// LongBox is a box whose length is written in eight bytes.
func LongBox(kind string, content ...[]byte) []byte {
	body := slices.Concat(content...)
	return slices.Concat([]byte{0, 0, 0, 1}, []byte(kind), binary.BigEndian.AppendUint64(nil, uint64(16+len(body))), body)
}

// LastBox is a box that ends with the file.
func LastBox(kind string, content ...[]byte) []byte {
	return slices.Concat([]byte{0, 0, 0, 0}, []byte(kind), slices.Concat(content...))
}

// Signature is the box that every container begins with.
func Signature() []byte { return Box("jP  ", []byte("\r\n\x87\n")) }

// FileType is the box behind it; brands have four characters.
func FileType(brand string) []byte {
	return Box("ftyp", []byte(brand), []byte{0, 0, 0, 0}, []byte(brand))
}

// File is a container of a header and what follows that.
func File(header []byte, following ...[]byte) []byte {
	return slices.Concat(Signature(), FileType("jp2 "), header, slices.Concat(following...))
}

// Header is the box of boxes that say how the image is stored.
func Header(inner ...[]byte) []byte { return Box("jp2h", inner...) }

// Codestream is a box with what begins like a codestream and is none.
func Codestream() []byte { return Box("jp2c", FakeCodestream()) }

// FakeCodestream begins as a codestream does.
func FakeCodestream() []byte { return []byte("\xff\x4f\xff\x51 and no more \xff\xd9") }

// ImageHeader is the box of the size and the depth; bits of 0 differ from component to component.
func ImageHeader(width, height, components, bits int) []byte {
	content := binary.BigEndian.AppendUint32(nil, uint32(height))
	content = binary.BigEndian.AppendUint32(content, uint32(width))
	content = binary.BigEndian.AppendUint16(content, uint16(components))
	return Box("ihdr", append(content, byte(bits-1), 7, 0, 0))
}

// EnumeratedColor says the colours by a number.
func EnumeratedColor(space uint32, parameters ...uint32) []byte {
	content := binary.BigEndian.AppendUint32([]byte{1, 0, 0}, space)
	for _, p := range parameters {
		content = binary.BigEndian.AppendUint32(content, p)
	}
	return Box("colr", content)
}

// ProfiledColor says the colours by a profile.
func ProfiledColor(method, precedence byte, profile []byte) []byte {
	return Box("colr", []byte{method, precedence, 0}, profile)
}

// Profile is an ICC profile of a space of four characters with a description, written as version 2 or 4 has it.
func Profile(space string, version byte, description string) []byte {
	header := make([]byte, 128)
	header[8] = version
	copy(header[16:], space)
	copy(header[36:], "acsp")
	tag := slices.Concat([]byte("desc\x00\x00\x00\x00"), binary.BigEndian.AppendUint32(nil, uint32(len(description)+1)), []byte(description), []byte{0})
	if version >= 4 {
		tag = append([]byte("mluc\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x0cenUS"), 0, 0, 0, byte(2*len(description)), 0, 0, 0, 28)
		for _, r := range description {
			tag = binary.BigEndian.AppendUint16(tag, uint16(r))
		}
	}
	table := slices.Concat([]byte("\x00\x00\x00\x01desc"), binary.BigEndian.AppendUint32(nil, 128+16), binary.BigEndian.AppendUint32(nil, uint32(len(tag))))
	return slices.Concat(header, table, tag)
}

// Palette is the box of a palette of columns of eight bits.
func Palette(entries ...[]byte) []byte {
	columns := len(entries[0])
	content := append(binary.BigEndian.AppendUint16(nil, uint16(len(entries))), byte(columns))
	content = append(content, slices.Repeat([]byte{7}, columns)...)
	return Box("pclr", content, slices.Concat(entries...))
}

// Mapping is the box of what channels are made of: component, type and column of each.
func Mapping(channels ...[3]int) []byte {
	var content []byte
	for _, c := range channels {
		content = append(binary.BigEndian.AppendUint16(content, uint16(c[0])), byte(c[1]), byte(c[2]))
	}
	return Box("cmap", content)
}

// ChannelDefinitions is the box of what channels are for: number, type and association of each.
func ChannelDefinitions(channels ...[3]int) []byte {
	content := binary.BigEndian.AppendUint16(nil, uint16(len(channels)))
	for _, c := range channels {
		for _, v := range c {
			content = binary.BigEndian.AppendUint16(content, uint16(v))
		}
	}
	return Box("cdef", content)
}

// Resolution is one of the boxes resc and resd: numerator, denominator and exponent by rows, then by columns.
func Resolution(kind string, rows, columns [3]int) []byte {
	var content []byte
	for _, v := range []int{rows[0], rows[1], columns[0], columns[1]} {
		content = binary.BigEndian.AppendUint16(content, uint16(v))
	}
	return Box(kind, append(content, byte(rows[2]), byte(columns[2])))
}

// UUID is a box of somebody's own; the id is hexadecimal digits, with or without dashes. Other ids make a box without one.
func UUID(id string, content []byte) []byte {
	raw, err := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
	if err != nil {
		raw = nil
	}
	return Box("uuid", raw, content)
}

// XML is a box of text.
func XML(text string) []byte { return Box("xml ", []byte(text)) }

// Labelled is a box of boxes with a name.
func Labelled(label string, inner ...[]byte) []byte {
	return Box("asoc", Box("lbl ", []byte(label)), slices.Concat(inner...))
}

// GML is the boxes around a text of GMLJP2.
func GML(text string) []byte { return Labelled("gml.data", Labelled("gml.root-instance", XML(text))) }

// Bytes is a file in memory that counts what is read of it, a window at a time.
type Bytes struct {
	Content []byte
	Window  int // bytes at least that are read at a time
	Reads   int // how many windows were read
	Read    int // how many bytes

	offset int64
	window []byte
}

// Size is how many bytes there are.
func (b *Bytes) Size() int64 { return int64(len(b.Content)) }

// Peek is what was read, if that is enough, or another window.
func (b *Bytes) Peek(offset int64, least int) ([]byte, error) {
	offset = min(max(offset, 0), b.Size())
	end := min(offset+int64(max(least, 0)), b.Size())
	if offset < b.offset || end > b.offset+int64(len(b.window)) {
		stop := min(offset+int64(max(least, b.Window)), b.Size())
		b.offset, b.window = offset, b.Content[offset:stop]
		b.Reads++
		b.Read += len(b.window)
	}
	return b.window[offset-b.offset:], nil
}
