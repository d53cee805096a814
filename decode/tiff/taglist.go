package tiff

import (
	"cmp"
	"context"
	"fmt"

	"tileserver/decode/tiff/coding"
	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/pixel"
	"tileserver/decode/tiff/tag"
	"tileserver/decode/tiff/tagnames"
	"tileserver/source"
)

// ErrNoTIFF marks a file that does not begin like a TIFF.
var ErrNoTIFF = ifd.ErrNoTIFF

// TagList is all directories of a file with all of their tags, for people.
type TagList struct {
	BigTIFF     bool           `json:"bigtiff"`
	ByteOrder   string         `json:"byte_order"`
	Directories []TagDirectory `json:"directories"`
	Notes       []string       `json:"notes,omitempty"` // directories that cannot be read
}

// TagDirectory is a directory.
type TagDirectory struct {
	Number int        `json:"number"`           // in the list, from 1
	Kind   string     `json:"kind"`             // what it describes
	Parent int        `json:"parent,omitempty"` // number of the directory that points to it, outside of the chain
	Offset int64      `json:"offset"`
	Tags   []TagEntry `json:"tags"`
}

// TagEntry is a tag of a directory.
type TagEntry struct {
	Number  uint16 `json:"tag"`
	Name    string `json:"name,omitempty"` // empty if it is unknown
	Type    string `json:"type"`
	Count   uint64 `json:"count"`
	Value   string `json:"value"`             // without control characters; the beginning if it is long
	Meaning string `json:"meaning,omitempty"` // the name of the value
	Problem string `json:"problem,omitempty"` // why the value cannot be read
	Keys    []Key  `json:"keys,omitempty"`    // of a GeoKeyDirectory
}

// maxListBytes bounds the memory of a list.
const maxListBytes = 128 << 20

// ListTags reads all directories of src: those of images, overviews and masks, and those of Exif and
// GPS data. The file need not have an image that can be decoded. A tag or directory that is damaged
// does not keep it from listing the others.
func ListTags(ctx context.Context, src source.Source) (*TagList, error) {
	limits := DefaultLimits()
	var skipped ifd.Skipped
	file, err := ifd.Parse(ctx, src, ifd.Config{
		Limits: ifd.Limits{
			Directories: limits.Directories, Entries: limits.Entries, ValueBytes: limits.ValueBytes, HeaderBytes: limits.HeaderBytes,
		},
		Memory: ifd.NewBudget(maxListBytes), Rule: limits.listRule, All: true,
		Links: listLinks(), Depth: maxListDepth,
		Keep: func(*ifd.Directory) bool { return true }, Skip: skipped.Add,
	})
	if err != nil {
		return nil, fmt.Errorf("tiff: %w", err)
	}
	list := &TagList{BigTIFF: file.Big, ByteOrder: byteOrderName(file.Order)}
	for i, d := range file.Directories {
		list.Directories = append(list.Directories, listDirectory(i, d))
	}
	list.Notes = skipped.Notes()
	return list, nil
}

// listLinks returns the tags that point to directories.
func listLinks() []ifd.Tag {
	const globalParameters ifd.Tag = 400
	return []ifd.Tag{ifd.SubIFDs, globalParameters, tagnames.ExifIFD, tagnames.GPSIFD, tagnames.InteroperabilityIFD}
}

// maxListDepth is how deep directories are followed: an image below another may have Exif data,
// which has a directory of its own.
const maxListDepth = 4

// listRule says how the values of a tag are read for a list: of most, as many as are shown.
func (l Limits) listRule(t ifd.Tag) ifd.Rule {
	switch t {
	case tag.GeoKeys, tag.GeoDoubles, tag.GeoASCII, ifd.SubIFDs:
		return l.rule(t)
	}
	return ifd.Rule{Reading: ifd.AtOnce, MaxValues: maxShownText + 1, Raw: true}
}

func listDirectory(i int, d *ifd.Directory) TagDirectory {
	space := tagnames.SpaceOf(d.Link)
	listed := TagDirectory{Number: i + 1, Kind: kindOf(d), Parent: d.Parent + 1, Offset: d.Offset, Tags: make([]TagEntry, len(d.Entries))}
	for i := range d.Entries {
		e := &d.Entries[i]
		listed.Tags[i] = TagEntry{Number: uint16(e.Tag), Name: space.Name(e.Tag), Type: e.Type.String(), Count: e.Count}
		listed.Tags[i].setValue(e, d, space)
	}
	return listed
}

// setValue sets the value and its meaning, or why it cannot be read.
func (t *TagEntry) setValue(e *ifd.Entry, d *ifd.Directory, space tagnames.Space) {
	if e.Problem != nil {
		t.Problem = e.Problem.Error()
		return
	}
	t.Value = valueText(e)
	meaning := space.Meaning(e)
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

// describesImage reports whether the tags of a directory have the meanings of TIFF's own.
func describesImage(d *ifd.Directory) bool {
	return d.Link != tagnames.ExifIFD && d.Link != tagnames.GPSIFD && d.Link != tagnames.InteroperabilityIFD
}

// kindOf says what a directory describes.
func kindOf(d *ifd.Directory) string {
	switch d.Link {
	case tagnames.ExifIFD:
		return "Exif"
	case tagnames.GPSIFD:
		return "GPS"
	case tagnames.InteroperabilityIFD:
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
