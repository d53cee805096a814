package lossless

import (
	"math/bits"

	"tileserver/codec/webp/vp8l"
)

// histogram counts the symbols of tokens, for each of the five codes.
type histogram struct {
	green            [maxAlphabet]uint32 // also lengths of copies, and cache indexes
	red, blue, alpha [vp8l.Literals]uint32
	distance         [vp8l.DistanceCodes]uint32
	extraBits        int // bits that follow length and distance symbols
}

func (h *histogram) add(t token) {
	switch t.length {
	case literal:
		h.addPixel(t.value)
	case cached:
		h.green[vp8l.Literals+vp8l.LengthPrefixes+t.value]++
	default:
		symbol, _, extra := prefix(uint32(t.length))
		h.green[vp8l.Literals+symbol]++
		h.extraBits += int(extra)
		symbol, _, extra = prefix(t.value)
		h.distance[symbol]++
		h.extraBits += int(extra)
	}
}

func (h *histogram) addPixel(p pixel) {
	h.alpha[p>>24]++
	h.red[p>>16&0xff]++
	h.green[p>>8&0xff]++
	h.blue[p&0xff]++
}

// Logarithms have base 2, in units of 1 / oneBit.
const (
	logBits = 12
	oneBit  = 1 << logBits

	mantissaBits = 10
)

// mantissaLogs holds the logarithms of numbers from 1 to 2. It is computed with integers, so that
// the result is the same on every machine.
var mantissaLogs = func() (logs [1 << mantissaBits]uint16) {
	for i := range logs {
		const one = 1 << 30
		value := uint64(one + i<<(30-mantissaBits))
		for bit := oneBit; bit > 0; bit >>= 1 {
			if value >= 2*one {
				logs[i] += uint16(bit)
				value >>= 1
			}
			value = value * value / one
		}
	}
	return logs
}()

func logarithm(n uint32) uint64 {
	exponent := uint(bits.Len32(n)) - 1
	mantissa := uint64(n) << (32 - exponent) & (1<<32 - 1) >> (32 - mantissaBits)
	return uint64(exponent)<<logBits + uint64(mantissaLogs[mantissa])
}

// entropy returns the minimum bits for symbols with these counts, and the number of symbols that
// occur.
func entropy(counts []uint32) (entropyBits, symbols int) {
	var sum uint32
	var parts uint64
	for _, count := range counts {
		if count > 0 {
			sum += count
			symbols++
			parts += uint64(count) * logarithm(count)
		}
	}
	if symbols < 2 {
		return 0, symbols
	}
	return int((uint64(sum)*logarithm(sum) - min(parts, uint64(sum)*logarithm(sum))) >> logBits), symbols
}

// bitsPerSymbol estimates the size of a code description per symbol.
const bitsPerSymbol = 5

// bits estimates the size of the tokens and of the descriptions of their codes.
func (h *histogram) bits(greenAlphabet int) int {
	total := h.extraBits
	for _, counts := range [...][]uint32{h.green[:greenAlphabet], h.red[:], h.blue[:], h.alpha[:], h.distance[:]} {
		entropyBits, symbols := entropy(counts)
		total += entropyBits + symbols*bitsPerSymbol
	}
	return total
}

func (h *histogram) join(other *histogram) {
	join(h.green[:], other.green[:])
	join(h.red[:], other.red[:])
	join(h.blue[:], other.blue[:])
	join(h.alpha[:], other.alpha[:])
	join(h.distance[:], other.distance[:])
	h.extraBits += other.extraBits
}

func join(counts, others []uint32) {
	for i, n := range others[:len(counts)] {
		counts[i] += n
	}
}
