package components

import (
	"context"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
)

// The headers of tiles are read ahead in one call, however many tiles there are. Those of a tile are at the
// beginning of each tile-part; but without the lengths of its packets, a tile is read from beginning to end.
const (
	maxWholeBytes    = minMappedBytes // of a tile that is read as a whole
	maxFarWholeBytes = 1 << 20
	maxAheadBytes    = maxReadBytes // for each tile reader
)

// ahead returns what readers of tiles need first, as far as r does not have it.
func (s *Codestream) ahead(r *prefetchReader, parts *codestream.Parts, tiles []tileKey) (ranges []packets.Range) {
	left := int64(min(len(tiles), maxTileReaders)) * maxAheadBytes
	for _, key := range tiles {
		for _, part := range s.aheadOf(r, parts, key.number) {
			if left -= part.Length; left < 0 {
				return ranges
			}
			ranges = joined(ranges, part)
		}
	}
	return ranges
}

// joined adds a range, which may continue the last one: neighbors are consecutive in most files.
func joined(ranges []packets.Range, next packets.Range) []packets.Range {
	if last := len(ranges) - 1; last >= 0 && ranges[last].Offset+ranges[last].Length == next.Offset {
		ranges[last].Length += next.Length
		return ranges
	}
	return append(ranges, next)
}

// aheadOf returns the ranges of a tile to read ahead.
func (s *Codestream) aheadOf(r *prefetchReader, parts *codestream.Parts, tile int) (ranges []packets.Range) {
	bytes := int64(0)
	for _, length := range parts.Of(tile) {
		bytes += length
	}
	whole, header := int64(maxWholeBytes), int64(jumpReadBytes)
	if r.isFar {
		whole, header = maxFarWholeBytes, farJumpReadBytes
	}
	if s.hasLengths.Load() || bytes >= minMappedBytes && bytes <= whole && s.isIndexKept(r.ctx, tile) {
		whole = minMappedBytes - 1
	}
	for offset, length := range parts.Of(tile) {
		if bytes > whole {
			length = min(length, header)
		}
		if !r.has(offset, length) {
			ranges = append(ranges, packets.Range{Offset: offset, Length: length})
		}
	}
	return ranges
}

// isIndexKept reports whether the index of a tile is stored, so that its packets need not be read.
func (s *Codestream) isIndexKept(ctx context.Context, tile int) bool {
	return s.load(ctx, tileName(tile)) != nil
}

// listed returns what to read of a far codestream that lists its tile-parts: what the list is compared with, and
// wanted tiles where it says that they are.
func (s *Codestream) listed(r *prefetchReader, parts *codestream.Parts, wanted []tileKey) (ranges []packets.Range) {
	for offset, length := range parts.Compared() {
		if !r.has(offset, length) {
			ranges = append(ranges, packets.Range{Offset: offset, Length: length})
		}
	}
	return append(ranges, s.ahead(r, parts, wanted)...)
}
