package lossless

import "fmt"

// alphaFilter is what opacity is replaced by: its difference from the left, from above, or from the plane through the
// three neighbours.
type alphaFilter uint8

const (
	filterNone alphaFilter = iota
	filterHorizontal
	filterVertical
	filterGradient
	alphaFilters
)

const (
	alphaRaw        = 0
	alphaCompressed = 1
	alphaFilterBits = 2 // where the filter is in the first byte

	// fewOpacities are masks: where they change, they change at once, and filters only make more values of them.
	fewOpacities = 16

	sampledAlphaRows = 32
)

// EncodeAlpha appends what a chunk ALPH holds to dst: opacities, row by row without gaps, filtered and written as green of
// a stream that has no header, or as they are where that takes less. On an error it returns dst as it was.
func (e *Encoder) EncodeAlpha(dst, alpha []byte, width, height int) ([]byte, error) {
	if err := validateLayout(width, height, width, width, len(alpha)); err != nil {
		return dst, err
	}
	if len(alpha) != width*height {
		return dst, fmt.Errorf("%w: %d bytes for %d x %d opacities", ErrImage, len(alpha), width, height)
	}
	filter := e.chooseAlphaFilter(alpha, width)
	e.start(append(dst, alphaCompressed|byte(filter)<<alphaFilterBits))
	e.source = sized(e.source, len(alpha))
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

// filterAlpha returns a row less what the filter predicts. It is valid until the next call.
func (e *Encoder) filterAlpha(alpha []byte, width, y int, filter alphaFilter) []byte {
	row := alpha[y*width:][:width]
	if filter == filterNone {
		return row
	}
	e.filtered = sized(e.filtered, width)
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

// costOfFilter is more than the bits that are left, for shapes can be copied more often as long as they are not filtered.
func costOfFilter(bitsLeft int) int { return bitsLeft * 4 / 3 }

// chooseAlphaFilter tries the filters on some rows.
func (e *Encoder) chooseAlphaFilter(alpha []byte, width int) alphaFilter {
	height := len(alpha) / width
	step := height/sampledAlphaRows | 1
	best, fewest := filterNone, 0
	for filter := range alphaFilters {
		var counts [literals]uint32
		for y := step / 2; y < height; y += step {
			for _, level := range e.filterAlpha(alpha, width, y, filter) {
				counts[level]++
			}
		}
		bits, values := entropy(counts[:])
		if filter == filterNone && values <= fewOpacities {
			return filterNone
		}
		if filter != filterNone {
			bits = costOfFilter(bits)
		}
		if filter == filterNone || bits < fewest {
			best, fewest = filter, bits
		}
	}
	return best
}
