package packets

import (
	"testing"

	"tileserver/decode/jp2k/packets/packetstest"
)

// FuzzTagTree writes a tree of numbers and reads it back, bound after bound.
func FuzzTagTree(f *testing.F) {
	f.Add(uint8(1), uint8(0), []byte{3})
	f.Add(uint8(3), uint8(1), []byte{1, 5, 0, 2, 2, 9})
	f.Add(uint8(7), uint8(4), []byte{9, 9, 9, 9, 8, 7, 6, 1, 2, 3, 0, 0, 0, 255, 200})
	f.Fuzz(func(t *testing.T, width, step uint8, data []byte) {
		columns := 1 + int(width)%20
		rows := min(len(data)/columns, 40)
		values := make([]int, columns*rows)
		for i := range values {
			values[i] = int(data[i])
		}
		if rows == 0 {
			return
		}
		coded := packetstest.TagTreeBits(values, columns, 1+int(step)%100)
		bits := bitReader{bytes: coded}
		shape := newShape(columns, rows)
		tree := tagTree{shape, make([]node, shape.nodes)}
		for bound := 1 + int(step)%100; bound < 300; bound += 1 + int(step)%100 {
			for i, want := range values {
				column, row := i%columns, i/columns
				got, height, below := tree.below(&bits, column, row, uint16(bound))
				if side := 1 << height; !below && minimumOf(values, columns, column&-side, row&-side, side) < bound {
					t.Fatalf("leaf %d, bound %d: %d x %d leaves were excluded, but one is below it", i, bound, side, side)
				}
				if below != (want < bound) || below && int(got) != want {
					t.Fatalf("leaf %d, bound %d: got %d (%t), want %d", i, bound, got, below, want)
				}
			}
		}
		if bits.end(); bits.ended || bits.at != int64(len(coded)) {
			t.Fatalf("%d bytes of %d were read, ended %t", bits.at, len(coded), bits.ended)
		}
	})
}

// minimumOf returns the minimum of the values in a square, clipped to the grid.
func minimumOf(values []int, columns, left, top, side int) int {
	minimum := values[top*columns+left]
	for row := top; row < min(top+side, len(values)/columns); row++ {
		for column := left; column < min(left+side, columns); column++ {
			minimum = min(minimum, values[row*columns+column])
		}
	}
	return minimum
}

func TestBitsAreStuffed(t *testing.T) {
	bits := bitReader{bytes: []byte{0xff, 0x7f, 0x80, 0xff, 0x55, 0x99}}
	if got := bits.number(16); got != 0xffff {
		t.Errorf("got %x, want ffff", got)
	}
	if bits.number(7); bits.number(8) != 0xff {
		t.Error("want ff")
	}
	if bits.end(); bits.at != 5 {
		t.Errorf("%d bytes were read, want 5: the byte after ff belongs to the header", bits.at)
	}
}

func TestBytesTakenAheadAreReturned(t *testing.T) {
	stuffed := []byte{0xff, 0x7f, 0xff, 0x00, 0xff, 0x7f, 0xff, 0x7f, 0xff, 0x7f, 0xff, 0x7f, 0x12, 0x34}
	wantAt := map[int]int64{1: 2, 7: 2, 8: 2, 9: 2, 15: 2, 16: 4, 23: 4, 24: 4, 30: 4, 31: 6, 90: 12, 91: 13, 98: 13, 99: 14}
	for read, want := range wantAt {
		bits := bitReader{bytes: stuffed}
		for range read {
			bits.bit()
		}
		if bits.end(); bits.at != want || bits.ended {
			t.Errorf("after %d bits: %d bytes were read, want %d", read, bits.at, want)
		}
	}
	bits := bitReader{bytes: []byte{0xaa}}
	if bits.number(8); bits.ended {
		t.Error("eight bits of a byte are missing")
	}
	if bits.bit() != 0 || !bits.ended {
		t.Error("a bit was read beyond the end")
	}
}
