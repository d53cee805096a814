package components

import (
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
	"tileserver/source"
)

// Tile-parts that no table lists form a chain: each tells where the next one begins, so far away each one takes a
// round trip. It takes fewer to follow the chain from several places at a time, where tile-parts seem to begin.
// All of that is only read ahead: the search begins at the first tile-part, and what is not on its way counts
// for nothing.
const (
	maxWindows      = 8 // in which tile-parts are looked for
	maxWindowsBytes = 8 << 20
	minWindowParts  = 4 // tile-parts for each window; for fewer it gains too little
	maxRounds       = 256
)

// followChains reads the beginnings of tile-parts ahead, if they lie so far apart that the search would take a
// round trip for each.
func (s *Codestream) followChains(r *prefetchReader) error {
	first, err := r.Peek(s.header.Length, codestream.PartStartBytes)
	if err != nil {
		return err
	}
	length := s.header.PartLength(first)
	if length <= source.TripBytes {
		return nil
	}
	windows := s.windows(length)
	if err := s.prefetch(r, windows); err != nil {
		return err
	}
	c := chains{s, r, make(map[int64]bool)}
	ends := c.arrive(nil, s.header.Length)
	for _, w := range windows {
		if at := s.header.FindPart(r.parts.from(w.Offset, w.Length)); at >= 0 {
			ends = c.arrive(ends, w.Offset+int64(at))
		}
	}
	return c.follow(ends)
}

// windows returns where to look for tile-parts if they have about the same length.
func (s *Codestream) windows(length int64) (windows []packets.Range) {
	bytes := length + length/2
	rest := s.extent.Length - s.header.Length
	count := min(maxWindows, maxWindowsBytes/bytes, rest/length/minWindowParts)
	for i := int64(1); i < count; i++ {
		offset := s.header.Length + i*(rest/count)
		windows = append(windows, packets.Range{Offset: offset, Length: min(bytes, s.extent.Length-offset)})
	}
	return windows
}

// chains follows chains of tile-parts.
type chains struct {
	stream *Codestream
	reader *prefetchReader
	passed map[int64]bool // where tile-parts begin
}

// follow reads on at the ends of chains, until each ends or comes to where another one was.
func (c *chains) follow(ends []int64) error {
	for range maxRounds {
		if len(ends) == 0 {
			break
		}
		ranges := make([]packets.Range, len(ends))
		for i, at := range ends {
			ranges[i] = packets.Range{Offset: at, Length: codestream.PartStartBytes}
		}
		if err := c.stream.prefetch(c.reader, ranges); err != nil {
			return err
		}
		ends = ends[:0]
		for _, of := range ranges {
			ends = c.arrive(ends, of.Offset)
		}
	}
	return nil
}

// arrive follows a chain as far as it is in memory, and appends where it goes on.
func (c *chains) arrive(ends []int64, at int64) []int64 {
	for at <= c.stream.extent.Length-codestream.PartStartBytes && !c.passed[at] {
		start := c.reader.inMemory(at, codestream.PartStartBytes)
		if start == nil {
			return append(ends, at)
		}
		c.passed[at] = true
		length := c.stream.header.PartLength(start)
		if length == 0 {
			break
		}
		at += length
	}
	return ends
}
