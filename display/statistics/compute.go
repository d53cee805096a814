package statistics

import (
	"context"
	"fmt"
	"slices"

	"tileserver/raster"
)

// maxBandsAtOnce limits the memory of the collectors. More bands are read in groups.
const maxBandsAtOnce = 16

// Options control how statistics are computed. The zero value is the default.
type Options struct {
	// MaxPixels limits the pixels read from a level. 0 is DefaultMaxPixels.
	MaxPixels int64

	// Progress, if not nil, is called now and then with the completed fraction of the work.
	Progress func(part float64)
}

// Compute computes the statistics of bands of a dataset. Nil bands means all.
//
// It reads the coarsest level with at least 2^20 pixels, or the finest if none has as many. If
// that level has more than MaxPixels, it reads about as many pixels in whole blocks, spread evenly
// over the image. A sample counts if it is fully covered and finite. In a dataset with an opacity
// band, fully transparent samples do not count.
//
// Equal pixels give equal bits on every machine: samples are added in a fixed order, and no
// operation depends on the rounding of a processor.
func Compute(ctx context.Context, p raster.Provider, bands []int, o Options) (*Dataset, error) {
	info := p.Info()
	if bands == nil {
		bands = info.AllBands()
	}
	if err := info.CheckRequest(0, nil, bands); err != nil {
		return nil, fmt.Errorf("statistics: %w", err)
	}
	if o.MaxPixels <= 0 {
		o.MaxPixels = DefaultMaxPixels
	}
	bands = slices.Compact(slices.Sorted(slices.Values(bands)))
	all := &Dataset{Bands: make([]Band, 0, len(bands))}
	for group := range slices.Chunk(bands, maxBandsAtOnce) {
		done := float64(len(all.Bands)) / float64(len(bands))
		share := float64(len(group)) / float64(len(bands))
		statistics, err := groupStatistics(ctx, p, group, o.MaxPixels, func(part float64) {
			if o.Progress != nil {
				o.Progress(done + float64(part*share))
			}
		})
		if err != nil {
			return nil, err
		}
		all.Bands = append(all.Bands, statistics...)
	}
	return all, nil
}

// groupStatistics computes the statistics of bands that are read together.
func groupStatistics(ctx context.Context, p raster.Provider, bands []int, maxPixels int64, progress func(part float64)) ([]Band, error) {
	collectors := make([]collector, len(bands))
	for i := range bands {
		collectors[i] = newCollector(p.Info().Type)
	}
	mask := newOpacityMask(p.Info(), bands)
	passes := collectors[0].passes()
	blocks := newSample(p, mask.bandsToRead(bands), passes, maxPixels)
	for pass, more := 0, true; more; pass++ {
		err := blocks.each(ctx, func(t raster.Tile, part float64) {
			mask.read(t)
			for i, c := range collectors {
				c.add(t, i, mask.coverage(t, i))
			}
			progress((float64(pass) + part) / float64(passes))
		})
		if err != nil {
			return nil, err
		}
		more = false
		for _, c := range collectors {
			more = c.endPass() || more
		}
	}
	statistics := make([]Band, len(bands))
	for i, c := range collectors {
		statistics[i] = c.statistics()
		statistics[i].Band = bands[i]
	}
	return statistics, nil
}

// OfTile computes the statistics of a band of one tile.
func OfTile(t raster.Tile, band int) Band {
	c := newCollector(t.Type())
	for more := true; more; more = c.endPass() {
		c.add(t, band, t.Validity(band))
	}
	return c.statistics()
}

// A collector collects the samples of one band, in as many passes as it needs.
type collector interface {
	// add adds the samples of a band of a tile that are fully covered. Nil coverage means all.
	add(t raster.Tile, band int, coverage []uint8)
	// passes returns the maximum number of passes over all tiles.
	passes() int
	// endPass reports whether another pass over all tiles is needed.
	endPass() bool
	statistics() Band
}

func newCollector(t raster.DataType) collector {
	switch t {
	case raster.Uint8:
		return newCounter[uint8](t)
	case raster.Int8:
		return newCounter[int8](t)
	case raster.Uint16:
		return newCounter[uint16](t)
	case raster.Int16:
		return newCounter[int16](t)
	case raster.Uint32:
		return newTwoPassCollector[uint32](true)
	case raster.Int32:
		return newTwoPassCollector[int32](true)
	case raster.Uint64:
		return newTwoPassCollector[uint64](true)
	case raster.Int64:
		return newTwoPassCollector[int64](true)
	case raster.Float32:
		return newTwoPassCollector[float32](false)
	default:
		return newTwoPassCollector[float64](false)
	}
}
