package jp2k

import (
	"context"
	"fmt"

	"tileserver/raster"
)

// Missing tells which tiles are not stored, and whether the file ends too early, by where
// tile-parts lie and without reading what is in them.
func (m *Image) Missing(ctx context.Context) (raster.Damage, error) {
	parts, err := m.file.parts(ctx)
	if err != nil {
		return raster.Damage{}, fmt.Errorf("jp2k: %w", failure(err))
	}
	var losses []raster.Loss
	if damage := parts.Damage(); damage != nil {
		losses = append(losses, raster.Loss{Part: lostPackets, Text: fmt.Sprintf("tile-parts: %v", damage)})
	}
	missing := 0
	for number := range m.file.header.Tiles() {
		if parts.OfTile(number) > 0 {
			continue
		}
		if missing++; missing <= raster.MaxLosses+1 {
			losses = append(losses, new(tile).lost(number))
		}
	}
	return raster.NewDamage(losses, missing == m.file.header.Tiles()), nil
}
