package taglist

import (
	"encoding/binary"
	"math"

	"github.com/google/tiff"
	_ "github.com/google/tiff/dng" // registers the tags of DNG in the space of TIFF
	"github.com/google/tiff/exif"
	_ "github.com/google/tiff/geotiff" // registers those of GeoTIFF
	_ "github.com/google/tiff/tiffep"  // registers those of TIFF/EP

	"tileserver/decode/tiff/ifd"
)

// The tags that point to directories with a space of their own.
const (
	exifIFD             ifd.Tag = exif.ExifIFDTagID
	gpsIFD              ifd.Tag = exif.GPSIFDTagID
	interoperabilityIFD ifd.Tag = exif.InteroperabilityIFDTagID
)

// space names tags.
type space []tiff.TagSet

// spaceOf returns the space of the directories that a tag points to. Only three tags point to a
// space of their own; the directories that others point to describe images.
func spaceOf(link ifd.Tag) space {
	switch link {
	case exifIFD:
		return newSpace(exif.ExifTagSpace)
	case gpsIFD:
		return newSpace(exif.GPSTagSpace)
	case interoperabilityIFD:
		return newSpace(exif.IOPTagSpace)
	}
	return newSpace(tiff.DefaultTagSpace, laterTags())
}

// newSpace returns the sets of a tag space in the order of their names, and other sets. It does not
// ask the tag space itself: that writes to its table of tags while it holds a lock for reading.
func newSpace(from tiff.TagSpace, others ...tiff.TagSet) (s space) {
	for _, name := range from.ListTagSets() {
		if set, ok := from.GetTagSet(name); ok {
			s = append(s, set)
		}
	}
	return append(s, others...)
}

// newSet returns a set of tags.
func newSet(name string, names map[ifd.Tag]string) tiff.TagSet {
	set := tiff.NewTagSet(name, 0, math.MaxUint16)
	for t, name := range names {
		set.Register(tiff.NewTag(uint16(t), name, nil))
	}
	return set
}

// laterTags returns tags that google/tiff does not know.
func laterTags() tiff.TagSet {
	return newSet("Later", map[ifd.Tag]string{50674: "LercParameters", 50844: "RPCCoefficientTag", 50909: "GEO_METADATA"})
}

// name returns the name of a tag, or "" if it is unknown.
func (s space) name(t ifd.Tag) string {
	if tag := s.find(t); tag != nil {
		return tag.Name()
	}
	return ""
}

func (s space) find(t ifd.Tag) tiff.Tag {
	for _, set := range s {
		if tag, ok := set.GetTag(uint16(t)); ok {
			return tag
		}
	}
	return nil
}

// meaning returns what the first value of an entry means, or "" if that is unknown.
func (s space) meaning(e *ifd.Entry) string {
	tag := s.find(e.Tag)
	if tag == nil || e.Type != interpretedType(e.Tag) || uint64(len(e.Value)) < e.Type.Size() {
		return ""
	}
	return tag.Interpreter()(field{tag, e})
}

// interpretedType returns the type that the interpreter of a tag asserts, or 0 for tags without
// interpreter. It panics at any other type.
func interpretedType(t ifd.Tag) ifd.Type {
	const exposureTime, fNumber, exposureProgram = 33434, 33437, 34850
	switch t {
	case exposureTime, fNumber:
		return ifd.Rational
	case exposureProgram:
		return ifd.Short
	}
	return 0
}

// field is an entry as interpreters of google/tiff want it.
type field struct {
	tag   tiff.Tag
	entry *ifd.Entry
}

func (f field) Tag() tiff.Tag           { return f.tag }
func (f field) Count() uint64           { return f.entry.Count }
func (f field) Offset() uint64          { return uint64(f.entry.Offset) }
func (f field) Value() tiff.FieldValue  { return f }
func (f field) Order() binary.ByteOrder { return f.entry.Order }
func (f field) Bytes() []byte           { return f.entry.Value }
func (f field) Type() tiff.FieldType {
	return tiff.DefaultFieldTypeSpace.GetFieldType(uint16(f.entry.Type))
}
