// Package taglist lists all tags of a TIFF with their names and values, for people: those of TIFF,
// GeoTIFF, Exif and GPS. `tileserver info --tags` calls Read. The package owns nothing: a list is
// text. It must never see bytes of a file that package ifd has not bounded, nor need an image that
// can be decoded.
//
//   - list.go has the directories parsed, and lists them.
//   - value.go writes values as text; geokeys.go those in a GeoKeyDirectory.
//   - names.go and geokeynames.go name tags and some of their values, through the tag spaces of
//     github.com/google/tiff.
//
// Words: a *space* is a set of tags in which each number has one meaning. Directories of Exif and GPS
// have spaces of their own.
package taglist

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"tileserver/decode/tiff/coding"
	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/pixel"
	"tileserver/decode/tiff/tag"
	"tileserver/source"
)

// ErrNoTIFF marks a file that does not begin like a TIFF.
var ErrNoTIFF = ifd.ErrNoTIFF

// List is all directories of a file with all of their tags.
type List struct {
	BigTIFF     bool        `json:"bigtiff"`
	ByteOrder   string      `json:"byte_order"`
	Directories []Directory `json:"directories"`
	Notes       []string    `json:"notes,omitempty"` // directories that cannot be read
}

// Directory is a directory.
type Directory struct {
	Number int    `json:"number"`           // in the list, from 1
	Kind   string `json:"kind"`             // what it describes
	Parent int    `json:"parent,omitempty"` // number of the directory that points to it, outside of the chain
	Offset int64  `json:"offset"`
	Tags   []Tag  `json:"tags"`
}

// Tag is a tag of a directory.
type Tag struct {
	Number  uint16 `json:"tag"`
	Name    string `json:"name,omitempty"` // empty if it is unknown
	Type    string `json:"type"`
	Count   uint64 `json:"count"`
	Value   string `json:"value"`             // without control characters; the beginning if it is long
	Meaning string `json:"meaning,omitempty"` // the name of the value
	Problem string `json:"problem,omitempty"` // why the value cannot be read
	Keys    []Key  `json:"keys,omitempty"`    // of a GeoKeyDirectory
}

const (
	// maxBytes bounds the memory of a list.
	maxBytes = 128 << 20

	// maxDepth is how deep directories are followed: an image below another may have Exif data, which
	// has a directory of its own.
	maxDepth = 4
)

// Read lists all directories of src: those of images, overviews and masks, and those of Exif and GPS
// data. The file need not have an image that can be decoded. A tag or directory that is damaged does
// not keep it from listing the others.
func Read(ctx context.Context, src source.Source) (*List, error) {
	var skipped ifd.Skipped
	file, err := ifd.Parse(ctx, src, ifd.Config{
		Limits: ifd.DefaultLimits(), Memory: ifd.NewBudget(maxBytes), Rule: ruleOf, All: true,
		Links: links(), Depth: maxDepth,
		Keep: func(*ifd.Directory) bool { return true }, Skip: skipped.Add,
	})
	if err != nil {
		return nil, fmt.Errorf("tiff: %w", err)
	}
	list := &List{BigTIFF: file.Big, ByteOrder: byteOrderName(file.Order), Notes: skipped.Notes()}
	for i, d := range file.Directories {
		list.Directories = append(list.Directories, newDirectory(i, d, src.Size()))
	}
	return list, nil
}

// links returns the tags that point to directories.
func links() []ifd.Tag {
	const globalParameters ifd.Tag = 400
	return []ifd.Tag{ifd.SubIFDs, globalParameters, exifIFD, gpsIFD, interoperabilityIFD}
}

// ruleOf says how the values of a tag are read: of most, as many as are shown.
func ruleOf(t ifd.Tag) ifd.Rule {
	switch t {
	case tag.GeoKeys:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "GeoKeyDirectory", MaxValues: numbersPerKey * (1 + maxKeys)}
	case tag.GeoDoubles:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "GeoDoubleParams", MaxValues: maxKeyValues, Raw: true}
	case tag.GeoASCII:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "GeoAsciiParams", MaxValues: maxKeyValues, Raw: true}
	case ifd.SubIFDs: // one too many is an error and must not be ignored
		return ifd.Rule{Reading: ifd.AtOnce, Name: "SubIFDs", MaxValues: uint64(ifd.DefaultLimits().Directories) + 1}
	}
	return ifd.Rule{Reading: ifd.AtOnce, MaxValues: maxShownText + 1, Raw: true}
}

func newDirectory(i int, d *ifd.Directory, fileBytes int64) Directory {
	names := spaceOf(d.Link)
	listed := Directory{Number: i + 1, Kind: kindOf(d), Parent: d.Parent + 1, Offset: d.Offset, Tags: make([]Tag, len(d.Entries))}
	for i := range d.Entries {
		e := &d.Entries[i]
		listed.Tags[i] = Tag{Number: uint16(e.Tag), Name: names.name(e.Tag), Type: e.Type.String(), Count: e.Count}
		listed.Tags[i].setValue(e, d, names, fileBytes)
	}
	return listed
}

// setValue sets the value and its meaning, or why it cannot be read.
func (t *Tag) setValue(e *ifd.Entry, d *ifd.Directory, names space, fileBytes int64) {
	if e.Problem != nil {
		t.Problem = problemText(e, fileBytes)
		return
	}
	t.Value = valueText(e)
	meaning := names.meaning(e)
	if describesImage(d) {
		meaning = cmp.Or(meaning, meaningOf(e))
		if e.Tag == tag.GeoKeys {
			t.Keys = listKeys(d)
		}
	}
	if meaning != t.Value {
		t.Meaning = meaning
	}
}

// problemText says why the values of an entry cannot be read, without what the list says already: the
// tag, and that the file is a TIFF.
func problemText(e *ifd.Entry, fileBytes int64) string {
	if e.Offset > 0 && e.Bytes() > fileBytes-e.Offset {
		return fmt.Sprintf("the file ends at %d, before the end of its %d bytes at %d", fileBytes, e.Bytes(), e.Offset)
	}
	text := strings.TrimPrefix(e.Problem.Error(), e.String()+": ")
	return strings.TrimSuffix(text, ": "+ifd.ErrCorrupt.Error())
}

// describesImage reports whether the tags of a directory have the meanings of TIFF's own.
func describesImage(d *ifd.Directory) bool {
	return d.Link != exifIFD && d.Link != gpsIFD && d.Link != interoperabilityIFD
}

// kindOf says what a directory describes.
func kindOf(d *ifd.Directory) string {
	switch d.Link {
	case exifIFD:
		return "Exif"
	case gpsIFD:
		return "GPS"
	case interoperabilityIFD:
		return "interoperability"
	}
	switch subfile := tag.SubfileOf(d); {
	case subfile&tag.Mask != 0 && subfile&tag.Reduced != 0:
		return "mask of an overview"
	case subfile&tag.Mask != 0:
		return "mask"
	case subfile&tag.Reduced != 0:
		return "overview"
	case d.Entry(tag.ImageWidth) != nil:
		return "image"
	}
	return "no image"
}

// meaningOf returns the name of the value of one of TIFF's own tags, or "" if the tag has no names.
// The name of an unknown value is its number.
func meaningOf(e *ifd.Entry) string {
	values := e.Uints()
	if len(values) == 0 || values[0] > 0xffff {
		return ""
	}
	switch e.Tag {
	case tag.Compression:
		return coding.Compression(values[0]).String()
	case tag.Photometric:
		return pixel.Photometric(values[0]).String()
	case tag.SampleFormat:
		return pixel.Format(values[0]).String()
	}
	return ""
}
