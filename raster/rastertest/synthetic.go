// Package rastertest provides a synthetic provider and a test suite for providers. It knows only
// package raster.
package rastertest

import (
	"context"
	"sync/atomic"

	"tileserver/raster"
)

// Synthetic is a provider whose pixels are a function of their position. It counts the calls of its
// methods.
type Synthetic struct {
	Name string
	Has  raster.Info

	// Sample returns the value of a pixel of a level, and whether it is valid.
	Sample func(level, band, x, y int) (value float64, valid bool)

	// Lost, if set, returns the damage of a rectangle of a level.
	Lost func(level int, r raster.Rect) raster.Damage

	// Before, if set, runs in each call of Blocks before it answers. A test may wait in it, or fail
	// the call.
	Before func(ctx context.Context, level int, ids []raster.BlockID, bands []int) error

	calls, blocks, planes atomic.Int64
}

var _ raster.Provider = (*Synthetic)(nil)

// Flat describes a one-level image of one type, divided into blocks.
func Flat(t raster.DataType, width, height, bands, blockWidth, blockHeight int) raster.Info {
	return raster.Info{
		Type:  t,
		Bands: make([]raster.Band, bands),
		Levels: []raster.Level{{
			Width: width, Height: height, BlockWidth: blockWidth, BlockHeight: blockHeight, ScaleX: 1, ScaleY: 1,
		}},
	}
}

// Key returns Name.
func (s *Synthetic) Key() string { return s.Name }

// Info returns Has.
func (s *Synthetic) Info() *raster.Info { return &s.Has }

// Calls returns the number of calls of Blocks.
func (s *Synthetic) Calls() int { return int(s.calls.Load()) }

// BlocksMade returns the number of blocks returned.
func (s *Synthetic) BlocksMade() int { return int(s.blocks.Load()) }

// PlanesMade returns the number of blocks times bands returned.
func (s *Synthetic) PlanesMade() int { return int(s.planes.Load()) }

// Blocks computes blocks with Sample.
func (s *Synthetic) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	s.calls.Add(1)
	if s.Before != nil {
		if err := s.Before(ctx, level, ids, bands); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.Has.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	if bands == nil {
		bands = s.Has.AllBands()
	}
	tiles := make([]raster.Tile, len(ids))
	for i, id := range ids {
		tiles[i] = s.block(level, s.Has.Levels[level].Block(id), bands)
		s.blocks.Add(1)
		s.planes.Add(int64(len(bands)))
	}
	return tiles, nil
}

func (s *Synthetic) block(level int, r raster.Rect, bands []int) raster.Tile {
	b := raster.NewBuffer(s.Has.Type, r.Width(), r.Height(), len(bands))
	if s.Lost != nil {
		b.AddDamage(s.Lost(level, r))
	}
	for i, band := range bands {
		write := writer(b, i)
		for y := r.Y0; y < r.Y1; y++ {
			for x := r.X0; x < r.X1; x++ {
				at := (y-r.Y0)*r.Width() + x - r.X0
				value, valid := s.Sample(level, band, x, y)
				write(at, value)
				if !valid {
					b.OwnValidity(i)[at] = raster.Invalid
				}
			}
		}
	}
	return b.Freeze()
}
