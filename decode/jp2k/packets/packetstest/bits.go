package packetstest

import "math/bits"

// bitWriter writes bits, and after each byte of 0xFF a zero bit.
type bitWriter struct {
	bytes []byte
	left  int // free bits of the last byte
}

func (w *bitWriter) bit(b int) {
	if w.left == 0 {
		w.left = 8
		if n := len(w.bytes); n > 0 && w.bytes[n-1] == 0xff {
			w.left = 7
		}
		w.bytes = append(w.bytes, 0)
	}
	w.left--
	w.bytes[len(w.bytes)-1] |= byte(b << w.left)
}

func (w *bitWriter) number(v, bits int) {
	for i := bits - 1; i >= 0; i-- {
		w.bit(v >> i & 1)
	}
}

// end fills the last byte, which must not be 0xFF.
func (w *bitWriter) end() []byte {
	if w.bytes[len(w.bytes)-1] == 0xff {
		w.bytes = append(w.bytes, 0)
	}
	return w.bytes
}

// passes writes the number of passes.
func (w *bitWriter) passes(n int) {
	switch {
	case n == 1:
		w.bit(0)
	case n == 2:
		w.number(0b10, 2)
	case n < 6:
		w.number(0b11<<2|(n-3), 4)
	case n < 37:
		w.number(0b1111<<5|(n-6), 9)
	default:
		w.number(0b1_1111_1111<<7|(n-37), 16)
	}
}

func log2(n int) int { return bits.Len(uint(n)) - 1 }

// tagTree writes a grid of numbers bit by bit.
type tagTree struct {
	levels [][]treeNode
	widths []int
}

type treeNode struct {
	value, told int
	known       bool
}

// newTagTree returns a tree of numbers, given row by row.
func newTagTree(values []int, width int) *tagTree {
	t := &tagTree{}
	height := len(values) / max(width, 1)
	for {
		nodes := make([]treeNode, len(values))
		for i, v := range values {
			nodes[i].value = v
		}
		t.levels, t.widths = append(t.levels, nodes), append(t.widths, width)
		if len(values) <= 1 {
			return t
		}
		above, aboveWidth := make([]int, up(width, 2)*up(height, 2)), up(width, 2)
		for i := range above {
			above[i] = 1 << 30
		}
		for i, v := range values {
			p := &above[i/width/2*aboveWidth+i%width/2]
			*p = min(*p, v)
		}
		values, width, height = above, aboveWidth, up(height, 2)
	}
}

// write writes whether a leaf is below a bound, and if so its value.
func (t *tagTree) write(w *bitWriter, column, row, bound int) {
	low := 0
	for f := len(t.levels) - 1; f >= 0; f-- {
		n := &t.levels[f][row>>f*t.widths[f]+column>>f]
		n.told = max(n.told, low)
		for n.told < bound && !n.known {
			if n.told >= n.value {
				w.bit(1)
				n.known = true
			} else {
				w.bit(0)
				n.told++
			}
		}
		low = n.told
	}
}

// TagTreeBits writes a tree of numbers. For growing bounds, it writes which leaves are below each
// bound.
func TagTreeBits(values []int, width, step int) []byte {
	w, t := &bitWriter{}, newTagTree(values, width)
	for bound := step; bound < 300; bound += step {
		for i := range values {
			t.write(w, i%width, i/width, bound)
		}
	}
	return w.end()
}
