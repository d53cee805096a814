package decoder

import (
	"encoding/binary"
	"fmt"

	"tileserver/codec/webp/vp8l"
)

// entropyImage is a lossless image that is being decoded: literal pixels, copies of earlier pixels,
// and pixels from a color cache.
type entropyImage struct {
	pixels       []uint32
	width        int
	cacheBits    int
	cache        []uint32
	groups       []codeGroup
	groupIndexes []uint32 // per cell; nil if there is only one group
	cellBits     int
	cellsWide    int
}

// read decodes all pixels.
func (m *entropyImage) read(r *bitReader) error {
	x, y, cached := 0, 0, 0 // pixels before index cached are in the cache
	for at := 0; at < len(m.pixels); {
		group, sameGroup := m.groupAt(x, y)
		cached = m.addToCache(cached, at)
		n := m.readRun(r, group, at, min(at+sameGroup, len(m.pixels)))
		cached += n
		if n == 0 {
			var err error
			if n, err = m.readOne(r, group, at); err != nil {
				return err
			}
		}
		at += n
		if x += n; x < m.width {
			continue
		}
		y += x / m.width
		x %= m.width
		if r.ended() {
			return fmt.Errorf("data end in row %d: %w", y, ErrCorrupt)
		}
	}
	return nil
}

// readRun decodes literal and cached pixels from index from up to index to, and adds literals to
// the cache. It stops at a copy, or when the data run short. It returns the number of pixels
// decoded.
func (m *entropyImage) readRun(r *bitReader, group *codeGroup, from, to int) int {
	const wordBytes = 8
	pixels := m.pixels[from:to]
	data, value, count, next := r.data, r.value, r.count, 0
	cache, cacheShift := m.cache, 32-m.cacheBits
	n := 0
	for n < len(pixels) && next+2*wordBytes <= len(data) {
		value |= binary.LittleEndian.Uint64(data[next:]) << (count & 63)
		next += (63 - count) >> 3
		count |= 56
		green := group.green.find(value)
		if symbol := green.value(); symbol >= vp8l.Literals {
			if symbol < vp8l.Literals+vp8l.LengthPrefixes {
				break
			}
			value >>= green.length() & 63
			count -= green.length()
			pixels[n] = cache[symbol-vp8l.Literals-vp8l.LengthPrefixes]
			n++
			continue
		}
		left := value >> (green.length() & 63)
		red := group.red.find(left)
		left >>= red.length() & 63
		blue := group.blue.find(left)
		left >>= blue.length() & 63
		count -= green.length() + red.length() + blue.length()
		if count < maxCodeLength {
			left |= binary.LittleEndian.Uint64(data[next:]) << (count & 63)
			next += (63 - count) >> 3
			count |= 56
		}
		alpha := group.alpha.find(left)
		value = left >> (alpha.length() & 63)
		count -= alpha.length()
		p := uint32(alpha.value())<<24 | uint32(red.value())<<16 | uint32(green.value())<<8 | uint32(blue.value())
		pixels[n] = p
		n++
		if len(cache) > 0 {
			cache[p*vp8l.CacheFactor>>(cacheShift&31)] = p
		}
	}
	r.data, r.value, r.count = data[next:], value, count
	return n
}

// readOne decodes one pixel or one copy. It returns the number of pixels.
func (m *entropyImage) readOne(r *bitReader, group *codeGroup, at int) (int, error) {
	green := group.green.symbol(r)
	switch {
	case green < vp8l.Literals:
		red, blue, alpha := group.red.symbol(r), group.blue.symbol(r), group.alpha.symbol(r)
		m.pixels[at] = uint32(alpha)<<24 | uint32(red)<<16 | uint32(green)<<8 | uint32(blue)
	case green < vp8l.Literals+vp8l.LengthPrefixes:
		return m.copyBackward(r, group, green-vp8l.Literals, at)
	default:
		m.pixels[at] = m.cache[green-vp8l.Literals-vp8l.LengthPrefixes]
	}
	return 1, nil
}

// groupAt returns the group of codes for a pixel, and the number of pixels from there on in the row
// that use the same group.
func (m *entropyImage) groupAt(x, y int) (group *codeGroup, sameGroup int) {
	rest := m.width - x
	if m.groupIndexes == nil {
		return &m.groups[0], rest
	}
	cell := x >> m.cellBits
	return &m.groups[m.groupIndexes[y>>m.cellBits*m.cellsWide+cell]], min((cell+1)<<m.cellBits-x, rest)
}

// addToCache adds the pixels in [from, to) to the cache, and returns to.
func (m *entropyImage) addToCache(from, to int) int {
	if m.cacheBits == 0 {
		return to
	}
	for _, p := range m.pixels[from:to] {
		m.cache[p*vp8l.CacheFactor>>(32-m.cacheBits)] = p
	}
	return to
}

// copyBackward copies earlier pixels. It returns the number of pixels.
func (m *entropyImage) copyBackward(r *bitReader, group *codeGroup, prefix, at int) (int, error) {
	n := prefixed(r, prefix)
	distance := m.distance(prefixed(r, group.distance.symbol(r)))
	if distance > at || n > len(m.pixels)-at {
		return 0, fmt.Errorf("a copy of %d pixels from %d before pixel %d of %d: %w", n, distance, at, len(m.pixels), ErrCorrupt)
	}
	to := m.pixels[at : at+n]
	if distance >= n {
		copy(to, m.pixels[at-distance:])
		return n, nil
	}
	from := m.pixels[at-distance:]
	for i := range to {
		to[i] = from[i]
	}
	return n, nil
}

// prefixed decodes a length or distance. symbol holds its highest bits; the rest follows as plain
// bits.
func prefixed(r *bitReader, symbol int) int {
	if symbol < 4 {
		return symbol + 1
	}
	extra := (symbol - 2) >> 1
	return (2+symbol&1)<<extra + r.uint(extra) + 1
}

// distance converts a distance code to a number of pixels. The first codes stand for positions
// close to the pixel.
func (m *entropyImage) distance(code int) int {
	if code > len(vp8l.Nearby) {
		return code - len(vp8l.Nearby)
	}
	position := int(vp8l.Nearby[code-1])
	return max(position>>4*m.width+8-position&15, 1)
}
