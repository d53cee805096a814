package sgilog

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestDecodeL16(t *testing.T) {
	for _, test := range []struct {
		name  string
		width int
		room  int
		src   string
		want  []uint16
		err   error
	}{
		{"nothing", 3, 0, "", nil, nil},
		{"bytes and a run", 4, 4, "\x80\x3D\x02\x01\x02\x04\x10\x20\x30\x40", []uint16{0x3D10, 0x3D20, 0x0130, 0x0240}, nil},
		{"two rows", 2, 4, "\x80\x01\x80\x02\x80\x03\x80\x04", []uint16{0x0102, 0x0102, 0x0304, 0x0304}, nil},
		{"no bytes at all, then a run", 2, 2, "\x00\x80\x01\x00\x00\x80\x02", []uint16{0x0102, 0x0102}, nil},
		{"more data than rows", 2, 2, "\x80\x01\x80\x02\x80\x03", []uint16{0x0102, 0x0102}, nil},
		{"no data", 2, 2, "", nil, ErrTruncated},
		{"second plane missing", 2, 2, "\x80\x01", nil, ErrTruncated},
		{"second row cut off", 2, 4, "\x80\x01\x80\x02\x80\x03\x02\x01", []uint16{0x0102, 0x0102}, ErrTruncated},
		{"run without its byte", 2, 2, "\x80", nil, ErrTruncated},
		{"run too long", 2, 2, "\x81\x01\x80\x01", nil, ErrCorrupt},
		{"bytes too long", 2, 2, "\x03\x01\x02\x03\x80\x01", nil, ErrCorrupt},
		{"no width", 0, 2, "\x80\x01\x80\x02", nil, ErrSize},
		{"negative width", -2, 2, "\x80\x01\x80\x02", nil, ErrSize},
		{"half a row", 2, 3, "\x80\x01\x80\x02\x80\x01\x80\x02", nil, ErrSize},
	} {
		t.Run(test.name, func(t *testing.T) {
			dst := slices.Repeat([]uint16{0xA5A5}, test.room)
			rows, err := DecodeL16(dst, []byte(test.src), test.width)
			if got := dst[:rows*test.width]; !slices.Equal(got, test.want) || !errors.Is(err, test.err) {
				t.Errorf("got %04x, %v; want %04x, %v", got, err, test.want, test.err)
			}
		})
	}
}

func TestDecodeLuv32(t *testing.T) {
	src := []byte("\x80\x3D" + "\x02\x01\x02" + "\x80\x7F" + "\x80\x80" + "\x80")
	dst := slices.Repeat([]uint32{0xA5A5A5A5}, 4)
	rows, err := DecodeLuv32(dst, src, 2)
	if want := []uint32{0x3D017F80, 0x3D027F80}; rows != 1 || !errors.Is(err, ErrTruncated) || !slices.Equal(dst[:2], want) {
		t.Errorf("got %08x, %d rows, %v; want %08x", dst[:2], rows, err, want)
	}
}

// encode stores rows of words as byte planes, with a run wherever two bytes are equal.
func encode[pixel word](pixels []pixel, width, wordBits int) (out []byte) {
	for row := range slices.Chunk(pixels, width) {
		for shift := wordBits - 8; shift >= 0; shift -= 8 {
			plane := make([]byte, width)
			for i, value := range row {
				plane[i] = byte(value >> shift)
			}
			out = append(out, encodePlane(plane)...)
		}
	}
	return out
}

func encodePlane(plane []byte) (out []byte) {
	same := func(at int) (length int) {
		for length = 1; at+length < len(plane) && length < 129 && plane[at+length] == plane[at]; length++ {
		}
		return length
	}
	for at := 0; at < len(plane); {
		if length := same(at); length > 1 {
			out = append(out, byte(128+length-2), plane[at])
			at += length
			continue
		}
		end := at + 1
		for end < len(plane) && end-at < 127 && same(end) == 1 {
			end++
		}
		out = append(append(out, byte(end-at)), plane[at:end]...)
		at = end
	}
	return out
}

func FuzzRoundTrip(f *testing.F) {
	f.Add(uint64(1), uint16(300), uint8(3))
	f.Add(uint64(2), uint16(1), uint8(90))
	f.Fuzz(func(t *testing.T, seed uint64, width uint16, likeness uint8) {
		if width == 0 || width > 2000 {
			return
		}
		random := rand.New(rand.NewPCG(seed, 0))
		narrow, wide := make([]uint16, 3*int(width)), make([]uint32, 3*int(width))
		value := uint32(0)
		for i := range wide {
			if random.IntN(int(likeness)+1) == 0 {
				value = random.Uint32()
			}
			narrow[i], wide[i] = uint16(value), value
		}
		gotNarrow, gotWide := make([]uint16, len(narrow)), make([]uint32, len(wide))
		if _, err := DecodeL16(gotNarrow, encode(narrow, int(width), 16), int(width)); err != nil || !slices.Equal(gotNarrow, narrow) {
			t.Fatalf("L16: %v", err)
		}
		if _, err := DecodeLuv32(gotWide, encode(wide, int(width), 32), int(width)); err != nil || !slices.Equal(gotWide, wide) {
			t.Fatalf("Luv32: %v", err)
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\x80\x3D\x02\x01\x02\x80\x7F\x80\x80"), uint8(2), uint8(1))
	f.Fuzz(func(t *testing.T, src []byte, width, rows uint8) {
		check := func(n int, err error) {
			if width > 0 && (err == nil) != (n == int(rows)) || width == 0 && !errors.Is(err, ErrSize) {
				t.Fatalf("%d of %d rows, %v", n, rows, err)
			}
		}
		size := int(width) * int(rows)
		check(DecodeL16(make([]uint16, size), src, int(width)))
		check(DecodeLuv32(make([]uint32, size), src, int(width)))
	})
}
