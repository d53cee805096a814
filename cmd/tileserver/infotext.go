package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// infoWriter puts facts in lines, each with a name.
type infoWriter struct{ strings.Builder }

// line writes a line. What files hold may have characters that command a terminal:
// they are not written.
func (w *infoWriter) line(name, format string, values ...any) {
	text := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, fmt.Sprintf(format, values...))
	fmt.Fprintf(w, "%-13s %s\n", name, text)
}

// optional writes a line if there is something to say.
func (w *infoWriter) optional(name, text string) {
	if text != "" {
		w.line(name, "%s", text)
	}
}

// write prints the facts for people.
func (i *fileInfo) write(to io.Writer) error {
	w := new(infoWriter)
	w.line("size", "%d x %d pixels, %d bands of %s (%s)", i.Width, i.Height, i.Bands, i.DataType, strings.Join(i.Colors, ", "))
	w.line("stored", "%s, %s, %s interleaved, %d bits a sample", i.Compression, i.Photometric, i.Interleave, i.Bits)
	w.line("blocks", "%d x %d", i.Block[0], i.Block[1])
	if len(i.Overviews) > 0 {
		w.line("overviews", "%v", i.Overviews)
	}
	i.writePlace(w)
	if i.NoData != nil {
		w.line("nodata", "%v", float64(*i.NoData))
	}
	w.line("mask", "%v", i.Masked)
	if i.Orientation != 1 {
		w.line("orientation", "%d", i.Orientation)
	}
	i.writeBands(w)
	writeMetadata(w, "metadata", i.Metadata)
	w.line("file", "%s, BigTIFF %v, %d images", i.ByteOrder, i.BigTIFF, i.Images)
	for _, p := range i.Pages {
		w.line(fmt.Sprintf("image %d", p.Page), "%d x %d pixels, %d bands of %s, %s", p.Width, p.Height, p.Bands, p.DataType, p.Compression)
	}
	w.optional("side files", strings.Join(i.SideFiles, ", "))
	for _, note := range i.Notes {
		w.line("note", "%s", note)
	}
	w.optional("unsupported", i.Unsupported)
	w.optional("undisplayable", i.Undisplayable)
	_, err := io.WriteString(to, w.String())
	return err
}

func (i *fileInfo) writePlace(w *infoWriter) {
	w.optional("crs", i.CRS)
	if i.EPSG != nil {
		w.line("epsg", "%d", *i.EPSG)
	}
	if i.CRSProblem != "" {
		w.line("crs", "not known: %s", i.CRSProblem)
	}
	if i.Transform != nil {
		w.line("geotransform", "%v", *i.Transform)
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
		w.line("rpc", "around longitude %v, latitude %v, height %v (%s)", r.LongOff, r.LatOff, r.HeightOff, r.From)
	}
	w.optional("rpc", i.RPCProblem)
}

// writeBands tells of bands of which there is more to say than their colours.
func (i *fileInfo) writeBands(w *infoWriter) {
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
		w.optional(name, strings.TrimPrefix(text, ", "))
	}
}

// writeMetadata writes a line a value, sorted. Long ones, such as documents, are cut.
func writeMetadata(w *infoWriter, name string, domains metadataInfo) {
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
