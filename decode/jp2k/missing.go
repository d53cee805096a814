package jp2k

import (
	"context"
	"fmt"
	"slices"

	"tileserver/raster"
)

// Missing returns which tiles are not stored, and whether the file is truncated. It uses the
// locations of tile-parts. If the file claims far more samples than it can hold, Missing also reads
// the headers of tiles up to the first sound one. Usually none is sound, and the caller learns that
// without reading all that the file claims. It always knows.
func (m *Image) Missing(ctx context.Context) (damage raster.Damage, known bool, err error) {
	parts, err := m.file.parts(ctx)
	if err != nil {
		return raster.Damage{}, true, fmt.Errorf("jp2k: %w", failure(err))
	}
	var losses []raster.Loss
	if damage := parts.Damage(); damage != nil {
		losses = append(losses, raster.Loss{Kind: lostPackets, Text: fmt.Sprintf("tile-parts: %v", damage)})
	}
	var stored []int
	missing := 0
	for number := range m.file.header.Tiles() {
		if parts.OfTile(number) > 0 {
			stored = append(stored, number)
			continue
		}
		if missing++; missing <= raster.MaxLosses+1 {
			losses = append(losses, new(tile).loss(number))
		}
	}
	if !m.claimsTooMuch() {
		return raster.NewDamage(losses, len(stored) == 0), true, nil
	}
	broken, count, err := m.brokenTiles(ctx, stored)
	return raster.NewDamage(append(losses, broken...), count == len(stored)), true, err
}

// claimsTooMuch reports whether the image has more samples than an encoder can write into the bytes
// of the file, unless nearly all samples are equal.
func (m *Image) claimsTooMuch() bool {
	const maxSamplesPerByte = 1 << 12
	l := m.info.Levels[0]
	return float64(l.Width)*float64(l.Height)*float64(len(m.info.Bands)) > maxSamplesPerByte*float64(m.file.extent.Length)
}

// brokenTiles counts the tiles before the first sound one. It returns their losses, at most as many
// as a raster.Damage lists.
func (m *Image) brokenTiles(ctx context.Context, numbers []int) (losses []raster.Loss, count int, err error) {
	for batch := range slices.Chunk(numbers, maxTileReaders) {
		tiles, err := m.file.tiles(ctx, batch)
		if err != nil {
			return nil, 0, fmt.Errorf("jp2k: %w", failure(err))
		}
		for _, number := range batch {
			if !tiles[number].isMissing() {
				return losses, count, nil
			}
			if count++; count <= raster.MaxLosses+1 {
				losses = append(losses, tiles[number].loss(number))
			}
		}
	}
	return losses, count, nil
}
