package wrap

import (
	"context"
	"encoding/binary"
	"math"

	"tileserver/raster"
)

// spread is a wrapper that scales samples of fewer than eight bits to bytes from 0 to 255.
// Downsampling then has grays to choose from: black and white as 0 and 1 have nothing between them.
type spread struct {
	raster.Wrapper
	info   raster.Info
	table  [256]uint8
	factor uint64 // multiplier of samples, or 0 if it is not an integer
}

// Spread returns source with scaled samples. It returns source itself if its samples have eight
// bits or more, or are classes. A cache may lie above or below it, since scaled blocks take the
// same memory.
func Spread(source raster.Provider) raster.Provider {
	info := source.Info()
	if info.Type != raster.Uint8 || info.Bits <= 0 || info.Bits >= 8 || !areAmounts(info) {
		return source
	}
	maxSample := 1<<info.Bits - 1
	s := &spread{Wrapper: raster.Over(source), info: *info}
	if raster.Valid%maxSample == 0 {
		s.factor = uint64(raster.Valid / maxSample)
	}
	for v := range s.table {
		s.table[v] = uint8((min(v, maxSample)*raster.Valid + maxSample/2) / maxSample)
	}
	s.info.Bits, s.info.Spread = 0, float64(raster.Valid)/float64(maxSample)
	s.info.Pad, _ = s.sample(info.Pad)
	s.info.Bands = make([]raster.Band, len(info.Bands))
	for i, band := range info.Bands {
		s.info.Bands[i] = s.band(band)
	}
	return s
}

// areAmounts reports whether values between samples are meaningful.
func areAmounts(info *raster.Info) bool {
	return info.Colors.Space == raster.RGB && !info.IsClassified(nil)
}

// sample returns the scaled value of a sample. It returns false if v is not a possible sample.
func (s *spread) sample(v float64) (float64, bool) {
	if v != math.Trunc(v) || v < 0 || math.Round(v*s.info.Spread) > raster.Valid {
		return 0, false
	}
	return float64(s.table[uint8(v)]), true
}

// band returns the description of a band with scaled samples.
func (s *spread) band(b raster.Band) raster.Band {
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

func (s *spread) noData(b raster.Band) (float64, bool) {
	if !b.HasNoData {
		return 0, false
	}
	return s.sample(b.NoData)
}

// Key returns the key of the source with this operation.
func (s *spread) Key() string { return s.Provider.Key() + ":spread" }

// Info returns the info of the source with samples of eight bits.
func (s *spread) Info() *raster.Info { return &s.info }

// Blocks scales the samples of the source's blocks.
func (s *spread) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	tiles, err := s.Provider.Blocks(ctx, level, ids, bands)
	if err != nil {
		return nil, err
	}
	scaled := make([]raster.Tile, len(tiles))
	for i, t := range tiles {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		scaled[i] = s.tile(t)
	}
	return scaled, nil
}

// Window scales the samples of a window of the source.
func (s *spread) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	t, err := s.Wrapper.Window(ctx, level, rect, bands)
	if err != nil {
		return raster.Tile{}, err
	}
	return s.tile(t), nil
}

// StoredPicture returns none, since a browser would show the samples as they are stored.
func (*spread) StoredPicture(context.Context, int, raster.Rect) (raster.StoredPicture, bool, error) {
	return raster.StoredPicture{}, false, nil
}

func (s *spread) tile(t raster.Tile) raster.Tile {
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

// plane scales samples, eight at once if the factor is an integer. There are no carries between
// bytes, since the largest result is 255.
func (s *spread) plane(to, from []uint8) {
	if s.factor != 0 {
		const each = 0x0101010101010101
		maxSample := each * (raster.Valid / s.factor)
		for ; len(from) >= 8; to, from = to[8:], from[8:] {
			binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(from)&maxSample*s.factor)
		}
	}
	for i, v := range from {
		to[i] = s.table[v]
	}
}
