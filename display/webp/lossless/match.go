package lossless

import "math/bits"

const (
	hashBits    = 14
	maxDistance = 1<<20 - nearCodes
	minMatch    = 2  // pixels
	goodMatch   = 64 // is good enough not to look for a better one
	chainSteps  = 8

	// boldness is how many searches in vain make the search take another step over pixels: noise has nothing worth
	// copying.
	boldness = 32

	// denseInserts is how many pixels at the beginning of a copy can be found again.
	denseInserts = 32

	// bitsOfCopy is about what a copy takes for its length and the class of its distance.
	bitsOfCopy = 6

	// What a pixel that might be copied would take. It is less than the average of the others, for a picture that has
	// much to copy has little that surprises.
	bitsOfPacked = 3 // of several numbers
	bitsOfPixel  = 8
)

// matcher finds pixels that have come before.
type matcher struct {
	pixels       []pixel
	width        int
	bitsPerPixel int

	tokens []token
	heads  [1 << hashBits]uint32 // one more than the last place of pixels with a hash; 0 for none
	before []uint32              // the same, for the place before that

	inserted    int // places before this one are found, or shall not be
	misses      int // searches in vain since the last that was not
	silentUntil int // the next place that is worth a search
}

// match is a copy, and the bits that it saves.
type match struct {
	length int
	code   uint32
	saving int
}

// begin makes a matcher of other pixels, each of which takes about so many bits.
func (m *matcher) begin(pixels []pixel, width, bitsPerPixel int) {
	m.pixels, m.width, m.bitsPerPixel = pixels, width, bitsPerPixel
	m.tokens = sized(m.tokens, len(pixels))
}

// forget makes ready to search.
func (m *matcher) forget() {
	m.before = sized(m.before, len(m.pixels))
	clear(m.heads[:])
	m.inserted, m.misses, m.silentUntil = 0, 0, 0
}

// find returns what can be copied to a place, if there is anything that saves bits.
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
	m.silentUntil = at + 1 + m.misses/boldness
	return best
}

// repeated looks at what is to the left and above.
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

// search looks at some places where the same pixels have been, the last first.
func (m *matcher) search(at int, best match) match {
	longest := max(best.length, 1)
	place := m.heads[m.hash(at)]
	for range chainSteps {
		earlier := int(place) - 1
		if earlier < 0 || at-earlier > maxDistance || at+longest >= len(m.pixels) || longest >= goodMatch {
			break
		}
		if m.pixels[earlier+longest] == m.pixels[at+longest] {
			if length := m.common(at, earlier); length > longest {
				best, longest = m.better(best, length, at-earlier), length
			}
		}
		place = m.before[earlier]
	}
	return best
}

// better returns whichever saves more: the best so far, or another copy.
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

// common returns how many pixels from at on are as those from an earlier place.
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

// hash is of two pixels.
func (m *matcher) hash(at int) uint64 {
	pair := uint64(m.pixels[at])<<32 | uint64(m.pixels[at+1])
	return bits.RotateLeft64(pair, 23) * 0x9e3779b97f4a7c15 >> (64 - hashBits)
}

// insert makes a place found from now on.
func (m *matcher) insert(at int) {
	head := &m.heads[m.hash(at)]
	m.before[at] = *head
	*head = uint32(at + 1)
	m.inserted = at + 1
}

// insertCopied inserts the first places of a copy that are not yet.
func (m *matcher) insertCopied(at, length int) {
	end := min(at+min(length, denseInserts), len(m.pixels)-1)
	for place := max(at, m.inserted); place < end; place++ {
		m.insert(place)
	}
}
