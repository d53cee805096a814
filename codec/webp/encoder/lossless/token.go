package lossless

import (
	"math/bits"

	"tileserver/codec/webp/vp8l"
)

const (
	maxCacheBits = 10
	maxCopy      = 4096 // in pixels
)

// token is a literal pixel, a cached pixel, or a copy of earlier pixels.
type token struct {
	value  uint32 // the pixel, its cache index, or the code of the distance
	length uint16 // literal, cached, or the number of pixels of a copy
}

// Lengths of tokens that are not copies.
const (
	literal = 0
	cached  = 1
)

// pixels returns the number of pixels that a token represents.
func (t token) pixels() int { return max(int(t.length), 1) }

// prefix splits a length or distance code, which is at least 1, into a symbol and extra bits.
func prefix(value uint32) (symbol int, extra uint32, extraBits uint) {
	if value <= 4 {
		return int(value - 1), 0, 0
	}
	value--
	highest := uint(bits.Len32(value)) - 1
	extraBits = highest - 1
	return int(2*highest + uint(value>>extraBits&1)), value & (1<<extraBits - 1), extraBits
}

const (
	nearRows     = 8
	nearColumns  = 8 // to the left; to the right there is one less
	maxNearRange = 2*nearColumns + 1
)

// nearCode holds the distance codes of nearby pixels, by rows above and by columns to the left,
// shifted to start at 0.
var nearCode = func() (codes [nearRows][maxNearRange]uint8) {
	for i, position := range vp8l.Nearby {
		codes[position>>4][2*nearColumns-position&15] = uint8(i + 1)
	}
	return codes
}()

// distanceCode returns the code of a distance in pixels.
func distanceCode(distance, width int) uint32 {
	up, left := distance/width, distance%width
	if up < nearRows && left <= nearColumns {
		return uint32(nearCode[up][nearColumns+left])
	}
	if right := width - left; up < nearRows-1 && right < nearColumns {
		return uint32(nearCode[up+1][nearColumns-right])
	}
	return uint32(distance + len(vp8l.Nearby))
}
