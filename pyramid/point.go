package pyramid

import (
	"context"
	"errors"
	"fmt"

	"tileserver/geo"
	"tileserver/raster"
)

// ErrOutside says that the image does not reach a place.
var ErrOutside = errors.New("outside the image")

// Point is what lies at one place.
type Point struct {
	Column, Row int       // of the finest level
	Values      []float64 // one a band
	Valid       []bool    // whether the band has data there
}

// Point returns the samples of all bands at a place of a CRS, or with a nil CRS
// at a column and row of the image, as they are stored.
func (p *Pyramid) Point(ctx context.Context, crs *geo.CRS, place geo.Point) (Point, error) {
	column, row, ok, err := p.PixelAt(crs, place)
	if err != nil {
		return Point{}, err
	}
	if !ok {
		return Point{}, fmt.Errorf("%v,%v: %w", place.X, place.Y, ErrOutside)
	}
	level := p.info.Levels[0]
	id := raster.BlockID{Col: column / level.BlockWidth, Row: row / level.BlockHeight}
	tiles, err := p.provider.Blocks(ctx, 0, []raster.BlockID{id}, nil)
	if err != nil {
		return Point{}, err
	}
	at := level.Block(id)
	point := Point{Column: column, Row: row}
	for b := range tiles[0].Bands() {
		value, coverage := tiles[0].At(b, column-at.X0, row-at.Y0)
		point.Values = append(point.Values, value)
		point.Valid = append(point.Valid, coverage > 0)
	}
	return point, nil
}
