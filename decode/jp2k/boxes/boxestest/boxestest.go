// Package boxestest writes boxes of JPEG 2000 for tests, and reads bytes through the Reader
// interface. It must never know how boxes are parsed.
package boxestest

import (
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
)

// Box returns a box with the given content.
func Box(kind string, content ...[]byte) []byte {
	body := slices.Concat(content...)
	return slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(8+len(body))), []byte(kind), body)
}

// LongBox returns a box with a length of eight bytes.
func LongBox(kind string, content ...[]byte) []byte {
	body := slices.Concat(content...)
	return slices.Concat([]byte{0, 0, 0, 1}, []byte(kind), binary.BigEndian.AppendUint64(nil, uint64(16+len(body))), body)
}

// LastBox returns a box that ends with the file.
func LastBox(kind string, content ...[]byte) []byte {
	return slices.Concat([]byte{0, 0, 0, 0}, []byte(kind), slices.Concat(content...))
}

// Signature returns the first box of every container.
func Signature() []byte { return Box("jP  ", []byte("\r\n\x87\n")) }

// FileType returns the second box. Brands have four characters.
func FileType(brand string) []byte {
	return Box("ftyp", []byte(brand), []byte{0, 0, 0, 0}, []byte(brand))
}

// File returns a container with a header and further boxes.
func File(header []byte, following ...[]byte) []byte {
	return slices.Concat(Signature(), FileType("jp2 "), header, slices.Concat(following...))
}

// Header returns the box with the boxes that describe the image.
func Header(inner ...[]byte) []byte { return Box("jp2h", inner...) }

// Codestream returns a box that starts like a codestream but contains none.
func Codestream() []byte { return Box("jp2c", FakeCodestream()) }

// FakeCodestream returns bytes that start like a codestream.
func FakeCodestream() []byte { return []byte("\xff\x4f\xff\x51 and no more \xff\xd9") }

// ImageHeader returns the box with the size and the depth. 0 bits means that components differ.
func ImageHeader(width, height, components, bits int) []byte {
	content := binary.BigEndian.AppendUint32(nil, uint32(height))
	content = binary.BigEndian.AppendUint32(content, uint32(width))
	content = binary.BigEndian.AppendUint16(content, uint16(components))
	return Box("ihdr", append(content, byte(bits-1), 7, 0, 0))
}

// EnumeratedColor returns a color specification by number.
func EnumeratedColor(space uint32, parameters ...uint32) []byte {
	content := binary.BigEndian.AppendUint32([]byte{1, 0, 0}, space)
	for _, p := range parameters {
		content = binary.BigEndian.AppendUint32(content, p)
	}
	return Box("colr", content)
}

// ProfiledColor returns a color specification by profile.
func ProfiledColor(method, precedence byte, profile []byte) []byte {
	return Box("colr", []byte{method, precedence, 0}, profile)
}

// Profile returns an ICC profile with a color space of four characters and a description, in the
// form of version 2 or 4.
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

// Palette returns the box of a palette with columns of eight bits.
func Palette(entries ...[]byte) []byte {
	columns := len(entries[0])
	content := append(binary.BigEndian.AppendUint16(nil, uint16(len(entries))), byte(columns))
	content = append(content, slices.Repeat([]byte{7}, columns)...)
	return Box("pclr", content, slices.Concat(entries...))
}

// Mapping returns the box of a component mapping: component, type and column of each channel.
func Mapping(channels ...[3]int) []byte {
	var content []byte
	for _, c := range channels {
		content = append(binary.BigEndian.AppendUint16(content, uint16(c[0])), byte(c[1]), byte(c[2]))
	}
	return Box("cmap", content)
}

// ChannelDefinitions returns the box of channel definitions: number, type and association of each.
func ChannelDefinitions(channels ...[3]int) []byte {
	content := binary.BigEndian.AppendUint16(nil, uint16(len(channels)))
	for _, c := range channels {
		for _, v := range c {
			content = binary.BigEndian.AppendUint16(content, uint16(v))
		}
	}
	return Box("cdef", content)
}

// Resolution returns a box resc or resd: numerator, denominator and exponent, vertical and then
// horizontal.
func Resolution(kind string, rows, columns [3]int) []byte {
	var content []byte
	for _, v := range []int{rows[0], rows[1], columns[0], columns[1]} {
		content = binary.BigEndian.AppendUint16(content, uint16(v))
	}
	return Box(kind, append(content, byte(rows[2]), byte(columns[2])))
}

// UUID returns a UUID box. The id is hexadecimal digits, with or without dashes; an invalid id
// makes a box without one.
func UUID(id string, content []byte) []byte {
	raw, err := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
	if err != nil {
		raw = nil
	}
	return Box("uuid", raw, content)
}

// XML returns a box with a text.
func XML(text string) []byte { return Box("xml ", []byte(text)) }

// Labeled returns an association: boxes with a label.
func Labeled(label string, inner ...[]byte) []byte {
	return Box("asoc", Box("lbl ", []byte(label)), slices.Concat(inner...))
}

// GML returns the boxes around a GMLJP2 text.
func GML(text string) []byte { return Labeled("gml.data", Labeled("gml.root-instance", XML(text))) }

// Bytes is a file in memory that counts its reads, which are windows of a minimum size.
type Bytes struct {
	Content []byte
	Window  int // minimum size of a read
	Reads   int // number of reads
	Read    int // number of bytes read

	offset int64
	window []byte
}

// Size returns the number of bytes.
func (b *Bytes) Size() int64 { return int64(len(b.Content)) }

// Peek returns bytes of the last window if they suffice, or reads another window.
func (b *Bytes) Peek(offset int64, minLength int) ([]byte, error) {
	offset = min(max(offset, 0), b.Size())
	end := min(offset+int64(max(minLength, 0)), b.Size())
	if offset < b.offset || end > b.offset+int64(len(b.window)) {
		stop := min(offset+int64(max(minLength, b.Window)), b.Size())
		b.offset, b.window = offset, b.Content[offset:stop]
		b.Reads++
		b.Read += len(b.window)
	}
	return b.window[offset-b.offset:], nil
}
