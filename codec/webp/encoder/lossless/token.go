package lossless

import "math/bits"

const (
	literals       = 256
	lengthPrefixes = 24
	distanceCodes  = 40
	maxCacheBits   = 10
	maxCopy        = 4096 // in pixels
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
	nearCodes    = 120
	maxNearRange = 2*nearColumns + 1
)

// nearCode holds the distance codes of nearby pixels, by rows above and by columns to the left,
// shifted to start at 0.
var nearCode = numberNear()

// numberNear assigns the codes by increasing distance. Pixels higher up come first among equals,
// and left comes before right.
func numberNear() (codes [nearRows][maxNearRange]uint8) {
	next := uint8(1)
	for square := 1; next <= nearCodes; square++ {
		for up := nearRows - 1; up >= 0; up-- {
			for left := nearColumns; left > 0; left-- {
				if left*left+up*up != square {
					continue
				}
				codes[up][nearColumns+left] = next
				next++
				if left < nearColumns && up > 0 {
					codes[up][nearColumns-left] = next
					next++
				}
			}
			if up*up == square {
				codes[up][nearColumns] = next
				next++
			}
		}
	}
	return codes
}

// distanceCode returns the code of a distance in pixels.
func distanceCode(distance, width int) uint32 {
	up, left := distance/width, distance%width
	if up < nearRows && left <= nearColumns {
		return uint32(nearCode[up][nearColumns+left])
	}
	if right := width - left; up < nearRows-1 && right < nearColumns {
		return uint32(nearCode[up+1][nearColumns-right])
	}
	return uint32(distance + nearCodes)
}
