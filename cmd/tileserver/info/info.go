// Package info describes what a file contains, as text and as JSON. Command info calls it. It must
// never know how a file is opened.
package info

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"tileserver/decode/container"
	"tileserver/display"
	"tileserver/geo"
)

// A Description is the output of `tileserver info --json`: the facts about an image, and what the
// program does with it.
type Description struct {
	container.Facts
	Undisplayable string           `json:"undisplayable,omitempty"` // readable, but not renderable
	Damage        *Damage          `json:"damage,omitempty"`        // if it was checked
	Default       *display.Summary `json:"default,omitempty"`       // what pictures show without style parameters

	drawnNames []string // of the bands that Default counts; empty if the color says it all
}

// MarshalJSON puts the section of the format before the page.
func (i *Description) MarshalJSON() ([]byte, error) {
	type document Description // without this method
	text, err := json.Marshal((*document)(i))
	if err != nil || i.Section == nil {
		return text, err
	}
	section, err := json.Marshal(i.Section)
	const page = `"page":` // cannot stand in a string, whose quotes are escaped
	before, after, _ := bytes.Cut(text, []byte(page))
	return slices.Concat(before, fmt.Appendf(nil, "%q:%s,", i.Section.Key(), section), []byte(page), after), err
}

// Print writes the description as text or as JSON.
func (i *Description) Print(to io.Writer, asJSON bool) error {
	if !asJSON {
		return i.write(to)
	}
	return printJSON(to, i)
}

// PrintError writes as JSON why a file cannot be described.
func PrintError(to io.Writer, err error) error {
	return printJSON(to, struct {
		Error string `json:"error"`
	}{err.Error()})
}

func printJSON(to io.Writer, document any) error {
	encoder := json.NewEncoder(to)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document)
}

// Describe returns the description of an image of a file, by its number from 1, placed with grids of
// datum shifts, if there are any.
func Describe(ctx context.Context, f container.File, number int, grids *geo.Grids) (*Description, error) {
	facts, err := container.Describe(ctx, f, number, grids)
	if err != nil {
		return nil, err
	}
	info, m := &Description{Facts: *facts}, f.Images()[number-1]
	if err := container.CheckDisplayable(m); err != nil {
		info.Undisplayable = err.Error()
	}
	info.addDrawn(m)
	return info, nil
}
