package thunderscan

import (
	"bytes"
	"errors"
	"testing"
)

func TestDecode(t *testing.T) {
	for _, test := range []struct {
		name  string
		width int
		rows  int
		src   string
		want  string
		err   error
	}{
		{"nothing", 3, 0, "", "", nil},
		{"pixels", 3, 1, "\xC1\xCF\xFA", "\x1F\xA0", nil},
		{"run to the row's end", 4, 1, "\xC5\x03", "\x55\x55", nil},
		{"run from an odd pixel", 5, 1, "\xC5\x03\xC1", "\x55\x55\x10", nil},
		{"longest run", 64, 1, "\xC9\x3F", string(bytes.Repeat([]byte{0x99}, 32)), nil},
		{"run before any pixel", 4, 1, "\x02\xC3\xC4", "\x00\x34", nil},
		{"empty run", 2, 1, "\x00\x55", "\x12", nil},
		{"small steps, one of them none", 3, 1, "\xC5\x59", "\x56\x70", nil},
		{"small step down", 2, 1, "\xC5\x7A", "\x54", nil},
		{"large steps", 8, 1, "\xC5\x99\x8F\x96\xC0", "\x58\x9A\x9B\x90", nil},
		{"large step, one of them none", 2, 1, "\xC5\xA3", "\x58", nil},
		{"steps wrap around", 4, 1, "\xCF\x8D\xC0", "\xF0\xD0", nil},
		{"steps behind the row", 2, 1, "\xC5\x55", "\x56", nil},
		{"two rows, each from black", 3, 2, "\xC5\x02\x55", "\x55\x50\x12\x30", nil},
		{"more data than rows", 2, 1, "\xC1\xC2\xC3", "\x12", nil},
		{"row cut off", 2, 2, "\xC1\xC2\xC3", "\x12", ErrTruncated},
		{"no data", 2, 1, "", "", ErrTruncated},
		{"run behind the row", 3, 2, "\xC1\x02\xC1\x03", "\x11\x10", ErrCorrupt},
		{"no width", 0, 1, "\xC1", "", ErrSize},
		{"negative width", -5, 1, "\xC1", "", ErrSize},
	} {
		t.Run(test.name, func(t *testing.T) {
			dst := bytes.Repeat([]byte{0xA5}, max(0, RowBytes(test.width), 1)*test.rows)
			rows, err := Decode(dst, []byte(test.src), test.width)
			if got := string(dst[:rows*max(0, RowBytes(test.width))]); got != test.want || !errors.Is(err, test.err) {
				t.Errorf("got %x, %v; want %x, %v", got, err, test.want, test.err)
			}
		})
	}
}

func TestDecodeIntoHalfARow(t *testing.T) {
	if rows, err := Decode(make([]byte, 3), []byte{0xC1, 0xC1, 0xC1, 0xC1}, 4); rows != 0 || !errors.Is(err, ErrSize) {
		t.Errorf("got %d, %v; want ErrSize", rows, err)
	}
}

// encode codes a row of pixels. It prefers runs to steps, and steps to pixels.
func encode(pixels []byte) []byte {
	var out []byte
	last := byte(0)
	for i := 0; i < len(pixels); {
		same := 0
		for i+same < len(pixels) && same < 63 && pixels[i+same] == last {
			same++
		}
		step := func(at int) int {
			before := last
			if at > i {
				before = pixels[at-1]
			}
			return int(int8((pixels[at]-before)<<4) >> 4)
		}
		switch {
		case same > 0:
			out = append(out, byte(same))
			i += same
			continue
		case i+1 < len(pixels) && max(step(i), -step(i), step(i+1), -step(i+1)) <= 3:
			out = append(out, 0x80|byte(step(i)&7)<<3|byte(step(i+1)&7))
			last = pixels[i+1]
			i += 2
			continue
		case step(i) == 1 || step(i) == -1:
			out = append(out, 0x40|byte(step(i)&3)<<4|0b1010)
		default:
			out = append(out, 0xC0|pixels[i])
		}
		last = pixels[i]
		i++
	}
	return out
}

func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("abcabdabeaaaaaaaaaaaaaaa"), uint8(7))
	f.Add(bytes.Repeat([]byte{3}, 200), uint8(199))
	f.Fuzz(func(t *testing.T, data []byte, width uint8) {
		if width == 0 {
			return
		}
		var src, want []byte
		for ; len(data) >= int(width); data = data[width:] {
			row := make([]byte, RowBytes(int(width)))
			pixels := make([]byte, width)
			for i := range pixels {
				pixels[i] = data[i] & 15
				row[i/2] |= pixels[i] << (4 - i%2*4)
			}
			src, want = append(src, encode(pixels)...), append(want, row...)
		}
		got := make([]byte, len(want))
		if rows, err := Decode(got, src, int(width)); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d rows, %v", rows, err)
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\xC5\x59\x8F\x02\x55"), uint8(3), uint8(2))
	f.Fuzz(func(t *testing.T, src []byte, width, rows uint8) {
		size := RowBytes(int(width)) * int(rows)
		guarded := bytes.Repeat([]byte{0xA5}, size+8)
		n, err := Decode(guarded[:size], src, int(width))
		if width > 0 && (err == nil) != (n == int(rows)) || width == 0 && !errors.Is(err, ErrSize) {
			t.Fatalf("%d of %d rows, %v", n, rows, err)
		}
		if !bytes.Equal(guarded[size:], bytes.Repeat([]byte{0xA5}, 8)) {
			t.Fatal("wrote beyond the destination")
		}
	})
}
