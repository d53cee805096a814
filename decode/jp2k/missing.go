package jp2k

import (
	"context"
	"fmt"
	"slices"

	"tileserver/raster"
)

// Missing tells which tiles are not stored, and whether the file ends too early, by where
// tile-parts lie and without reading what is in them. Of a file that claims far more than it can
// hold, it also reads the headers of tiles until one is sound: mostly none is, and then nobody
// needs to work through all that is claimed to find it out.
func (m *Image) Missing(ctx context.Context) (raster.Damage, error) {
	parts, err := m.file.parts(ctx)
	if err != nil {
		return raster.Damage{}, fmt.Errorf("jp2k: %w", failure(err))
	}
	var losses []raster.Loss
	if damage := parts.Damage(); damage != nil {
		losses = append(losses, raster.Loss{Part: lostPackets, Text: fmt.Sprintf("tile-parts: %v", damage)})
	}
	var stored []int
	missing := 0
	for number := range m.file.header.Tiles() {
		if parts.OfTile(number) > 0 {
			stored = append(stored, number)
			continue
		}
		if missing++; missing <= raster.MaxLosses+1 {
			losses = append(losses, new(tile).lost(number))
		}
	}
	if !m.claimsTooMuch() {
		return raster.NewDamage(losses, len(stored) == 0), nil
	}
	broken, count, err := m.brokenTiles(ctx, stored)
	return raster.NewDamage(append(losses, broken...), count == len(stored)), err
}

// claimsTooMuch reports whether the image has more samples than an encoder gets into as many bytes as
// the file has, unless nearly all of them are alike.
func (m *Image) claimsTooMuch() bool {
	const most = 1 << 12 // samples a byte
	l := m.info.Levels[0]
	return float64(l.Width)*float64(l.Height)*float64(len(m.info.Bands)) > most*float64(m.file.where.Length)
}

// brokenTiles counts the tiles before the first that is sound, and returns their losses: no more than
// a raster.Damage lists.
func (m *Image) brokenTiles(ctx context.Context, numbers []int) (losses []raster.Loss, count int, err error) {
	for some := range slices.Chunk(numbers, mostPasses) {
		tiles, err := m.file.tiles(ctx, some)
		if err != nil {
			return nil, 0, fmt.Errorf("jp2k: %w", failure(err))
		}
		for _, number := range some {
			if !tiles[number].missing() {
				return losses, count, nil
			}
			if count++; count <= raster.MaxLosses+1 {
				losses = append(losses, tiles[number].lost(number))
			}
		}
	}
	return losses, count, nil
}
