package components

import (
	"context"
	"fmt"
	"slices"

	"tileserver/raster"
)

// Missing returns which tiles are not stored, and whether the codestream is truncated. It uses the
// locations of tile-parts. If the codestream claims far more samples than it can hold, Missing also
// reads the headers of tiles up to the first sound one. Such a codestream usually has no sound tile,
// and its headers show that at a fraction of the cost of its samples.
func (s *Codestream) Missing(ctx context.Context, samples float64) (raster.Damage, error) {
	parts, err := s.parts(s.newReader(ctx), nil)
	if err != nil {
		return raster.Damage{}, failure(err)
	}
	var losses []raster.Loss
	if damage := parts.Damage(); damage != nil {
		losses = append(losses, raster.Loss{Kind: lostPackets, Text: fmt.Sprintf("tile-parts: %v", damage)})
	}
	var stored []int
	missing := 0
	for number := range s.header.Tiles() {
		if parts.OfTile(number) > 0 {
			stored = append(stored, number)
			continue
		}
		if missing++; missing <= raster.MaxLosses+1 {
			losses = append(losses, new(tile).loss(number))
		}
	}
	if !s.canHold(samples) {
		broken, count, err := s.brokenTiles(ctx, stored)
		return raster.NewDamage(append(losses, broken...), count == len(stored)), failure(err)
	}
	return raster.NewDamage(losses, len(stored) == 0), nil
}

// canHold reports whether an encoder can write so many samples into the bytes of the codestream,
// unless nearly all samples are equal.
func (s *Codestream) canHold(samples float64) bool {
	const maxSamplesPerByte = 1 << 12
	return samples <= maxSamplesPerByte*float64(s.extent.Length)
}

// brokenTiles counts the tiles before the first sound one. It returns their losses, at most as many
// as a raster.Damage lists.
func (s *Codestream) brokenTiles(ctx context.Context, numbers []int) (losses []raster.Loss, count int, err error) {
	for batch := range slices.Chunk(numbers, maxTileReaders) {
		tiles, err := s.tiles(ctx, batch)
		if err != nil {
			return nil, 0, err
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
