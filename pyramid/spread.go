package pyramid

import (
	"context"
	"encoding/binary"
	"math"

	"tileserver/raster"
)

// Spread gives the samples of a provider that have fewer than eight bits as bytes
// from 0 to 255, so that there are grays between them for what is shrunk: the black
// and the white of a scan have nothing between them as 0 and 1.
type Spread struct {
	source raster.Provider
	info   raster.Info
	table  [256]uint8
	factor uint64 // that samples are multiplied by, or 0 where that is no whole number
}

var _ raster.SparseProvider = (*Spread)(nil)

// NewSpread returns source with its samples spread, or source itself where there is
// nothing to spread, or samples are not amounts. A cache belongs below it, or above
// it: they take the same room.
func NewSpread(source raster.Provider) raster.Provider {
	info := source.Info()
	if info.Type != raster.Uint8 || info.Bits <= 0 || info.Bits >= 8 || !areAmounts(info) {
		return source
	}
	most := 1<<info.Bits - 1
	s := &Spread{source: source, info: *info}
	if raster.Valid%most == 0 {
		s.factor = uint64(raster.Valid / most)
	}
	for v := range s.table {
		s.table[v] = uint8((min(v, most)*raster.Valid + most/2) / most)
	}
	s.info.Bits, s.info.Spread = 0, float64(raster.Valid)/float64(most)
	s.info.Pad, _ = s.sample(info.Pad)
	s.info.Bands = make([]raster.Band, len(info.Bands))
	for i, band := range info.Bands {
		s.info.Bands[i] = s.band(band)
	}
	return s
}

// areAmounts reports whether there is a meaning to samples that lie between others.
func areAmounts(info *raster.Info) bool {
	return info.Colors.Space == raster.RGB && !info.IsClassified(nil)
}

// sample returns what a stored sample becomes. It is false if no sample is stored like
// that.
func (s *Spread) sample(v float64) (float64, bool) {
	if v != math.Trunc(v) || v < 0 || math.Round(v*s.info.Spread) > raster.Valid {
		return 0, false
	}
	return float64(s.table[uint8(v)]), true
}

// band returns what is said of spread samples of a band.
func (s *Spread) band(b raster.Band) raster.Band {
	b.NoData, b.HasNoData = s.noData(b)
	b.Scale /= s.info.Spread
	if b.Stored != nil {
		b.Stored = &raster.StoredStatistics{
			Min: b.Stored.Min * s.info.Spread, Max: b.Stored.Max * s.info.Spread,
			Mean: b.Stored.Mean * s.info.Spread, StdDev: b.Stored.StdDev * s.info.Spread,
		}
	}
	return b
}

func (s *Spread) noData(b raster.Band) (float64, bool) {
	if !b.HasNoData {
		return 0, false
	}
	return s.sample(b.NoData)
}

// Key returns the source's, with what is done to its samples.
func (s *Spread) Key() string { return s.source.Key() + ":spread" }

// Info returns the source's with samples of eight bits.
func (s *Spread) Info() *raster.Info { return &s.info }

// Blocks spreads the samples of the source's blocks.
func (s *Spread) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	tiles, err := s.source.Blocks(ctx, level, ids, bands)
	if err != nil {
		return nil, err
	}
	spread := make([]raster.Tile, len(tiles))
	for i, t := range tiles {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		spread[i] = s.tile(t)
	}
	return spread, nil
}

// Empty returns the source's.
func (s *Spread) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	return isEmpty(ctx, s.source, level, rect)
}

// Kept is about the source's blocks: spreading them is little work.
func (s *Spread) Kept(level int, ids []raster.BlockID, bands []int) []bool {
	return keptBy(s.source, level, ids, bands)
}

func (s *Spread) tile(t raster.Tile) raster.Tile {
	b := raster.NewBuffer(raster.Uint8, t.Width(), t.Height(), t.Bands())
	b.InheritDamage(t)
	validity := make([][]uint8, t.Bands())
	for band := range validity {
		s.plane(b.Plane(band), t.Plane(band))
		validity[band] = t.Validity(band)
	}
	if !t.HasOwnValidity() {
		b.SetValidity(t.Validity(0))
		return b.Freeze()
	}
	return b.Freeze().WithBandValidity(validity)
}

// plane spreads samples, eight at once where that is to multiply them: none of them
// has a carry, since the largest becomes 255.
func (s *Spread) plane(to, from []uint8) {
	if s.factor != 0 {
		const each = 0x0101010101010101
		most := each * (raster.Valid / s.factor)
		for ; len(from) >= 8; to, from = to[8:], from[8:] {
			binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(from)&most*s.factor)
		}
	}
	for i, v := range from {
		to[i] = s.table[v]
	}
}
