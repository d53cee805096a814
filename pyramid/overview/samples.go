package overview

import (
	"encoding/binary"
	"math"

	"tileserver/raster"
)

// noSamples returns the intervals of bands without samples.
func noSamples(bands int) []raster.Interval {
	all := make([]raster.Interval, bands)
	for band := range all {
		all[band] = raster.NoNumbers()
	}
	return all
}

// samplesIn returns of which stored samples the pixels to be halved are made, or nil if that is not told.
// The zero Tile has none.
func (g *groupBuilder) samplesIn(tile raster.Tile) []raster.Interval {
	switch {
	case !g.config.TellsSamples:
		return nil
	case tile.IsZero():
		return noSamples(len(g.bands))
	case g.level > g.native:
		return tile.MadeOf()
	}
	all := make([]raster.Interval, tile.Bands())
	for band := range all {
		all[band] = tile.ValidSamples(band)
	}
	return all
}

// joinSamples adds intervals to those of the same bands. It returns nil if either is unknown.
func joinSamples(to, more []raster.Interval) []raster.Interval {
	if to == nil || more == nil {
		return nil
	}
	for band := range to {
		to[band] = to[band].Join(more[band])
	}
	return to
}

const intervalBytes = 16

// appendSamples appends intervals as they are saved.
func appendSamples(value []byte, all []raster.Interval) []byte {
	for _, samples := range all {
		value = binary.LittleEndian.AppendUint64(value, math.Float64bits(samples.Low))
		value = binary.LittleEndian.AppendUint64(value, math.Float64bits(samples.High))
	}
	return value
}

// decodeSamples returns the intervals of bands, or nil if none are saved.
func decodeSamples(value []byte, bands int) (all []raster.Interval, ok bool) {
	if len(value) == 0 || len(value) != bands*intervalBytes {
		return nil, len(value) == 0
	}
	for ; len(value) > 0; value = value[intervalBytes:] {
		all = append(all, raster.Interval{
			Low:  math.Float64frombits(binary.LittleEndian.Uint64(value)),
			High: math.Float64frombits(binary.LittleEndian.Uint64(value[intervalBytes/2:])),
		})
	}
	return all, true
}
