package info

import (
	"context"
	"errors"
	"fmt"

	"tileserver/cmd/tileserver/damaged"
	"tileserver/cmd/tileserver/dump"
	"tileserver/decode"
	"tileserver/decode/container"
	"tileserver/raster"
)

// The limits of what info decodes to check for damage without --check.
const (
	maxCheckedBytes   = 64 << 20 // of the file
	maxCheckedSamples = 4 << 20
)

// Damage is the damage found in an image.
type Damage struct {
	LookedAt string         `json:"looked_at"` // "all pixels", "level 2" or "headers"
	Parts    map[string]int `json:"parts"`     // counts by kind
	Notes    []string       `json:"notes"`     // the first losses, each with its reason
	More     bool           `json:"more"`      // whether Notes is incomplete

	found raster.Damage
}

// FindDamage finds the damage of an image with a Dump of its bands. With checkAll, it reads all
// pixels. Without, it checks the headers, if they tell what is missing, and a level that is quick to
// read. It returns nil if nothing was checked.
func FindDamage(ctx context.Context, m container.Image, fileBytes int64, d *dump.Dump, checkAll bool) (*Damage, error) {
	missing, known, err := m.Missing(ctx)
	switch {
	case errors.Is(err, decode.ErrCorruptBlock):
		missing = damaged.Unreadable(err)
	case err != nil, !known && !checkAll, m.Unsupported() != nil:
		return nil, err
	}
	info := &Damage{LookedAt: "headers", found: missing}
	levels := m.Info().Levels
	for level := range levels {
		isSmall := int64(levels[level].Width)*int64(levels[level].Height) <= maxCheckedSamples/int64(len(m.Info().Bands))
		if !checkAll && (fileBytes > maxCheckedBytes || !isSmall) {
			continue
		}
		d.Level, d.Window = level, levels[level].Bounds()
		if err := d.FindDamage(ctx); err != nil {
			return nil, err
		}
		info.LookedAt = fmt.Sprintf("level %d", level)
		if level == 0 {
			info.LookedAt = "all pixels"
		}
		if level == 0 && !d.Damage().IsZero() {
			info.found = raster.Damage{} // the same, in other words
		}
		info.found = info.found.Join(d.Damage())
		break
	}
	info.count()
	return info, nil
}

// count fills in the fields that are printed from the damage found.
func (i *Damage) count() {
	i.Parts, i.Notes, i.More = make(map[string]int), []string{}, i.found.HasMore()
	for _, c := range i.found.Counts() {
		i.Parts[c.Kind] = c.Count
	}
	for _, loss := range i.found.Losses()[:min(len(i.found.Losses()), damaged.MaxListed)] {
		i.Notes = append(i.Notes, loss.Text)
	}
}

func (i *Damage) write(w *lineWriter) {
	if i.found.IsZero() {
		w.line("damage", "none found in %s", i.LookedAt)
		return
	}
	w.line("damage", "%v, found in %s", i.found, i.LookedAt)
	for _, note := range i.Notes {
		w.line("lost", "%s", note)
	}
}

// Found returns the damage that was found. A nil Damage found none.
func (i *Damage) Found() raster.Damage {
	if i == nil {
		return raster.Damage{}
	}
	return i.found
}
