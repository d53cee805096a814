package pyramid

import (
	"context"
	"errors"
	"fmt"

	"tileserver/geo"
	"tileserver/raster"
)

// ErrOutside means that a place is outside the image.
var ErrOutside = errors.New("outside the image")

// Point describes the pixel at one place.
type Point struct {
	Column, Row int       // of the finest level
	Values      []float64 // one for each band
	Valid       []bool    // whether the band has data there
	Damage      raster.Damage
}

// Point returns the stored samples of all bands at a place of a CRS. If crs is nil, place is a
// column and row of the image.
func (p *Pyramid) Point(ctx context.Context, crs *geo.CRS, place geo.Point) (Point, error) {
	column, row, ok, err := p.PixelAt(crs, place)
	if err != nil {
		return Point{}, err
	}
	if !ok {
		return Point{}, fmt.Errorf("%v,%v: %w", place.X, place.Y, ErrOutside)
	}
	at, tile, err := p.readAround(ctx, column, row)
	if err != nil {
		return Point{}, err
	}
	point := Point{Column: column, Row: row, Damage: tile.Damage()}
	for b := range tile.Bands() {
		value, coverage := tile.At(b, column-at.X0, row-at.Y0)
		point.Values = append(point.Values, value)
		point.Valid = append(point.Valid, coverage > 0)
	}
	return point, nil
}

// readAround reads a pixel of the finest level: a window of one pixel if the provider has windows,
// or else its block. The rectangle locates the tile in the level.
func (p *Pyramid) readAround(ctx context.Context, column, row int) (raster.Rect, raster.Tile, error) {
	if raster.HasWindows(p.provider, 0) {
		pixel := raster.Rect{X0: column, Y0: row, X1: column + 1, Y1: row + 1}
		tile, err := raster.ReadWindow(ctx, p.provider, 0, pixel, nil)
		return pixel, tile, err
	}
	level := p.info.Levels[0]
	id := raster.BlockID{Col: column / level.BlockWidth, Row: row / level.BlockHeight}
	tiles, err := p.provider.Blocks(ctx, 0, []raster.BlockID{id}, nil)
	if err != nil {
		return raster.Rect{}, raster.Tile{}, err
	}
	return level.Block(id), tiles[0], nil
}
