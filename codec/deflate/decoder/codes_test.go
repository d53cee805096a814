package decoder

import (
	"bytes"
	"errors"
	"math/bits"
	"slices"
	"testing"

	"tileserver/codec/deflate"
)

// bitWriter writes DEFLATE bit by bit.
type bitWriter struct {
	bytes []byte
	count int
}

func (w *bitWriter) bits(value, width int) {
	for i := range width {
		if w.count%8 == 0 {
			w.bytes = append(w.bytes, 0)
		}
		w.bytes[w.count/8] |= byte(value>>i&1) << (w.count % 8)
		w.count++
	}
}

func (w *bitWriter) code(code, width int) {
	w.bits(int(bits.Reverse16(uint16(code))>>(16-width)), width)
}

// dynamicBlock writes a final block with these code lengths, without repetitions, followed by the
// codes in body: {code, width}.
func dynamicBlock(literals, distances []int, body ...[2]int) []byte {
	var w bitWriter
	w.bits(1, 1)
	w.bits(2, 2)
	w.bits(len(literals)-257, 5)
	w.bits(len(distances)-1, 5)
	w.bits(15, 4)
	for _, symbol := range deflate.HeaderOrder {
		w.bits(map[bool]int{true: 4}[symbol < 16], 3) // the symbols 0 to 15 have codes of four bits
	}
	for _, length := range slices.Concat(literals, distances) {
		w.code(length, 4)
	}
	for _, code := range body {
		w.code(code[0], code[1])
	}
	return w.bytes
}

// lengthsOf returns a list of code lengths from pairs of symbol and length.
func lengthsOf(size int, pairs ...[2]int) []int {
	lengths := make([]int, size)
	for _, pair := range pairs {
		lengths[pair[0]] = pair[1]
	}
	return lengths
}

func TestDynamicCodes(t *testing.T) {
	// 'a' has code 0, the end of the block 10, the length 258 has 11.
	abLengths := lengthsOf(286, [2]int{'a', 1}, [2]int{256, 2}, [2]int{285, 2})
	a, end, longest := [2]int{0, 1}, [2]int{2, 2}, [2]int{3, 2}
	onlyEnd := lengthsOf(257, [2]int{256, 1})
	for _, test := range []struct {
		name string
		src  []byte
		want string
		err  error
	}{
		{"one distance code of one bit", dynamicBlock(abLengths, []int{1}, a, longest, [2]int{0, 1}, end), string(bytes.Repeat([]byte("a"), 259)), nil},
		{"the bit that has no distance", dynamicBlock(abLengths, []int{1}, a, longest, [2]int{1, 1}, end, [2]int{0, 15}), "a", ErrCorrupt},
		{"no distance code, literals only", dynamicBlock(abLengths, []int{0}, a, a, a, end), "aaa", nil},
		{"no distance code, but a match", dynamicBlock(abLengths, []int{0}, a, longest, end, [2]int{0, 15}), "a", ErrCorrupt},
		{"one literal code of one bit", dynamicBlock(onlyEnd, []int{0}, [2]int{0, 1}), "", nil},
		{"no literal codes", dynamicBlock(lengthsOf(257), []int{0}, [2]int{0, 15}, [2]int{0, 15}), "", ErrCorrupt},
		{"over-subscribed literals", dynamicBlock(lengthsOf(257, [2]int{1, 1}, [2]int{2, 1}, [2]int{256, 1}), []int{0}, end), "", ErrCorrupt},
		{"over-subscribed only at the end", dynamicBlock(lengthsOf(257, [2]int{1, 1}, [2]int{2, 2}, [2]int{3, 15}, [2]int{256, 2}), []int{0}, end), "", ErrCorrupt},
		{"incomplete literals", dynamicBlock(lengthsOf(257, [2]int{1, 2}, [2]int{256, 2}), []int{0}, end), "", ErrCorrupt},
		{"single code of two bits", dynamicBlock(lengthsOf(257, [2]int{256, 2}), []int{0}, end), "", ErrCorrupt},
		{"over-subscribed distances", dynamicBlock(abLengths, []int{1, 1, 1}, a, end), "", ErrCorrupt},
		{"incomplete distances", dynamicBlock(abLengths, []int{2, 2, 2}, a, end), "", ErrCorrupt},
		{"match before the beginning", dynamicBlock(abLengths, []int{1, 1}, a, longest, [2]int{1, 1}, end, [2]int{0, 15}), "a", ErrCorrupt},
		{"287 literal symbols", dynamicBlock(lengthsOf(287, [2]int{256, 1}), []int{0}, [2]int{0, 1}), "", ErrCorrupt},
		{"31 distance symbols", dynamicBlock(onlyEnd, make([]int, 31), [2]int{0, 1}), "", ErrCorrupt},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, spare := range []int{0, 600} {
				// With bytes after the stream, the fast loop decodes the block too.
				for _, after := range []int{0, 100} {
					var decoder Decoder
					dst := make([]byte, len(test.want)+spare)
					n, err := decoder.Raw(dst, append(bytes.Clone(test.src), make([]byte, after)...))
					if string(dst[:n]) != test.want || (err != nil) != (test.err != nil) {
						t.Errorf("%d to spare, %d after: %d bytes, %v; want %d, %v", spare, after, n, err, len(test.want), test.err)
					}
					if test.err != nil && after > 0 && spare > 0 && !errors.Is(err, test.err) {
						t.Errorf("got %v, want %v", err, test.err)
					}
				}
			}
		})
	}
}

func TestRepeatWithoutPreviousLength(t *testing.T) {
	var w bitWriter
	w.bits(1|2<<1, 3)
	w.bits(0, 14)
	for _, length := range []int{1, 1, 0, 0} { // symbols 16 and 17 have codes of one bit
		w.bits(length, 3)
	}
	w.bits(0, 64)
	var decoder Decoder
	if n, err := decoder.Raw(make([]byte, 9), w.bytes); n != 0 || !errors.Is(err, ErrCorrupt) {
		t.Errorf("got %d, %v; want ErrCorrupt", n, err)
	}
}

func TestRepetitionPastTheLastLength(t *testing.T) {
	var w bitWriter
	w.bits(1|2<<1, 3)
	w.bits(0, 14)
	for _, length := range []int{0, 1, 1, 0} { // symbols 17 and 18
		w.bits(length, 3)
	}
	for range 3 {
		w.bits(1, 1)
		w.bits(127, 7) // 138 zeros, three times, for 258 lengths
	}
	var decoder Decoder
	if n, err := decoder.Raw(make([]byte, 9), append(w.bytes, 0, 0, 0)); n != 0 || !errors.Is(err, ErrCorrupt) {
		t.Errorf("got %d, %v; want ErrCorrupt", n, err)
	}
}

func TestFixedBlockCorners(t *testing.T) {
	match := func(lengthCode, lengthWidth, distanceCode, distanceExtra, extraWidth int) []byte {
		var w bitWriter
		w.bits(1|1<<1, 3)
		w.code(0x30+'x', 8)
		w.code(lengthCode, lengthWidth)
		w.code(distanceCode, 5)
		w.bits(distanceExtra, extraWidth)
		w.code(0, 7)
		return w.bytes
	}
	for _, test := range []struct {
		name string
		src  []byte
		want int
		err  error
	}{
		{"length 3 at distance 1", match(1, 7, 0, 0, 0), 4, nil},
		{"length 258", match(0xC0+285-280, 8, 0, 0, 0), 259, nil},
		{"length symbol 286", match(0xC0+286-280, 8, 0, 0, 0), 1, ErrCorrupt},
		{"distance symbol 30", match(1, 7, 30, 0, 0), 1, ErrCorrupt},
		{"distance 32768 too early", match(1, 7, 29, 8191, 13), 1, ErrCorrupt},
		{"block type 3", []byte{7, 0, 0}, 0, ErrCorrupt},
	} {
		t.Run(test.name, func(t *testing.T) {
			var decoder Decoder
			for _, room := range []int{test.want, 1000} {
				dst := make([]byte, room)
				n, err := decoder.Raw(dst, append(bytes.Clone(test.src), make([]byte, 40)...))
				if n != test.want || !errors.Is(err, test.err) {
					t.Errorf("room %d: got %d, %v; want %d, %v", room, n, err, test.want, test.err)
				}
				if want := bytes.Repeat([]byte("x"), n); !bytes.Equal(dst[:n], want) {
					t.Errorf("room %d: got %q", room, dst[:n])
				}
			}
		})
	}
}

func TestStoredBlocks(t *testing.T) {
	for _, test := range []struct {
		name string
		src  []byte
		room int
		want string
		err  error
	}{
		{"empty", []byte{1, 0, 0, 0xFF, 0xFF}, 0, "", nil},
		{"empty, then three bytes", []byte{0, 0, 0, 0xFF, 0xFF, 1, 3, 0, 0xFC, 0xFF, 'a', 'b', 'c'}, 9, "abc", nil},
		{"wrong complement", []byte{1, 3, 0, 0xFC, 0xFE, 'a', 'b', 'c'}, 9, "", ErrCorrupt},
		{"body cut off", []byte{1, 3, 0, 0xFC, 0xFF, 'a', 'b'}, 9, "ab", ErrTruncated},
		{"length cut off", []byte{1, 3, 0, 0xFC}, 9, "", ErrTruncated},
		{"no room for all", []byte{1, 3, 0, 0xFC, 0xFF, 'a', 'b', 'c'}, 2, "ab", ErrTooLong},
		{"no final block", []byte{0, 3, 0, 0xFC, 0xFF, 'a', 'b', 'c'}, 9, "abc", ErrTruncated},
	} {
		t.Run(test.name, func(t *testing.T) {
			var decoder Decoder
			dst := make([]byte, test.room)
			n, err := decoder.Raw(dst, test.src)
			if string(dst[:n]) != test.want || !errors.Is(err, test.err) {
				t.Errorf("got %q, %v; want %q, %v", dst[:n], err, test.want, test.err)
			}
		})
	}
}

func TestFarthestDistance(t *testing.T) {
	var decoder Decoder
	// The second part repeats the first at distance 32768.
	data := append(noise(32768), noise(400)...)
	src := deflated(t, data, 9)
	if len(src) > 32768+64 {
		t.Fatalf("the encoder did not use the distance: %d bytes", len(src))
	}
	dst := make([]byte, len(data))
	if n, err := decoder.Raw(dst, src); err != nil || !bytes.Equal(dst[:n], data) {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func TestDynamicBlockAfterFixedOnes(t *testing.T) {
	var decoder Decoder
	fixed, dynamic := deflated(t, []byte("aaaa"), 9), deflated(t, photo(90, 30), 9)
	for _, src := range [][]byte{fixed, fixed, dynamic, fixed, dynamic} {
		want := make([]byte, 90*30*3)
		wantN, _ := reference(want, src)
		dst := make([]byte, len(want))
		if n, err := decoder.Raw(dst, src); err != nil || !bytes.Equal(dst[:n], want[:wantN]) {
			t.Errorf("%d bytes, %v; want %d", n, err, wantN)
		}
	}
}
