package statistics

import (
	"context"
	"fmt"
	"slices"

	"tileserver/raster"
)

// maxBandsAtOnce bounds the memory that counting takes; more bands are read in turns.
const maxBandsAtOnce = 16

// Options say how statistics are taken. The zero value is the usual way.
type Options struct {
	// MaxPixels is how many pixels of a level are looked at; DefaultMaxPixels where 0.
	MaxPixels int64

	// Progress, if not nil, is told from time to time which part of the work is done.
	Progress func(part float64)
}

// Compute takes the statistics of bands of a dataset; nil bands are all of them.
//
// They are taken of the coarsest level that has 2^20 pixels, or of the finest if none has.
// If that level has more than MaxPixels, whole blocks of about as many are taken, spread
// evenly over the image. A sample counts if it is wholly covered, finite and, where the
// dataset has a band of opacity, not wholly transparent. Samples are added up in one order
// and without operations that machines round differently, so that the same pixels give the
// same bits wherever and whenever it is done.
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

// groupStatistics takes the statistics of bands that are read together.
func groupStatistics(ctx context.Context, p raster.Provider, bands []int, maxPixels int64, progress func(part float64)) ([]Band, error) {
	collectors := make([]collector, len(bands))
	for i := range bands {
		collectors[i] = newCollector(p.Info().Type)
	}
	mask := newOpacityMask(p.Info(), bands)
	passes := collectors[0].passes()
	blocks := newSample(p, mask.bandsToRead(bands), passes, maxPixels)
	for pass, again := 0, true; again; pass++ {
		err := blocks.each(ctx, func(t raster.Tile, part float64) {
			mask.read(t)
			for i, c := range collectors {
				c.add(t, i, mask.counted(t, i))
			}
			progress((float64(pass) + part) / float64(passes))
		})
		if err != nil {
			return nil, err
		}
		again = false
		for _, c := range collectors {
			again = c.endPass() || again
		}
	}
	statistics := make([]Band, len(bands))
	for i, c := range collectors {
		statistics[i] = c.statistics()
		statistics[i].Band = bands[i]
	}
	return statistics, nil
}

// OfTile is the statistics of a band of one tile.
func OfTile(t raster.Tile, band int) Band {
	c := newCollector(t.Type())
	for again := true; again; again = c.endPass() {
		c.add(t, band, t.Validity(band))
	}
	return c.statistics()
}

// collector gathers the samples of one band, in as many passes as it needs.
type collector interface {
	// add gathers the samples of a band of a tile whose coverage is whole; nil is all.
	add(t raster.Tile, band int, coverage []uint8)
	// passes is how often all tiles are added at most.
	passes() int
	// endPass tells whether all tiles must be added once more.
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
		return newSurvey[uint32](true)
	case raster.Int32:
		return newSurvey[int32](true)
	case raster.Uint64:
		return newSurvey[uint64](true)
	case raster.Int64:
		return newSurvey[int64](true)
	case raster.Float32:
		return newSurvey[float32](false)
	default:
		return newSurvey[float64](false)
	}
}
