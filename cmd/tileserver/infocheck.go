package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tileserver/cache"
	"tileserver/decode"
	"tileserver/decode/georeference"
	"tileserver/raster"
)

// What info decodes of a file at most, to see whether it is damaged, if nobody asks for all.
const (
	maxLookedBytes   = 64 << 20 // of the file
	maxLookedSamples = 4 << 20
)

// damageInfo is what was found to be lost of an image.
type damageInfo struct {
	LookedAt string         `json:"looked_at"` // "all pixels", "level 2" or "headers"
	Parts    map[string]int `json:"parts"`     // how many of each kind
	Notes    []string       `json:"notes"`     // the first of them, with the reason
	More     bool           `json:"more"`      // there are others

	found raster.Damage
}

// look finds out what is lost of an image: of all its pixels if that is asked for. Else it looks, where
// the format's headers tell what is missing, at them and at a level that is soon read. It returns nil
// where nothing was looked at.
func look(ctx context.Context, m page, fileBytes int64, d *dump, all bool) (*damageInfo, error) {
	missing, err := m.missing(ctx)
	switch {
	case errors.Is(err, decode.ErrCorrupt):
		damage := unreadable(err)
		missing = &damage
	case err != nil, missing == nil && !all, m.Unsupported() != nil:
		return nil, err
	}
	info := &damageInfo{LookedAt: "headers"}
	if missing != nil {
		info.found = *missing
	}
	levels := m.Info().Levels
	for level := range levels {
		isSmall := int64(levels[level].Width)*int64(levels[level].Height) <= maxLookedSamples/int64(len(m.Info().Bands))
		if !all && (fileBytes > maxLookedBytes || !isSmall) {
			continue
		}
		d.level, d.window = level, levels[level].Bounds()
		if err := d.look(ctx); err != nil {
			return nil, err
		}
		info.LookedAt = fmt.Sprintf("level %d", level)
		if level == 0 {
			info.LookedAt = "all pixels"
		}
		if level == 0 && !d.lost.damage.IsZero() {
			info.found = raster.Damage{} // the same, in other words
		}
		info.found = info.found.Join(d.lost.damage)
		break
	}
	info.count()
	return info, nil
}

// count fills in what is printed of what was found.
func (i *damageInfo) count() {
	i.Parts, i.Notes, i.More = make(map[string]int), []string{}, i.found.HasMore()
	for _, c := range i.found.Counts() {
		i.Parts[c.Kind] = c.Count
	}
	for _, loss := range i.found.Losses()[:min(len(i.found.Losses()), maxToldLosses)] {
		i.Notes = append(i.Notes, loss.Text)
	}
}

func (i *damageInfo) write(w *infoWriter) {
	if i.found.IsZero() {
		w.line("damage", "none found in %s", i.LookedAt)
		return
	}
	w.line("damage", "%v, found in %s", i.found, i.LookedAt)
	for _, note := range i.Notes {
		w.line("lost", "%s", note)
	}
}

// unreadable is the damage of what cannot be read for an error.
func unreadable(err error) raster.Damage {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return raster.NewDamage([]raster.Loss{{Kind: "unreadable part", Text: text}}, false)
}

// look reads all pixels and keeps what is lost of them.
func (d *dump) look(ctx context.Context) error {
	for _, bands := range d.bandsAtATime() {
		for piece := range d.pieces(len(bands)) {
			if err := d.lookAt(ctx, piece, bands); err != nil {
				return err
			}
		}
	}
	return nil
}

// lookAt keeps what is lost of a piece. Where the piece cannot be read, each of its blocks is read alone,
// so that each unreadable block counts. Too little memory and unsupported pixels are errors, not damage.
func (d *dump) lookAt(ctx context.Context, piece raster.Rect, bands []int) error {
	read, err := d.read(ctx, piece, bands)
	blocks := d.provider.Info().Levels[d.level].Covering(piece)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, cache.ErrOverBudget), errors.Is(err, georeference.ErrLimit), errors.Is(err, decode.ErrUnsupported):
		return err
	case err != nil && len(blocks) > 1:
		for _, id := range blocks {
			block := d.provider.Info().Levels[d.level].Block(id).Intersect(piece)
			if err := d.lookAt(ctx, block, bands); err != nil {
				return err
			}
		}
	case err != nil:
		d.lost.isBegun, d.lost.damage = true, d.lost.damage.Join(unreadable(err))
	}
	for _, tile := range read.tiles {
		d.lost.add(tile)
	}
	return nil
}
