package nitf

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tileserver/decode/container"
	"tileserver/decode/nitf/segments"
	"tileserver/decode/nitf/tre"
	"tileserver/decode/pam"
)

// AddStorage adds to the facts how the image is stored.
func (m *blockImage) AddStorage(to *container.Facts) {
	to.Block, to.Tiled = [2]int{m.grid.storedWidth, m.grid.storedHeight}, m.grid.count() > 1
	if m.strips != nil {
		to.Block, to.Tiled = [2]int{m.grid.width, m.grid.height}, false
	}
	m.segment.addStorage(to)
	to.Interleave = m.coding.interleave()
}

// interleave returns how the samples of bands lie, in the words of all formats.
func (c *coding) interleave() string {
	switch c.mode {
	case "P":
		return "pixel"
	case "R":
		return "row"
	}
	return "band"
}

// addStorage adds what all images have. The facts must have their blocks.
func (s *segment) addStorage(to *container.Facts) {
	l := s.info.Levels[0]
	to.Container, to.DataType, to.Compression = string(s.file.structure.Version), s.info.Type.String(), describeCompression(s.header)
	to.Width, to.Height, to.Masked, to.Orientation = l.Width, l.Height, s.info.Masked, 1
	to.Title = strings.Join(slices.DeleteFunc([]string{s.header.ID, s.header.Title}, func(s string) bool { return s == "" }), ", ")
	to.Photometric = strings.ToLower(s.header.Colors)
	to.Bits = cmp.Or(s.info.Bits, 8*s.info.Type.Size())
	for _, l := range s.info.Levels[1:] {
		to.Overviews = append(to.Overviews, [2]int{l.Width, l.Height})
	}
	to.SideFiles, to.Notes = s.file.beside.Names(), slices.Concat(to.Notes, s.notes)
	to.Section = s.newFacts(to.Block)
}

// AddMetadata adds to the facts what places the image if that is not usual, and what GDAL has noted
// beside the file.
func (s *segment) AddMetadata(_ context.Context, to *container.Facts) error {
	if s.cornersIn != "" && to.Placement == "" {
		to.Placement = "by the corners in " + s.cornersIn
	}
	noted := s.file.noted
	if noted == nil || s.number > 0 {
		return nil
	}
	bands := make(map[int]pam.Metadata, len(noted.Bands))
	for i, b := range noted.Bands {
		bands[i] = b.Metadata
	}
	to.AddPAM(noted.Metadata, bands)
	return nil
}

// AddMetadata also adds that nothing is stored. Otherwise people wonder why a sound image, or one that is
// cut off without damage, shows nothing.
func (m *blockImage) AddMetadata(ctx context.Context, to *container.Facts) error {
	isEmpty, err := m.Empty(ctx, 0, m.info.Levels[0].Bounds())
	if err != nil {
		return err
	}
	if isEmpty {
		to.Notes = append(to.Notes, fmt.Sprintf("no block of image segment %d is stored, by its mask: all of its pixels are nodata", m.number+1))
	}
	return m.segment.AddMetadata(ctx, to)
}

// facts has what only files of this format have.
type facts struct {
	Title           string         `json:"title,omitempty"`
	Date            string         `json:"date,omitempty"`
	Station         string         `json:"station,omitempty"`
	Originator      string         `json:"originator,omitempty"`
	Classification  string         `json:"classification,omitempty"`
	ComplexityLevel int            `json:"complexity_level,omitempty"`
	Image           imageFacts     `json:"image"`
	TREs            []treFacts     `json:"tres,omitempty"`
	Segments        []segmentFacts `json:"segments,omitempty"` // that are no images

	block [2]int
}

// imageFacts has fields of the subheader, under names of our own.
type imageFacts struct {
	ID             string   `json:"id,omitempty"`
	Title          string   `json:"title,omitempty"`
	Date           string   `json:"date,omitempty"`
	Source         string   `json:"source,omitempty"`
	Target         string   `json:"target,omitempty"`
	Classification string   `json:"classification,omitempty"`
	Category       string   `json:"category,omitempty"`
	Representation string   `json:"representation,omitempty"`
	Compression    string   `json:"compression"`
	Rate           string   `json:"rate,omitempty"`
	Mode           string   `json:"mode,omitempty"`
	Blocks         [2]int   `json:"blocks"`
	Level          int      `json:"display_level"`
	Attachment     int      `json:"attachment_level"`
	Location       [2]int   `json:"location"` // row and column
	Magnification  string   `json:"magnification,omitempty"`
	Pad            *uint64  `json:"pad,omitempty"` // the bits of pad pixels
	Corners        string   `json:"corners,omitempty"`
	Comments       []string `json:"comments,omitempty"`
}

// treFacts describes an extension: its fields if they are known, otherwise its length.
type treFacts struct {
	Tag     string            `json:"tag"`
	Place   string            `json:"place"`
	Of      string            `json:"of,omitempty"` // empty for the image
	Length  int               `json:"length"`
	Fields  map[string]string `json:"fields,omitempty"`
	Problem string            `json:"problem,omitempty"`

	ordered []tre.Field
}

// segmentFacts describes a segment that is no image.
type segmentFacts struct {
	Kind    string `json:"kind"`
	ID      string `json:"id,omitempty"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version,omitempty"`
	Length  int64  `json:"length"`
	Root    string `json:"root,omitempty"` // element of XML, with its namespace
}

const dataExtension = "data extension"

// maxFactTREs bounds how many extensions are told.
const maxFactTREs = 256

func (s *segment) newFacts(block [2]int) *facts {
	f, h := s.file.structure, s.header
	all := &facts{
		Title: f.Header.Title, Date: f.Header.Date, Station: f.Header.Station, Originator: f.Header.Originator,
		Classification: f.Header.Security.Classification, ComplexityLevel: f.Header.ComplexityLevel,
		Image: imageFacts{
			ID: h.ID, Title: h.Title, Date: h.Date, Source: h.Source, Target: h.Target, Classification: h.Security.Classification,
			Category: h.Category, Representation: h.Colors, Compression: h.Compression, Rate: h.Rate, Mode: h.Mode,
			Blocks: [2]int{h.BlockColumns, h.BlockRows}, Level: h.DisplayLevel, Attachment: h.AttachmentLevel,
			Location: [2]int{h.Row, h.Column}, Magnification: h.Magnification,
			Corners: strings.TrimSpace(h.Coordinates + " " + h.Corners), Comments: h.Comments,
		},
		block: block,
	}
	if s.mask.HasPad {
		all.Image.Pad = &s.mask.Pad
	}
	all.addTREs("", h.TREs)
	all.addTREs("file", f.TREs)
	for _, of := range []struct {
		kind     string
		segments []segments.Segment
	}{{"graphic", f.Graphics}, {"label", f.Labels}, {"text", f.Texts}, {dataExtension, f.Data}, {"reserved extension", f.Reserved}} {
		for i, other := range of.segments {
			one := segmentFacts{Kind: of.kind, ID: other.ID, Title: other.Title, Version: other.Version, Length: other.Content.Length}
			if of.kind == dataExtension {
				one.Root = s.file.roots[i]
			}
			all.Segments = append(all.Segments, one)
			all.addTREs(fmt.Sprintf("%s %d", of.kind, i+1), other.TREs)
		}
	}
	return all
}

func (f *facts) addTREs(of string, all []segments.TRE) {
	for _, t := range all {
		if len(f.TREs) == maxFactTREs {
			return
		}
		one := treFacts{Tag: t.Tag, Place: t.Place, Of: of, Length: len(t.Data)}
		fields, err := tre.Fields(t.Tag, t.Data)
		if len(fields) > 0 {
			one.ordered, one.Fields = fields, make(map[string]string, len(fields))
		}
		for _, field := range fields {
			one.Fields[field.Name] = field.Value
		}
		if tre.IsDamaged(err) {
			one.Problem = err.Error()
		}
		f.TREs = append(f.TREs, one)
	}
}

// Key returns the key of the facts in JSON.
func (f *facts) Key() string { return "nitf" }

// Lines returns the facts for people.
func (f *facts) Lines() (lines []container.Line) {
	add := func(name string, parts ...string) {
		parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
		if len(parts) > 0 {
			lines = append(lines, container.Line{Name: name, Text: strings.Join(parts, ", ")})
		}
	}
	add("blocks", fmt.Sprintf("%d x %d", f.block[0], f.block[1]))
	add("file", f.Title, f.Date, f.Station, f.Originator, named("classification", f.Classification))
	m := f.Image
	add("segment", m.ID, m.Title, m.Date, m.Source, named("target", m.Target), named("category", m.Category), named("IREP", m.Representation), named("IMODE", m.Mode),
		named("COMRAT", m.Rate), named("corners", m.Corners))
	for _, comment := range m.Comments {
		add("comment", comment)
	}
	for _, t := range f.TREs {
		add("TRE "+t.Tag, t.text()...)
	}
	for _, s := range f.Segments {
		add(s.Kind, s.ID, s.Title, named("version", s.Version), s.Root, container.Counted(int(s.Length), "byte"))
	}
	return lines
}

func named(name, value string) string {
	if value == "" {
		return ""
	}
	return name + " " + value
}

// text returns what an extension says, cut off where it becomes long.
func (t *treFacts) text() []string {
	const most = 12
	where := container.Counted(t.Length, "byte") + " in " + t.Place
	if t.Of != "" {
		where += " of " + t.Of
	}
	words := []string{where, t.Problem}
	for _, field := range t.ordered {
		if len(words) > most {
			return append(words, "…")
		}
		if field.Value != "" {
			words = append(words, field.Name+" "+field.Value)
		}
	}
	return words
}
