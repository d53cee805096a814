package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tileserver/cache"
	"tileserver/decode"
	"tileserver/decode/container"
	"tileserver/decode/georeference"
	"tileserver/raster"
)

// The limits of what info decodes to check for damage without --check.
const (
	maxCheckedBytes   = 64 << 20 // of the file
	maxCheckedSamples = 4 << 20
)

// damageInfo is the damage found in an image.
type damageInfo struct {
	LookedAt string         `json:"looked_at"` // "all pixels", "level 2" or "headers"
	Parts    map[string]int `json:"parts"`     // counts by kind
	Notes    []string       `json:"notes"`     // the first losses, each with its reason
	More     bool           `json:"more"`      // whether Notes is incomplete

	found raster.Damage
}

// checkDamage finds the damage of an image. With checkAll, it reads all pixels. Without, it checks
// the headers, if they tell what is missing, and a level that is quick to read. It
// returns nil if nothing was checked.
func checkDamage(ctx context.Context, m container.Image, fileBytes int64, d *dump, checkAll bool) (*damageInfo, error) {
	missing, known, err := m.Missing(ctx)
	switch {
	case errors.Is(err, decode.ErrCorruptBlock):
		missing = unreadable(err)
	case err != nil, !known && !checkAll, m.Unsupported() != nil:
		return nil, err
	}
	info := &damageInfo{LookedAt: "headers", found: missing}
	levels := m.Info().Levels
	for level := range levels {
		isSmall := int64(levels[level].Width)*int64(levels[level].Height) <= maxCheckedSamples/int64(len(m.Info().Bands))
		if !checkAll && (fileBytes > maxCheckedBytes || !isSmall) {
			continue
		}
		d.level, d.window = level, levels[level].Bounds()
		if err := d.findDamage(ctx); err != nil {
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

// count fills in the fields that are printed from the damage found.
func (i *damageInfo) count() {
	i.Parts, i.Notes, i.More = make(map[string]int), []string{}, i.found.HasMore()
	for _, c := range i.found.Counts() {
		i.Parts[c.Kind] = c.Count
	}
	for _, loss := range i.found.Losses()[:min(len(i.found.Losses()), maxListedLosses)] {
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

// unreadable returns the damage of a part that cannot be read because of an error.
func unreadable(err error) raster.Damage {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return raster.NewDamage([]raster.Loss{{Kind: "unreadable part", Text: text}}, false)
}

// findDamage reads all pixels and records what is lost.
func (d *dump) findDamage(ctx context.Context) error {
	for _, bands := range d.bandsAtATime() {
		for piece := range d.pieces(len(bands)) {
			if err := d.findDamageIn(ctx, piece, bands); err != nil {
				return err
			}
		}
	}
	return nil
}

// findDamageIn records what is lost of a piece. If the piece cannot be read, its blocks are read
// one by one, so that each unreadable block counts. Insufficient memory and unsupported pixels are
// errors, not damage.
func (d *dump) findDamageIn(ctx context.Context, piece raster.Rect, bands []int) error {
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
			if err := d.findDamageIn(ctx, block, bands); err != nil {
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
