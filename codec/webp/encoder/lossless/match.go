package lossless

import (
	"math/bits"

	"tileserver/codec/webp/vp8l"
	"tileserver/internal/reuse"
)

const (
	hashBits    = 14
	maxDistance = 1<<20 - len(vp8l.Nearby)
	minMatch    = 2  // in pixels
	goodMatch   = 64 // long enough to stop searching
	chainSteps  = 8

	// missesPerSkip is the number of unsuccessful searches after which the search skips one more
	// pixel each time. Noise has nothing worth copying.
	missesPerSkip = 32

	// maxInserts is the number of pixels at the start of a copy that are added to the hash chains.
	maxInserts = 32

	// bitsOfCopy estimates the size of a copy, without the extra bits of its distance.
	bitsOfCopy = 6

	// Estimated sizes of a pixel that might be copied. They are lower than those of an average
	// pixel, since pictures with many copies are more predictable.
	bitsOfPacked = 3 // with several indexes
	bitsOfPixel  = 8
)

// matcher finds repeated pixels.
type matcher struct {
	pixels       []pixel
	width        int
	bitsPerPixel int

	tokens   []token
	heads    [1 << hashBits]uint32 // per hash, the index of the last pixel plus one; 0 for none
	previous []uint32              // per pixel, the previous one with the same hash, likewise

	inserted    int // pixels before this index are in the chains or stay out of them
	misses      int // unsuccessful searches since the last success
	silentUntil int // index of the next pixel that is searched for
}

// match is a copy and the number of bits that it saves.
type match struct {
	length int
	code   uint32
	saving int
}

// begin sets the pixels to search, and the estimated bits per pixel.
func (m *matcher) begin(pixels []pixel, width, bitsPerPixel int) {
	m.pixels, m.width, m.bitsPerPixel = pixels, width, bitsPerPixel
	m.tokens = reuse.Slice(m.tokens, len(pixels))
}

// reset prepares the hash chains.
func (m *matcher) reset() {
	m.previous = reuse.Slice(m.previous, len(m.pixels))
	clear(m.heads[:])
	m.inserted, m.misses, m.silentUntil = 0, 0, 0
}

// find returns the best copy for the pixels from at on. Its saving is not positive if no copy saves
// bits.
func (m *matcher) find(at int) match {
	best := m.repeated(at)
	if best.length >= goodMatch || at < m.silentUntil || at+minMatch > len(m.pixels) {
		return best
	}
	best = m.search(at, best)
	m.insert(at)
	if m.misses++; best.saving > 0 {
		m.misses = 0
	}
	m.silentUntil = at + 1 + m.misses/missesPerSkip
	return best
}

// repeated tries to copy from the left and from above.
func (m *matcher) repeated(at int) (best match) {
	if at >= len(m.pixels) {
		return best
	}
	p := m.pixels[at]
	if at > 0 && p == m.pixels[at-1] {
		best = m.better(best, m.common(at, at-1), 1)
	}
	if at >= m.width && p == m.pixels[at-m.width] && best.length < goodMatch {
		best = m.better(best, m.common(at, at-m.width), m.width)
	}
	return best
}

// search tries the most recent positions with the same hash.
func (m *matcher) search(at int, best match) match {
	longest := max(best.length, 1)
	position := m.heads[m.hash(at)]
	for range chainSteps {
		earlier := int(position) - 1
		if earlier < 0 || at-earlier > maxDistance || at+longest >= len(m.pixels) || longest >= goodMatch {
			break
		}
		if m.pixels[earlier+longest] == m.pixels[at+longest] {
			if length := m.common(at, earlier); length > longest {
				best, longest = m.better(best, length, at-earlier), length
			}
		}
		position = m.previous[earlier]
	}
	return best
}

// better returns the best match so far or a copy of the given length and distance, whichever saves
// more.
func (m *matcher) better(best match, length, distance int) match {
	if length < minMatch {
		return best
	}
	code := distanceCode(distance, m.width)
	if saving := length*m.bitsPerPixel - bitsOfCopy - bits.Len32(code); saving > best.saving {
		return match{length, code, saving}
	}
	return best
}

// common returns the number of equal pixels from at and from earlier on.
func (m *matcher) common(at, earlier int) int {
	ahead := m.pixels[at:min(at+maxCopy, len(m.pixels))]
	behind := m.pixels[earlier:][:len(ahead)]
	for i, p := range ahead {
		if p != behind[i] {
			return i
		}
	}
	return len(ahead)
}

// hash returns the hash of two pixels.
func (m *matcher) hash(at int) uint64 {
	pair := uint64(m.pixels[at])<<32 | uint64(m.pixels[at+1])
	return bits.RotateLeft64(pair, 23) * 0x9e3779b97f4a7c15 >> (64 - hashBits)
}

// insert adds a position to its hash chain.
func (m *matcher) insert(at int) {
	head := &m.heads[m.hash(at)]
	m.previous[at] = *head
	*head = uint32(at + 1)
	m.inserted = at + 1
}

// insertCopied adds the first positions of a copy to the hash chains.
func (m *matcher) insertCopied(at, length int) {
	end := min(at+min(length, maxInserts), len(m.pixels)-1)
	for position := max(at, m.inserted); position < end; position++ {
		m.insert(position)
	}
}
