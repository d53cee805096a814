package wrap

import (
	"context"
	"encoding/binary"
	"math"

	"tileserver/raster"
)

// magnitudes is a wrapper that returns the magnitudes of complex samples, which pictures can show.
type magnitudes struct {
	raster.Wrapper
	info raster.Info
}

// Magnitudes returns the magnitudes of source, whose samples must be complex. Put a cache above
// it: the magnitudes take half the memory.
func Magnitudes(source raster.Provider) raster.Provider {
	m := &magnitudes{raster.Over(source), *source.Info()}
	m.info.Type = raster.Float32
	if source.Info().Type == raster.Complex128 {
		m.info.Type = raster.Float64
	}
	m.info.Pad = math.Abs(m.info.Pad)
	m.info.Bits, m.info.Magnitudes = 0, true
	m.info.Bands = make([]raster.Band, len(source.Info().Bands))
	for i, band := range source.Info().Bands {
		m.info.Bands[i] = magnitudeOf(band)
	}
	return m
}

// magnitudeOf adjusts the description of a band. It drops nodata, because other numbers have the
// same magnitude as the nodata value. It also drops a scale with an offset, because an offset does
// not commute with the magnitude.
func magnitudeOf(b raster.Band) raster.Band {
	b.NoData, b.HasNoData, b.Stored = 0, false, nil
	if b.Offset != 0 {
		b.Scale, b.Offset, b.Unit = 0, 0, ""
	}
	b.Scale = math.Abs(b.Scale)
	return b
}

// Key returns the key of the source with this operation.
func (m *magnitudes) Key() string { return m.Provider.Key() + ":magnitudes" }

// Info returns the info of the source with real samples.
func (m *magnitudes) Info() *raster.Info { return &m.info }

// Blocks returns the magnitudes of the source's blocks. NaN magnitudes are invalid.
func (m *magnitudes) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	tiles, err := m.Provider.Blocks(ctx, level, ids, bands)
	if err != nil {
		return nil, err
	}
	made := make([]raster.Tile, len(tiles))
	for i, t := range tiles {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		made[i] = m.tile(t)
	}
	return made, nil
}

// HasWindows returns false: no source of complex samples has windows.
func (*magnitudes) HasWindows(int) bool { return false }

// StoredPicture returns none, since no picture has complex samples.
func (*magnitudes) StoredPicture(context.Context, int, raster.Rect) (raster.StoredPicture, bool, error) {
	return raster.StoredPicture{}, false, nil
}

func (m *magnitudes) tile(t raster.Tile) raster.Tile {
	b := raster.NewBuffer(m.info.Type, t.Width(), t.Height(), t.Bands())
	b.InheritDamage(t)
	validity := make([][]uint8, t.Bands())
	for band := range validity {
		putMagnitudes(b, t, band)
		validity[band] = t.Validity(band)
	}
	tile := b.Freeze().WithBandValidity(validity)
	for band := range validity {
		if plane := raster.MaskedValidity(tile, band, math.NaN()); plane != nil {
			validity[band] = plane
		}
	}
	return tile.WithBandValidity(validity)
}

// putMagnitudes computes magnitudes without overflow: it squares only numbers whose squares fit in
// float64.
func putMagnitudes(to *raster.Buffer, from raster.Tile, band int) {
	native, plane := binary.NativeEndian, from.Plane(band)
	if from.Type() == raster.Complex128 {
		made := raster.Writable[float64](to, band)
		for i := range made {
			number := plane[16*i : 16*i+16]
			made[i] = math.Hypot(math.Float64frombits(native.Uint64(number)), math.Float64frombits(native.Uint64(number[8:])))
		}
		return
	}
	made := raster.Writable[float32](to, band)
	switch from.Type() {
	case raster.ComplexInt16:
		for i := range made {
			number := native.Uint32(plane[4*i:])
			made[i] = magnitude(float64(int16(number)), float64(int16(number>>16)))
		}
	case raster.ComplexInt32:
		for i := range made {
			number := native.Uint64(plane[8*i:])
			made[i] = magnitude(float64(int32(number)), float64(int32(number>>32)))
		}
	default:
		for i := range made {
			number := native.Uint64(plane[8*i:])
			made[i] = magnitude(float64(math.Float32frombits(uint32(number))), float64(math.Float32frombits(uint32(number>>32))))
		}
	}
}

// magnitude returns the magnitude of a number whose squares fit in float64. It rounds each square
// separately, so that all machines compute the same.
func magnitude(re, im float64) float32 {
	return float32(math.Sqrt(float64(re*re) + float64(im*im)))
}
