package packbits

import (
	"bytes"
	"errors"
	"testing"
)

func TestDecode(t *testing.T) {
	for _, test := range []struct {
		name string
		src  string
		room int
		want string
		err  error
	}{
		{"nothing", "", 0, "", nil},
		{"nothing, room left", "", 4, "", nil},
		{"Apple's example", "\xFE\xAA\x02\x80\x00\x2A\xFD\xAA\x03\x80\x00\x2A\x22\xF7\xAA", 24,
			"\xAA\xAA\xAA\x80\x00\x2A\xAA\xAA\xAA\xAA\x80\x00\x2A\x22\xAA\xAA\xAA\xAA\xAA\xAA\xAA\xAA\xAA\xAA", nil},
		{"longest literal run", "\x7F" + string(bytes.Repeat([]byte("q"), 128)), 128, string(bytes.Repeat([]byte("q"), 128)), nil},
		{"longest repeat", "\x81z", 128, string(bytes.Repeat([]byte("z"), 128)), nil},
		{"no operation", "\x80\x80\x00x\x80", 1, "x", nil},
		{"room left", "\x00x", 3, "x", nil},
		{"literals cut off", "\x02ab", 9, "ab", ErrTruncated},
		{"repeat without its byte", "\xFF", 9, "", ErrTruncated},
		{"literals too long", "\x02abc", 2, "ab", ErrTooLong},
		{"repeat too long", "\xFEa", 2, "aa", ErrTooLong},
		{"run after full", "\x00a\x00b", 1, "a", ErrTooLong},
		{"beginning of a run after full", "\x00a\x00", 1, "a", ErrTooLong},
	} {
		t.Run(test.name, func(t *testing.T) {
			dst := make([]byte, test.room)
			n, err := Decode(dst, []byte(test.src))
			if string(dst[:n]) != test.want || !errors.Is(err, test.err) {
				t.Errorf("got %q, %v; want %q, %v", dst[:n], err, test.want, test.err)
			}
		})
	}
}

// expand is a simple decoder that appends one byte at a time. It returns whole = false if input is
// missing.
func expand(src []byte) (out []byte, whole bool) {
	for i := 0; i < len(src); {
		header := int(int8(src[i]))
		i++
		for count := 0; header >= 0 && count <= header; count++ {
			if i == len(src) {
				return out, false
			}
			out = append(out, src[i])
			i++
		}
		if header < 0 && header != -128 {
			if i == len(src) {
				return out, false
			}
			for range 1 - header {
				out = append(out, src[i])
			}
			i++
		}
	}
	return out, true
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\xFE\xAA\x02\x80\x00\x2A\xFD\xAA\x03\x80\x00\x2A\x22\xF7\xAA"), uint16(24))
	f.Add([]byte("\x02abc"), uint16(2))
	f.Add([]byte("\x80\xFF"), uint16(3))
	f.Fuzz(func(t *testing.T, src []byte, room uint16) {
		want, whole := expand(src)
		dst := make([]byte, room)
		n, err := Decode(dst, src)
		if n != min(len(want), int(room)) || !bytes.Equal(dst[:n], want[:n]) {
			t.Fatalf("got %d bytes, %v; want %d", n, err, min(len(want), int(room)))
		}
		if len(want) > int(room) && !errors.Is(err, ErrTooLong) {
			t.Fatalf("%d bytes into %d: %v, want ErrTooLong", len(want), room, err)
		}
		if len(want) <= int(room) && (err == nil) != whole {
			t.Fatalf("whole is %v, got %v", whole, err)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	src := bytes.Repeat([]byte("\x07literals\xF1r"), 10_000)
	dst := make([]byte, 24*10_000)
	b.SetBytes(int64(len(dst)))
	b.ReportAllocs()
	for b.Loop() {
		if n, err := Decode(dst, src); n != len(dst) || err != nil {
			b.Fatal(n, err)
		}
	}
}
