package info

import (
	"fmt"
	"io"
	"text/tabwriter"

	"tileserver/cmd/tileserver/usage"
	"tileserver/decode/tiff/taglist"
)

// PrintTags writes a list of tags, as text or as JSON.
func PrintTags(to io.Writer, list *taglist.List, asJSON bool) error {
	if !asJSON {
		return writeTags(to, list)
	}
	return printJSON(to, list)
}

// writeTags writes a list of tags as text: each directory, and below it a line for each tag.
func writeTags(to io.Writer, list *taglist.List) error {
	kind := "TIFF"
	if list.BigTIFF {
		kind = "BigTIFF"
	}
	fmt.Fprintf(to, "%s, %s\n", kind, list.ByteOrder)
	for _, d := range list.Directories {
		place := ""
		if d.Parent != 0 {
			place = fmt.Sprintf(" of directory %d", d.Parent)
		}
		fmt.Fprintf(to, "\ndirectory %d: %s%s, at byte %d\n", d.Number, d.Kind, place, d.Offset)
		columns := tabwriter.NewWriter(to, 0, 1, 2, ' ', 0)
		for i := range d.Tags {
			writeTag(columns, &d.Tags[i])
		}
		if err := columns.Flush(); err != nil {
			return err
		}
	}
	for _, note := range list.Notes {
		fmt.Fprintf(to, "\nnote: %s\n", usage.WithoutControls(note))
	}
	return nil
}

// writeTag writes the columns of a tag, and of the keys in it.
func writeTag(columns io.Writer, t *taglist.Tag) {
	fmt.Fprintf(columns, "  %d\t%s\t%s\t%d\t%s\n", t.Number, t.Name, t.Type, t.Count, tagValue(t.Value, t.Meaning, t.Problem))
	for _, k := range t.Keys {
		fmt.Fprintf(columns, "    %d\t%s\t\t\t%s\n", k.Number, k.Name, tagValue(k.Value, "", k.Problem))
	}
}

// tagValue returns the last column of a line: the value and what it means, or why it is missing.
func tagValue(value, meaning, problem string) string {
	switch {
	case problem != "":
		return "cannot be read: " + usage.WithoutControls(problem)
	case meaning != "":
		return value + " (" + meaning + ")"
	}
	return value
}
