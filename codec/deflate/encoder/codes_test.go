package encoder

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/codec/deflate"
)

func TestSymbolsOfLengths(t *testing.T) {
	for length := uint16(minMatch); length <= maxMatch; length++ {
		symbol := lengthCodeOf(length)
		if extra := int(length) - int(deflate.LengthBases[symbol]); extra < 0 || extra >= 1<<deflate.LengthExtraBits[symbol] {
			t.Errorf("length %d: symbol %d begins at %d", length, symbol, deflate.LengthBases[symbol])
		}
	}
	if got := lengthCodeOf(maxMatch); got != deflate.LengthSymbols-1 || deflate.LengthExtraBits[got] != 0 {
		t.Errorf("the longest match has symbol %d", got)
	}
}

func TestSymbolsOfDistances(t *testing.T) {
	for distance := 1; distance <= maxDistance; distance++ {
		symbol := distanceCodeOf(uint16(distance))
		if extra := distance - int(deflate.DistanceBases[symbol]); extra < 0 || extra >= 1<<deflate.DistanceExtraBits[symbol] {
			t.Fatalf("distance %d: symbol %d begins at %d", distance, symbol, deflate.DistanceBases[symbol])
		}
	}
}

// TestCodeLengths checks that codes are complete, within their limit, and not longer for more
// frequent symbols.
func TestCodeLengths(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for round := range 2000 {
		counts := make([]uint32, 2+random.IntN(deflate.LiteralSymbols-1))
		spread := 1 + random.IntN(17)
		for i := range counts {
			counts[i] = random.Uint32() >> (32 - spread) >> random.IntN(spread)
		}
		counts[0], counts[1] = 1, 1
		lengths := make([]uint8, len(counts))
		limit := maxCodeBits - round%3
		codeLengths(lengths, counts, limit)
		taken := 0
		for i, length := range lengths {
			if (length > 0) != (counts[i] > 0) || int(length) > limit {
				t.Fatalf("round %d: count %d has %d bits", round, counts[i], length)
			}
			if length > 0 {
				taken += 1 << (limit - int(length))
			}
		}
		if taken != 1<<limit {
			t.Fatalf("round %d: %d of %d codes are taken", round, taken, 1<<limit)
		}
		order := make([]int, len(counts))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(i, j int) int { return int(counts[i]) - int(counts[j]) })
		for i := 1; i < len(order); i++ {
			if before, here := order[i-1], order[i]; counts[before] > 0 && lengths[before] < lengths[here] {
				t.Fatalf("round %d: counts %d and %d have %d and %d bits", round, counts[before], counts[here], lengths[before], lengths[here])
			}
		}
	}
}

func TestLoneSymbol(t *testing.T) {
	lengths := make([]uint8, 4)
	codeLengths(lengths, []uint32{0, 0, 7, 0}, maxCodeBits)
	if want := []uint8{0, 0, 1, 0}; !bytes.Equal(lengths, want) {
		t.Errorf("got %v, want %v", lengths, want)
	}
	codeLengths(lengths, make([]uint32, 4), maxCodeBits)
	if want := make([]uint8, 4); !bytes.Equal(lengths, want) {
		t.Errorf("of nothing: got %v, want %v", lengths, want)
	}
}

// TestLiteralTwins compares the fast writer of literals with its Go twin, for all lengths and bit
// positions.
func TestLiteralTwins(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for round := range 2000 {
		var counted symbolCounts
		spread := 1 + random.IntN(17)
		for i := range counted.literals {
			counted.literals[i] = 1 + random.Uint32()>>(32-spread)>>random.IntN(spread)
		}
		var c codes
		c.fit(&counted)
		literals := noise(round%300, 256)
		end := bitEnd{pending: uint64(round % 8), count: 3 + uint(round%5)}
		fast := newOutput([]byte("before"), end, 2*len(literals))
		plain := newOutput([]byte("before"), end, 2*len(literals))
		fast.putLiterals(&c, literals)
		plain.putLiteralsGo(&c, literals)
		got, gotEnd := fast.finish()
		want, wantEnd := plain.finish()
		if !bytes.Equal(got, want) || gotEnd != wantEnd {
			t.Fatalf("round %d: other bytes", round)
		}
	}
}

// TestNoRoom provides less room than the codes need. The fast writer must stop before its end.
func TestNoRoom(t *testing.T) {
	memory := bytes.Repeat([]byte{0xaa}, 64)
	out := output{bytes: memory[:40:40]}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("there was room")
			}
		}()
		out.putLiterals(&fixedCodes, make([]byte, 200))
	}()
	if !bytes.Equal(memory[40:], bytes.Repeat([]byte{0xaa}, 24)) {
		t.Error("written behind the end")
	}
}
