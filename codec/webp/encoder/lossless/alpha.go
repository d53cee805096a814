package lossless

import (
	"fmt"

	"tileserver/codec/webp/vp8l"
	"tileserver/internal/reuse"
)

// alphaFilter is the predictor whose prediction is subtracted from alpha samples: the left
// neighbor, the one above, or the gradient of the three neighbors.
type alphaFilter uint8

const (
	filterNone alphaFilter = iota
	filterHorizontal
	filterVertical
	filterGradient
	alphaFilterCount
)

const (
	alphaRaw        = 0
	alphaCompressed = 1
	alphaFilterBits = 2 // position of the filter in the first byte

	// maxMaskValues is the number of distinct samples up to which alpha counts as a mask. The steps
	// of a mask are abrupt, so filters would only create more distinct values.
	maxMaskValues = 16

	sampledAlphaRows = 32
)

// EncodeAlpha appends the content of an ALPH chunk to dst. alpha holds the samples row by row
// without gaps. They are filtered and written as the green channel of a stream without header, or
// uncompressed if that is shorter. If it fails, it returns dst unchanged.
func (e *Encoder) EncodeAlpha(dst, alpha []byte, width, height int) ([]byte, error) {
	if err := validateLayout(width, height, width, width, len(alpha)); err != nil {
		return dst, err
	}
	if len(alpha) != width*height {
		return dst, fmt.Errorf("%w: %d bytes for %d x %d alpha samples", ErrImage, len(alpha), width, height)
	}
	filter := e.chooseAlphaFilter(alpha, width)
	e.start(append(dst, alphaCompressed|byte(filter)<<alphaFilterBits))
	e.source = reuse.Slice(e.source, len(alpha))
	for y := range height {
		for x, level := range e.filterAlpha(alpha, width, y, filter) {
			e.source[y*width+x] = pixel(level) << 8
		}
	}
	e.writeSource(width)
	out := e.finish()
	if len(out)-len(dst) <= 1+len(alpha) {
		return out, nil
	}
	return append(append(dst, alphaRaw), alpha...), nil
}

// filterAlpha returns a row minus its prediction. The result is valid until the next call.
func (e *Encoder) filterAlpha(alpha []byte, width, y int, filter alphaFilter) []byte {
	row := alpha[y*width:][:width]
	if filter == filterNone {
		return row
	}
	e.filtered = reuse.Slice(e.filtered, width)
	to := e.filtered
	if y == 0 {
		to[0] = row[0]
		differencesFrom(to[1:], row[1:], row)
		return to
	}
	above := alpha[(y-1)*width:][:width]
	to[0] = row[0] - above[0]
	switch filter {
	case filterHorizontal:
		differencesFrom(to[1:], row[1:], row)
	case filterVertical:
		differencesFrom(to[1:], row[1:], above[1:])
	default:
		for x := 1; x < len(to); x++ {
			to[x] = row[x] - uint8(min(max(int(row[x-1])+int(above[x])-int(above[x-1]), 0), 255))
		}
	}
	return to
}

func differencesFrom(to, row, predicted []byte) {
	for x := range to {
		to[x] = row[x] - predicted[x]
	}
}

// costOfFilter penalizes filters, because unfiltered shapes can be copied more often.
func costOfFilter(bitsLeft int) int { return bitsLeft * 4 / 3 }

// chooseAlphaFilter compares the filters on a sample of rows.
func (e *Encoder) chooseAlphaFilter(alpha []byte, width int) alphaFilter {
	height := len(alpha) / width
	step := height/sampledAlphaRows | 1
	best, minBits := filterNone, 0
	for filter := range alphaFilterCount {
		var counts [vp8l.Literals]uint32
		for y := step / 2; y < height; y += step {
			for _, level := range e.filterAlpha(alpha, width, y, filter) {
				counts[level]++
			}
		}
		bits, values := entropy(counts[:])
		if filter == filterNone && values <= maxMaskValues {
			return filterNone
		}
		if filter != filterNone {
			bits = costOfFilter(bits)
		}
		if filter == filterNone || bits < minBits {
			best, minBits = filter, bits
		}
	}
	return best
}
