package info

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"tileserver/cmd/tileserver/usage"
	"tileserver/decode/container"
)

// lineWriter writes facts as lines, each with a name.
type lineWriter struct{ strings.Builder }

// line writes a line.
func (w *lineWriter) line(name, format string, values ...any) {
	fmt.Fprintf(w, "%-13s %s\n", name, usage.WithoutControls(fmt.Sprintf(format, values...)))
}

// optional writes a line unless its text is empty.
func (w *lineWriter) optional(name, text string) {
	if text != "" {
		w.line(name, "%s", text)
	}
}

// write writes the facts as text.
func (i *Description) write(to io.Writer) error {
	w := new(lineWriter)
	w.line("size", "%d x %d pixels, %s of %s (%s)", i.Width, i.Height, container.Counted(i.Bands, "band"), i.DataType, container.InRuns(i.Colors))
	w.optional("drawn", i.drawn())
	w.line("stored", "%s", i.storage())
	i.writeBlocks(w)
	w.optional("overviews", sizesInOrder(i.Overviews))
	i.writePlace(w)
	if i.NoData != nil {
		w.line("nodata", "%v", float64(*i.NoData))
	}
	if i.Masked {
		w.line("mask", "yes")
	}
	if i.Orientation != 1 {
		w.line("orientation", "%d", i.Orientation)
	}
	i.writeBands(w)
	writeMetadata(w, "metadata", i.Metadata)
	w.line("file", "%s", listed(i.Container, i.ByteOrder, container.Counted(i.Images, "image")))
	for _, p := range i.Pages {
		w.line(fmt.Sprintf("image %d", p.Page), "%s", pageText(p))
	}
	w.optional("side files", strings.Join(i.SideFiles, ", "))
	for _, note := range i.Notes {
		w.line("note", "%s", note)
	}
	if i.Damage != nil {
		i.Damage.write(w)
	}
	w.optional("unsupported", i.Unsupported)
	w.optional("undisplayable", i.Undisplayable)
	_, err := io.WriteString(to, w.String())
	return err
}

// pageText describes one of several images.
func pageText(p container.Page) string {
	text := p.Damage
	if text == "" {
		text = fmt.Sprintf("%d x %d pixels, %s of %s, %s", p.Width, p.Height, container.Counted(p.Bands, "band"), p.DataType, p.Compression)
	}
	if p.Title != "" {
		return p.Title + ": " + text
	}
	return text
}

// writeBlocks describes the blocks, in the words of the format if it has its own.
func (i *Description) writeBlocks(w *lineWriter) {
	if i.Section == nil {
		w.line("blocks", "%d x %d", i.Block[0], i.Block[1])
		return
	}
	for _, l := range i.Section.Lines() {
		w.line(l.Name, "%s", l.Text)
	}
}

// storage describes how samples are stored.
func (i *Description) storage() string {
	interleaved := i.Interleave
	if interleaved != "" {
		interleaved += " interleaved"
	}
	return listed(i.Compression, inWords(i.Photometric), interleaved, container.Counted(i.Bits, "bit")+" a sample")
}

// listed joins the words that are not empty.
func listed(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), ", ")
}

func (i *Description) writePlace(w *lineWriter) {
	w.optional("crs", i.CRS)
	if i.EPSG != nil {
		w.line("epsg", "%d", *i.EPSG)
	}
	if i.CRSProblem != "" {
		w.line("crs", "not known: %s", i.CRSProblem)
	}
	if i.Transform != nil && i.Placement == "" {
		writeTransform(w, i.Transform)
	}
	w.optional("placed", i.Placement)
	if i.PlaceProblem != "" {
		w.line("place", "not known: %s", i.PlaceProblem)
	}
	if i.Bounds != nil {
		w.line("bounds", "%.6f, %.6f to %.6f, %.6f (longitude, latitude)", i.Bounds[0], i.Bounds[1], i.Bounds[2], i.Bounds[3])
	}
	const fewPoints = 8
	for n, p := range i.ControlPoints {
		if n == fewPoints {
			w.line("gcp", "and %d more", len(i.ControlPoints)-n)
			break
		}
		w.line("gcp", "column %v, row %v is at %v, %v, %v", p.Column, p.Row, p.X, p.Y, p.Z)
	}
	if r := i.RPC; r != nil {
		w.line("rpc", "around longitude %v, latitude %v, height %v (%s)", r.LongitudeOffset, r.LatitudeOffset, r.HeightOffset, r.From)
	}
	w.optional("rpc", i.RPCProblem)
}

// sizesInOrder joins widths and heights.
func sizesInOrder(all [][2]int) string {
	texts := make([]string, len(all))
	for i, size := range all {
		texts[i] = fmt.Sprintf("%d x %d", size[0], size[1])
	}
	return strings.Join(texts, ", ")
}

// maxListedBands is how many bands are listed even if only their color is known.
const maxListedBands = 16

// writeBands writes a line per band. If there are many, it omits bands with nothing but a color.
func (i *Description) writeBands(w *lineWriter) {
	for n, b := range i.BandInfo {
		name, text := fmt.Sprintf("band %d", n+1), ""
		if b.Name != b.Color && b.Name != name {
			text += ", " + b.Name
		}
		if b.NoData != nil && (i.NoData == nil || fmt.Sprint(*b.NoData) != fmt.Sprint(*i.NoData)) {
			text += fmt.Sprintf(", nodata %v", float64(*b.NoData))
		}
		if b.Scale != nil {
			text += fmt.Sprintf(", value = %v * sample + %v", *b.Scale, *b.Offset)
		}
		if b.Unit != "" {
			text += ", in " + b.Unit
		}
		if s := b.Statistics; s != nil {
			text += fmt.Sprintf(", noted from %v to %v, mean %v, standard deviation %v", s.Minimum, s.Maximum, s.Mean, s.StdDev)
		}
		if text == "" && len(i.BandInfo) <= maxListedBands {
			text = b.Color
		}
		w.optional(name, strings.TrimPrefix(text, ", "))
	}
}

// writeMetadata writes a line per value, sorted by name. Long values, such as documents, are cut.
func writeMetadata(w *lineWriter, name string, domains container.Metadata) {
	const longest = 200
	for _, domain := range slices.Sorted(maps.Keys(domains)) {
		for _, key := range slices.Sorted(maps.Keys(domains[domain])) {
			value := strings.Join(strings.Fields(domains[domain][key]), " ")
			if len(value) > longest {
				value = strings.ToValidUTF8(value[:longest], "") + "…"
			}
			w.line(name, "%s=%s", strings.TrimPrefix(domain+":"+key, ":"), value)
		}
	}
}
