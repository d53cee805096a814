package taglist

import (
	"encoding/binary"
	"testing"

	"tileserver/decode/tiff/ifd"
)

func TestNames(t *testing.T) {
	for _, test := range []struct {
		space space
		tag   ifd.Tag
		want  string
	}{
		{spaceOf(0), 256, "ImageWidth"},
		{spaceOf(ifd.SubIFDs), 322, "TileWidth"},
		{spaceOf(0), 33550, "ModelPixelScaleTag"},
		{spaceOf(0), 34735, "GeoKeyDirectoryTag"},
		{spaceOf(0), 42112, "GDAL_METADATA"},
		{spaceOf(0), 50706, "DNGVersion"},
		{spaceOf(0), 33421, "CFARepeatPatternDim"},
		{spaceOf(0), 50844, "RPCCoefficientTag"},
		{spaceOf(0), exifIFD, "ExifIFD"},
		{spaceOf(0), gpsIFD, "GPSIFD"},
		{spaceOf(0), 2, ""},
		{spaceOf(exifIFD), 33434, "ExposureTime"},
		{spaceOf(exifIFD), interoperabilityIFD, "InteroperabilityIFD"},
		{spaceOf(gpsIFD), 2, "GPSLatitude"},
		{spaceOf(gpsIFD), 256, ""},
		{spaceOf(interoperabilityIFD), 1, "InteroperabilityIndex"},
		{geoKeys(), 1024, "GTModelTypeGeoKey"},
		{geoKeys(), 3072, "ProjectedCSTypeGeoKey"},
		{geoKeys(), 1, ""},
	} {
		if got := test.space.name(test.tag); got != test.want {
			t.Errorf("tag %d: got %q, want %q", test.tag, got, test.want)
		}
	}
}

// TestMeanings also gives interpreters values that they do not expect.
func TestMeanings(t *testing.T) {
	order := binary.LittleEndian
	for _, test := range []struct {
		name  string
		entry ifd.Entry
		want  string
	}{
		{"exposure time", ifd.Entry{Tag: 33434, Type: ifd.Rational, Count: 1, Value: []byte{1, 0, 0, 0, 250, 0, 0, 0}}, "1/250"},
		{"aperture", ifd.Entry{Tag: 33437, Type: ifd.Rational, Count: 1, Value: []byte{28, 0, 0, 0, 10, 0, 0, 0}}, "f/2.8"},
		{"program", ifd.Entry{Tag: 34850, Type: ifd.Short, Count: 1, Value: []byte{3, 0}}, "Aperture priority"},
		{"unknown program", ifd.Entry{Tag: 34850, Type: ifd.Short, Count: 1, Value: []byte{99, 0}}, ""},
		{"division by zero", ifd.Entry{Tag: 33437, Type: ifd.Rational, Count: 1, Value: make([]byte, 8)}, "f/0"},
		{"aperture as text", ifd.Entry{Tag: 33437, Type: ifd.ASCII, Count: 8, Value: make([]byte, 8)}, ""},
		{"program as a fraction", ifd.Entry{Tag: 34850, Type: ifd.Rational, Count: 1, Value: make([]byte, 8)}, ""},
		{"no value", ifd.Entry{Tag: 34850, Type: ifd.Short}, ""},
		{"half a value", ifd.Entry{Tag: 33434, Type: ifd.Rational, Count: 1, Value: make([]byte, 4)}, ""},
		{"a number without names", ifd.Entry{Tag: 37384, Type: ifd.Short, Count: 1, Value: []byte{3, 0}}, ""},
		{"an unknown tag", ifd.Entry{Tag: 2, Type: ifd.Short, Count: 1, Value: []byte{3, 0}}, ""},
	} {
		test.entry.Order = order
		if got := spaceOf(exifIFD).meaning(&test.entry); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// TestEveryInterpretedTagIsKnown gives every tag every type, so that a tag whose interpreter panics
// is found when google/tiff changes.
func TestEveryInterpretedTagIsKnown(t *testing.T) {
	for _, link := range []ifd.Tag{0, exifIFD, gpsIFD, interoperabilityIFD} {
		names := spaceOf(link)
		for tag := range 1 << 16 {
			if names.name(ifd.Tag(tag)) == "" {
				continue
			}
			for kind := ifd.Type(0); kind < 20; kind++ {
				names.meaning(&ifd.Entry{Tag: ifd.Tag(tag), Type: kind, Count: 1, Order: binary.BigEndian, Value: make([]byte, kind.Size())})
			}
			value := make([]byte, 8)
			e := &ifd.Entry{Tag: ifd.Tag(tag), Type: ifd.Rational, Count: 1, Order: binary.BigEndian, Value: value}
			if found := names.find(e.Tag); interpretedType(e.Tag) == 0 && found.Interpreter()(field{found, e}) != "" {
				t.Errorf("the interpreter of %s is not used", found.Name())
			}
		}
	}
}

// TestSpacesDoNotConflict looks for numbers that two sets of a space name differently.
func TestSpacesDoNotConflict(t *testing.T) {
	for _, set := range spaceOf(0) {
		for _, other := range spaceOf(0) {
			for _, id := range set.ListTags() {
				mine, _ := set.GetTag(id)
				if theirs, ok := other.GetTag(id); ok && theirs.Name() != mine.Name() {
					t.Errorf("tag %d is %q in %s and %q in %s", id, mine.Name(), set.Name(), theirs.Name(), other.Name())
				}
			}
		}
	}
}
