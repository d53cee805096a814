package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"tileserver/cmd/tileserver/memory"
	"tileserver/cmd/tileserver/usage"
	"tileserver/dataset"
	"tileserver/decode/container"
	"tileserver/display"
)

// fileInfo is the output of `tileserver info --json`: the facts about an image, and what the
// program does with it.
type fileInfo struct {
	container.Facts
	Undisplayable string           `json:"undisplayable,omitempty"` // readable, but not renderable
	Damage        *damageInfo      `json:"damage,omitempty"`        // if it was checked
	Default       *display.Summary `json:"default,omitempty"`       // what pictures show without style parameters

	drawnNames []string // of the bands that Default counts; empty if the color says it all
}

// MarshalJSON puts the section of the format before the page.
func (i *fileInfo) MarshalJSON() ([]byte, error) {
	type document fileInfo // without this method
	text, err := json.Marshal((*document)(i))
	if err != nil || i.Section == nil {
		return text, err
	}
	section, err := json.Marshal(i.Section)
	const page = `"page":` // cannot stand in a string, whose quotes are escaped
	before, after, _ := bytes.Cut(text, []byte(page))
	return slices.Concat(before, fmt.Appendf(nil, "%q:%s,", i.Section.Key(), section), []byte(page), after), err
}

func (p *program) info(ctx context.Context, args []string) error {
	set := usage.Options("info")
	asJSON := set.Bool("json", false, "Print JSON")
	checkAll := set.Bool("check", false, "Read all pixels, to find out whether the file is damaged")
	inFlight := memory.Option(set)
	arguments, err := p.parse(set, args)
	if err != nil {
		return err
	}
	image, err := oneFile(ctx, "info", arguments)
	if err != nil {
		return err
	}
	restore, err := memory.Limit(*inFlight)
	if err != nil {
		return err
	}
	defer restore()
	f, file, err := fileOpener(*inFlight).Open(ctx, image.Path, dataset.Options{})
	if err != nil {
		return dataset.FileError{Image: image, Layer: fileLayer, Err: err}
	}
	defer f.Close()
	info, err := describe(ctx, f, image.Number)
	if err != nil {
		return err
	}
	m := f.Images()[image.Number-1]
	d := &dump{provider: m, bands: m.Info().AllBands(), room: int64(*inFlight) / readShare}
	if info.Damage, err = checkDamage(ctx, m, file.Size(), d, *checkAll); err != nil && *checkAll {
		return fmt.Errorf("%v: %w", image, memory.Hint(err, *inFlight))
	}
	if err := info.print(p.stdout, *asJSON); err != nil || info.Damage == nil {
		return err
	}
	return damagedOf(image.String(), info.Damage.found)
}

func (i *fileInfo) print(to io.Writer, asJSON bool) error {
	if !asJSON {
		return i.write(to)
	}
	encoder := json.NewEncoder(to)
	encoder.SetIndent("", "  ")
	return encoder.Encode(i)
}

func describe(ctx context.Context, f container.File, number int) (*fileInfo, error) {
	facts, err := container.Describe(ctx, f, number)
	if err != nil {
		return nil, err
	}
	info, m := &fileInfo{Facts: *facts}, f.Images()[number-1]
	if err := container.CheckDisplayable(m); err != nil {
		info.Undisplayable = err.Error()
	}
	info.addDrawn(m)
	return info, nil
}
