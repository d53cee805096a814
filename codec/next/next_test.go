package next

import (
	"bytes"
	"encoding/binary"
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
		{"stored row", 6, 1, "\x00\x1B\xE4", "\x1B\xE4", nil},
		{"span", 16, 1, "\x40\x00\x01\x00\x02\x1B\xE4", "\xFF\x1B\xE4\xFF", nil},
		{"empty span", 8, 1, "\x40\x00\x02\x00\x00", "\xFF\xFF", nil},
		{"runs", 9, 1, "\xC2\x83\x44", "\xFA\x95\x40", nil},
		{"run longer than the row", 4, 1, "\x73", "\x55", nil},
		{"black, then a run that looks like a span", 64, 1, "\x3F\x40\x41", string(append(make([]byte, 15), 0x01)), nil},
		{"two rows", 4, 2, "\x00\x1B\xC4", "\x1B\xFF", nil},
		{"more data than rows", 4, 1, "\x00\x1B\x1B", "\x1B", nil},
		{"no data", 4, 1, "", "", ErrTruncated},
		{"row cut off", 4, 2, "\xC4\x00", "\xFF", ErrTruncated},
		{"runs cut off", 9, 1, "\xC2\x83", "", ErrTruncated},
		{"span without its length", 8, 1, "\x40\x00\x01\x00", "", ErrTruncated},
		{"span cut off", 8, 1, "\x40\x00\x00\x00\x02\x1B", "", ErrTruncated},
		{"span too long", 8, 1, "\x40\x00\x01\x00\x02\x1B\xE4", "", ErrCorrupt},
		{"span behind the row", 8, 1, "\x40\xFF\xFF\x00\x00", "", ErrCorrupt},
		{"no width", 0, 1, "\xC1", "", ErrSize},
		{"negative width", -9, 1, "\xC1", "", ErrSize},
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
	if rows, err := Decode(make([]byte, 3), make([]byte, 9), 8); rows != 0 || !errors.Is(err, ErrSize) {
		t.Errorf("got %d, %v; want ErrSize", rows, err)
	}
}

// encode codes rows of packed pixels. It cycles through the ways of storing a row.
func encode(data []byte, width int) (out []byte) {
	rowBytes := RowBytes(width)
	for y := 0; (y+1)*rowBytes <= len(data); y++ {
		row := data[y*rowBytes:][:rowBytes]
		switch y % 3 {
		case 0:
			out = append(append(out, storedRow), row...)
		case 1:
			out = append(out, encodeSpan(row)...)
		default:
			out = append(out, encodeRuns(row, width)...)
		}
	}
	return out
}

func encodeSpan(row []byte) []byte {
	first, end := 0, len(row)
	for first < end && row[first] == white {
		first++
	}
	for end > first && row[end-1] == white {
		end--
	}
	header := []byte{storedSpan}
	header = binary.BigEndian.AppendUint16(header, uint16(first))
	header = binary.BigEndian.AppendUint16(header, uint16(end-first))
	return append(header, row[first:end]...)
}

// encodeRuns codes a row as runs. None of them may be empty, since an empty first run has another
// meaning.
func encodeRuns(row []byte, width int) (runs []byte) {
	for x := 0; x < width; {
		gray, length := row[x/4]>>(6-x%4*2)&3, 1
		for x+length < width && length < 63 && row[(x+length)/4]>>(6-(x+length)%4*2)&3 == gray {
			length++
		}
		runs = append(runs, gray<<6|byte(length))
		x += length
	}
	return runs
}

func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("\xFF\xFFabc\xFF\x00\x00\x00\x00\x00\x00\x1B\xE4\x1B\xE4\xFF\xFF"), uint16(23))
	f.Add(bytes.Repeat([]byte{0}, 600), uint16(640))
	f.Fuzz(func(t *testing.T, data []byte, width uint16) {
		if width == 0 {
			return
		}
		rowBytes := RowBytes(int(width))
		want := bytes.Clone(data[:len(data)/rowBytes*rowBytes])
		for i := rowBytes - 1; i < len(want); i += rowBytes {
			if spare := 4*rowBytes - int(width); i/rowBytes%3 == 2 {
				want[i] &= 0xFF << (2 * spare)
			}
		}
		got := make([]byte, len(want))
		if rows, err := Decode(got, encode(want, int(width)), int(width)); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d rows, %v", rows, err)
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\x40\x00\x01\x00\x02\x1B\xE4\xC2\x83\x44\x00\x01\x02"), uint8(12), uint8(3))
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
