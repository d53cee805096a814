package ccitt

import (
	"bytes"
	"errors"
	"testing"
)

// plainReader is a simple decoder of Group 4. It reads one bit at a time and searches codes in
// lists.
type plainReader struct {
	src []byte
	bit int
}

// code reads one of the given codes and returns its index.
func (r *plainReader) code(codes []string) (place int, ok bool) {
	read := ""
	for len(read) < runBits && r.bit < 8*len(r.src) {
		read += string('0' + rune(r.src[r.bit/8]>>(7-r.bit%8)&1))
		r.bit++
		for place, code := range codes {
			if code == read {
				return place, true
			}
		}
	}
	return 0, false
}

func (r *plainReader) run(color byte) (pixels int, ok bool) {
	for {
		place, ok := r.code(runCodes[color])
		if !ok || place <= 63 {
			return pixels + place, ok
		}
		if pixels += (place - 63) * 64; pixels > maxWidth {
			return pixels, false
		}
	}
}

// row decodes a row. If it fails, it returns the changes so far.
func (r *plainReader) row(above []int, width int) (changes []int, ok bool) {
	var texts []string
	for _, m := range modeCodes {
		texts = append(texts, m.text)
	}
	a0, b := 0, 0
	change := func(place int) int {
		if place < len(above) {
			return above[place]
		}
		return width
	}
	for a0 < width {
		place, ok := r.code(texts)
		if !ok || len(changes) >= width+emptyRunSlack-1 {
			return changes, false
		}
		color := byte(len(changes) % 2)
		switch m := modeCodes[place]; m.mode {
		case vertical:
			a1 := change(b) + int(m.shift)
			if a1 < a0 {
				return changes, false
			}
			a0 = a1
			changes = append(changes, a0)
			if b--; b < 0 {
				b = 1
			}
		case horizontal:
			for _, color := range []byte{color, color ^ 1} {
				pixels, ok := r.run(color)
				if a0 += pixels; !ok || a0 > width {
					return changes, false
				}
				changes = append(changes, a0)
			}
		case pass:
			a0 = change(b + 1)
		default:
			return changes, false
		}
		for b < len(above) && change(b) <= a0 {
			b += 2
		}
	}
	for len(changes) > 0 && changes[len(changes)-1] == width {
		changes = changes[:len(changes)-1]
	}
	return changes, a0 == width
}

// plainGroup4 returns the rows of an image up to the first invalid one.
func plainGroup4(src []byte, width, rows int) bitmap {
	reader := plainReader{src: src}
	image := bitmap{width: width}
	var changes []int
	for range rows {
		var ok bool
		if changes, ok = reader.row(changes, width); !ok {
			break
		}
		row := make([]byte, width)
		for _, at := range changes {
			for x := at; x < width; x++ {
				row[x] ^= 1
			}
		}
		image.rows = append(image.rows, row)
	}
	return image
}

// FuzzGroup4 compares with the plain decoder: it must return the same rows, and an error where the
// other fails.
func FuzzGroup4(f *testing.F) {
	for _, image := range samples(37, 9) {
		f.Add(encodeGroup4(image, true), uint16(37), uint8(9))
		f.Add(encodeGroup4(image, false), uint16(36), uint8(12))
	}
	f.Add(encodeGroup4(page(300, 9), true), uint16(300), uint8(9))
	f.Fuzz(func(t *testing.T, src []byte, width uint16, rows uint8) {
		if width == 0 || len(src) > 2000 {
			return
		}
		want := plainGroup4(src, int(width), int(rows))
		params := Params{Scheme: Group4, Width: int(width), Rows: int(rows)}
		dst := make([]byte, params.Rows*params.RowBytes())
		var decoder Decoder
		got, err := decoder.Decode(dst, src, params)
		if got != len(want.rows) || (err == nil) != (got == int(rows)) {
			t.Fatalf("%d rows, %v; want %d", got, err, len(want.rows))
		}
		if !bytes.Equal(dst[:got*params.RowBytes()], want.packed()) {
			t.Fatal("other pixels")
		}
	})
}

// FuzzDecode checks the guarantees of Decode on arbitrary data: no writes beyond the destination,
// whole rows, a documented error, and the same result from a used decoder.
func FuzzDecode(f *testing.F) {
	image := samples(75, 8)["ragged edges"]
	for _, coding := range codings(image) {
		p := coding.params
		f.Add(coding.src, uint8(p.Scheme), uint16(p.Width), uint8(p.Rows), p.TwoDimensional)
	}
	var used Decoder
	f.Fuzz(func(t *testing.T, src []byte, scheme uint8, width uint16, rows uint8, twoDimensional bool) {
		params := Params{Scheme: Scheme(scheme % 5), Width: int(width), Rows: int(rows), TwoDimensional: twoDimensional, Resume: scheme > 127}
		size := params.Rows * params.RowBytes()
		guarded := bytes.Repeat([]byte{0xA5}, size+16)
		var decoder Decoder
		n, err := decoder.Decode(guarded[:size], src, params)
		if want := bytes.Repeat([]byte{0xA5}, 16); !bytes.Equal(guarded[size:], want) {
			t.Fatal("wrote beyond the destination")
		}
		if n < 0 || n > params.Rows || (err == nil) != (n == params.Rows) && !errors.Is(err, ErrSize) && !errors.Is(err, ErrUnsupported) {
			t.Fatalf("%d of %d rows, %v", n, rows, err)
		}
		if err != nil && !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrTruncated) && !errors.Is(err, ErrSize) && !errors.Is(err, ErrUnsupported) {
			t.Fatalf("an error without a kind: %v", err)
		}
		again := make([]byte, size)
		m, _ := used.Decode(again, src, params)
		if whole := n * params.RowBytes(); m != n || !bytes.Equal(again[:whole], guarded[:whole]) {
			t.Fatal("a used decoder gives something else")
		}
	})
}

// FuzzRoundTrip uses its input as the image.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("\xFF\x00\x12\x34\x56\x78\x9A\xBC"), uint16(13))
	f.Add(bytes.Repeat([]byte{0}, 900), uint16(3000))
	f.Add(bytes.Repeat([]byte{0xAA, 0x55}, 50), uint16(16))
	f.Fuzz(func(t *testing.T, pixels []byte, width uint16) {
		if width == 0 || width > 3000 || len(pixels) > 1500 {
			return
		}
		rows := min(8*len(pixels)/int(width), 30)
		image := newBitmap(int(width), rows, func(x, y int) bool {
			at := y*int(width) + x
			return pixels[at/8]>>(at%8)&1 == 1
		})
		want := image.packed()
		var decoder Decoder
		for _, coding := range codings(image) {
			dst := make([]byte, len(want))
			if n, err := decoder.Decode(dst, coding.src, coding.params); n != rows || err != nil || !bytes.Equal(dst, want) {
				t.Fatalf("%s: %d of %d rows, %v", coding.name, n, rows, err)
			}
		}
	})
}
