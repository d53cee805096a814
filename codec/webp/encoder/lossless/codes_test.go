package lossless

import (
	"math"
	"testing"

	"tileserver/codec/webp/vp8l"
)

func TestLengthsRespectLimit(t *testing.T) {
	fibonacci := make([]uint32, 40)
	fibonacci[0], fibonacci[1] = 1, 1
	for i := 2; i < len(fibonacci); i++ {
		fibonacci[i] = fibonacci[i-1] + fibonacci[i-2]
	}
	doubling := make([]uint32, 25)
	for i := range doubling {
		doubling[i] = 1 << i
	}
	many := make([]uint32, maxAlphabet)
	for i := range many {
		many[i] = uint32(i * i)
	}
	tests := []struct {
		name   string
		counts []uint32
		limit  int
	}{
		{"two", []uint32{0, 3, 0, 9}, 15},
		{"equal", []uint32{5, 5, 5, 5, 5, 5, 5, 5}, 15},
		{"as deep as can be", fibonacci, 15},
		{"doubling", doubling, 15},
		{"of lengths", fibonacci[:vp8l.LengthSymbols], 7},
		{"every symbol", many, 15},
	}
	for _, test := range tests {
		var h lengthFinder
		lengths := make([]uint8, len(test.counts))
		h.lengths(lengths, test.counts, test.limit)
		sum := 0.0
		for symbol, length := range lengths {
			if (length > 0) != (test.counts[symbol] > 0) || int(length) > test.limit {
				t.Errorf("%s: symbol %d, which occurs %d times, has a code of %d bits", test.name, symbol, test.counts[symbol], length)
			}
			if length > 0 {
				sum += math.Exp2(-float64(length))
			}
		}
		if sum != 1 {
			t.Errorf("%s: the code fills %v of its room", test.name, sum)
		}
	}
}

func TestCodesAreOptimal(t *testing.T) {
	var h lengthFinder
	lengths := make([]uint8, 6)
	h.lengths(lengths, []uint32{45, 13, 12, 16, 9, 5}, 15)
	if want := "\x01\x03\x03\x03\x04\x04"; string(lengths) != want {
		t.Errorf("got %v, want %v", lengths, []byte(want))
	}
}

// TestDistanceCodes checks the beginning and the end of the list in the specification, and some
// codes between.
func TestDistanceCodes(t *testing.T) {
	const width = 100
	tests := []struct {
		left, up int
		want     uint32
	}{
		{0, 1, 1}, {1, 0, 2}, {1, 1, 3}, {-1, 1, 4}, {0, 2, 5}, {2, 0, 6}, {-2, 1, 10},
		{0, 5, 35}, {3, 4, 36}, {-3, 4, 37}, {5, 0, 40}, {8, 0, 97}, {-7, 7, 118}, {8, 6, 119}, {8, 7, 120},
		{9, 0, 129}, {-8, 1, 212}, {0, 8, 920},
	}
	for _, test := range tests {
		if got := distanceCode(test.left+test.up*width, width); got != test.want {
			t.Errorf("%d to the left, %d up: got the code %d, want %d", test.left, test.up, got, test.want)
		}
	}
}

func TestPrefixes(t *testing.T) {
	last, lastExtra := -1, uint(0)
	for value := uint32(1); value < 1<<20; value += 1 + value/50 {
		symbol, extra, extraBits := prefix(value)
		base := uint32(symbol)
		if symbol >= 4 {
			base = uint32(2+symbol&1) << extraBits
		}
		if base+extra+1 != value || extra >= 1<<extraBits || symbol < last || symbol == last && extraBits != lastExtra {
			t.Fatalf("%d is written as symbol %d and %d in %d bits", value, symbol, extra, extraBits)
		}
		last, lastExtra = symbol, extraBits
	}
	if last >= vp8l.DistanceCodes {
		t.Errorf("the last symbol is %d", last)
	}
}

func TestLogarithm(t *testing.T) {
	for n := uint32(1); n < 1<<31; n += 1 + n/77 {
		got, want := float64(logarithm(n))/oneBit, math.Log2(float64(n))
		if math.Abs(got-want) > 0.002 {
			t.Errorf("logarithm of %d: got %v, want %v", n, got, want)
		}
	}
}

func TestPackedSamples(t *testing.T) {
	values := []uint32{0, 1, 2, 127, 128, 254, 255}
	for _, a := range values {
		for _, b := range values {
			p, q := a<<24|b<<16|(255-a)<<8|a, b<<24|a<<16|b<<8|(255-b)
			for shift := 0; shift < 32; shift += 8 {
				x, y := p>>shift&255, q>>shift&255
				if got, want := subtract(p, q)>>shift&255, (x-y)&255; got != want {
					t.Errorf("%d - %d: got %d, want %d", x, y, got, want)
				}
				if got, want := average(p, q)>>shift&255, (x+y)/2; got != want {
					t.Errorf("average of %d and %d: got %d, want %d", x, y, got, want)
				}
			}
			if got, want := withoutGreen(p), p&alphaGreen|(p>>16-p>>8)&255<<16|(p-p>>8)&255; got != want {
				t.Errorf("%08x without green: got %08x, want %08x", p, got, want)
			}
		}
	}
}
