package boxes

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Profile is an ICC profile. Only its header is checked.
type Profile struct {
	Bytes       []byte
	Space       string // of the samples: "RGB", "GRAY", "CMYK", "Lab" or another
	Description string // for the operator
}

const (
	profileHeaderBytes = 128
	profileTagBytes    = 12
	maxProfileTags     = 256
	maxDescription     = 200 // characters
)

// newProfile copies a profile that has at least a header.
func newProfile(content []byte) (*Profile, error) {
	if len(content) < profileHeaderBytes || string(content[36:40]) != "acsp" {
		return nil, fmt.Errorf("invalid profile of %d bytes", len(content))
	}
	p := &Profile{Bytes: bytes.Clone(content), Space: strings.TrimRight(printable(string(content[16:20])), " ")}
	p.Description = p.describe()
	return p, nil
}

// colors returns the number of colors, or 0 if unknown.
func (p *Profile) colors() int {
	switch p.Space {
	case "GRAY":
		return 1
	case "CMYK":
		return 4
	case "RGB", "Lab", "YCbr", "XYZ", "Luv", "Yxy", "HSV", "HLS", "CMY":
		return 3
	}
	return 0
}

// describe returns the name of the profile. Its form depends on the version.
func (p *Profile) describe() string {
	tag := p.tag("desc")
	if len(tag) < 12 {
		return ""
	}
	text := ""
	switch string(tag[:4]) {
	case "desc":
		text = string(part(tag, 12, uint64(binary.BigEndian.Uint32(tag[8:]))))
	case "mluc":
		text = firstTranslation(tag)
	}
	if runes := []rune(text); len(runes) > maxDescription {
		text = string(runes[:maxDescription])
	}
	return printable(text)
}

// firstTranslation returns a text in the first of its languages.
func firstTranslation(tag []byte) string {
	const record = 16
	if len(tag) < record+12 {
		return ""
	}
	encoded := part(tag, uint64(binary.BigEndian.Uint32(tag[record+8:])), uint64(binary.BigEndian.Uint32(tag[record+4:])))
	units := make([]uint16, min(len(encoded)/2, maxDescription))
	for i := range units {
		units[i] = binary.BigEndian.Uint16(encoded[2*i:])
	}
	return string(utf16.Decode(units))
}

// tag returns the content of a tag, or nil.
func (p *Profile) tag(name string) []byte {
	table := part(p.Bytes, profileHeaderBytes, uint64(len(p.Bytes)))
	if len(table) < 4 {
		return nil
	}
	count := min(int(binary.BigEndian.Uint32(table)), maxProfileTags)
	for table = table[4:]; count > 0 && len(table) >= profileTagBytes; count-- {
		if string(table[:4]) == name {
			return part(p.Bytes, uint64(binary.BigEndian.Uint32(table[4:])), uint64(binary.BigEndian.Uint32(table[8:])))
		}
		table = table[profileTagBytes:]
	}
	return nil
}

// part returns the bytes of a range, clipped to content.
func part(content []byte, offset, length uint64) []byte {
	content = content[min(offset, uint64(len(content))):]
	return content[:min(length, uint64(len(content)))]
}

// printable removes unprintable characters.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
}
