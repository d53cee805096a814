package vq

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// random returns a block of random codes and kernels.
func random(rows, columns, kernels int) *image {
	r := rand.New(rand.NewPCG(uint64(rows), uint64(columns)))
	m := &image{rows: rows, columns: columns, gap: 3}
	for range kernels {
		var k [kernelSide * kernelSide]byte
		for i := range k {
			k[i] = byte(r.Uint32())
		}
		m.kernels = append(m.kernels, k)
	}
	for range rows * columns {
		m.codes = append(m.codes, r.IntN(kernels))
	}
	return m
}

func open(t testing.TB, data []byte) (Header, *Codebook) {
	t.Helper()
	h, err := ParseHeader(data)
	if err != nil {
		t.Fatal(err)
	}
	c, err := h.Codebook(data)
	if err != nil {
		t.Fatal(err)
	}
	return h, c
}

func TestPixelsAreThoseOfTheirKernels(t *testing.T) {
	for _, m := range []*image{random(1, 1, 1), random(3, 5, 7), random(5, 3, 4096), random(2, 8, 300), random(64, 64, 4096)} {
		data := m.header()
		h, c := open(t, data)
		codes := m.packed()
		if h.Bytes != len(data) || h.BlockBytes() != len(codes) || h.Width() != 4*m.columns || h.Height() != 4*m.rows {
			t.Fatalf("%d bytes of %d, %d bytes of codes of %d, %dx%d pixels of %dx%d codes",
				h.Bytes, len(data), h.BlockBytes(), len(codes), h.Width(), h.Height(), m.columns, m.rows)
		}
		for _, cut := range [][2]int{{0, 0}, {1, 0}, {0, 1}, {3, 2}} {
			width, height := h.Width()-cut[0], h.Height()-cut[1]
			t.Run(fmt.Sprintf("%dx%d of %dx%d", width, height, h.Width(), h.Height()), func(t *testing.T) {
				got := make([]byte, width*height)
				if rows, err := c.Decode(got, codes, width, height); rows != height || err != nil {
					t.Fatalf("%d rows, %v", rows, err)
				}
				for i, v := range got {
					if want := m.pixel(i%width, i/width); v != want {
						t.Fatalf("pixel %d,%d is %d, want %d", i%width, i/width, v, want)
					}
				}
			})
		}
	}
}

func TestCutCodesLeaveTheRowsBeforeThem(t *testing.T) {
	m := random(4, 6, 50)
	_, c := open(t, m.header())
	codes := m.packed()
	for n := range codes {
		got := make([]byte, 24*16)
		rows, err := c.Decode(got, codes[:n:n], 24, 16)
		if want := n / 9 * 4; rows != want || !errors.Is(err, ErrTruncated) {
			t.Fatalf("%d of %d bytes: %d rows, want %d; %v", n, len(codes), rows, want, err)
		}
		for i, v := range got[:rows*24] {
			if want := m.pixel(i%24, i/24); v != want {
				t.Fatalf("pixel %d is %d, want %d", i, v, want)
			}
		}
	}
}

func TestCodeWithoutKernel(t *testing.T) {
	m := random(2, 3, 9)
	for _, at := range []int{3, 5} {
		header := m.header()
		m.codes[at] = 9
		_, c := open(t, header)
		for _, width := range []int{12, 11} {
			if rows, err := c.Decode(make([]byte, 96), m.packed(), width, 8); rows != 4 || !errors.Is(err, ErrCorrupt) {
				t.Errorf("code %d, %d columns: %d rows, %v", at, width, rows, err)
			}
		}
	}
}

func TestBadHeaders(t *testing.T) {
	sound := random(3, 5, 7).header()
	for name, test := range map[string]struct {
		at    int
		bytes string
		want  error
	}{
		"no rows":               {0, "\x00\x00\x00\x00", ErrCorrupt},
		"too many columns":      {4, "\x7F\x00\x00\x00", ErrCorrupt},
		"codes of 8 bits":       {8, "\x08", ErrUnsupported},
		"another algorithm":     {9, "\x00\x02", ErrUnsupported},
		"two tables":            {11, "\x00\x02", ErrUnsupported},
		"records before theirs": {15, "\x00\x00\x00\x02", ErrCorrupt},
		"records far away":      {15, "\xFF\xFF\xFF\xFF", ErrCorrupt},
		"short records":         {19, "\x00\x08", ErrCorrupt},
		"no kernels":            {23, "\x00\x00\x00\x00", ErrCorrupt},
		"too many kernels":      {23, "\x00\x00\x10\x01", ErrCorrupt},
		"one table is shorter":  {37, "\x00\x00\x00\x06", ErrCorrupt},
		"kernels of 8 columns":  {27, "\x00\x08", ErrUnsupported},
		"pixels of 16 bits":     {29, "\x00\x10", ErrUnsupported},
		"a table far away":      {31, "\xFF\xFF\xFF\xFF", ErrCorrupt},
	} {
		data := slices.Clone(sound)
		copy(data[test.at:], test.bytes)
		if _, err := ParseHeader(data); !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", name, err, test.want)
		}
	}
	for n := range sound {
		h, err := ParseHeader(sound[:n])
		if err == nil {
			_, err = h.Codebook(sound[:n])
		}
		if !errors.Is(err, ErrTruncated) {
			t.Fatalf("%d of %d bytes: %v", n, len(sound), err)
		}
	}
}

func TestBadSizes(t *testing.T) {
	m := random(3, 5, 7)
	_, c := open(t, m.header())
	for _, size := range [][3]int{{0, 1, 9}, {1, -1, 9}, {21, 1, 99}, {1, 13, 99}, {20, 12, 239}} {
		if rows, err := c.Decode(make([]byte, size[2]), m.packed(), size[0], size[1]); rows != 0 || !errors.Is(err, ErrSize) {
			t.Errorf("%v: %d rows, %v", size, rows, err)
		}
	}
}

// FuzzDecode decodes arbitrary headers and codes, and looks up each pixel again.
func FuzzDecode(f *testing.F) {
	for _, m := range []*image{random(1, 1, 1), random(3, 5, 7)} {
		f.Add(slices.Concat(m.header(), m.packed()), 4*m.columns, 4*m.rows)
	}
	f.Fuzz(func(t *testing.T, data []byte, width, height int) {
		h, err := ParseHeader(data)
		if err != nil || width <= 0 || height <= 0 || width > 1<<9 || height > 1<<9 {
			return
		}
		c, err := h.Codebook(data)
		if err != nil {
			return
		}
		codes, size := data[h.Bytes:], width*height
		guarded := bytes.Repeat([]byte{0xA5}, size+8)
		rows, err := c.Decode(guarded[:size], codes, width, height)
		if (err == nil) != (rows == height) {
			t.Fatalf("%d of %d rows, %v", rows, height, err)
		}
		if !bytes.Equal(guarded[size:], bytes.Repeat([]byte{0xA5}, 8)) {
			t.Fatal("wrote beyond the destination")
		}
		for i := range rows * width {
			x, y := i%width, i/width
			code := y/4*h.Width()/4 + x/4
			v := int(codes[code*3/2])<<8 | int(codes[code*3/2+1])
			v = v >> (4 - code%2*4) & 0xFFF
			if want := data[h.tables[y%4]+4*v+x%4]; guarded[i] != want {
				t.Fatalf("pixel %d,%d is %d, want %d", x, y, guarded[i], want)
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	m := random(64, 64, 4096)
	_, c := open(b, m.header())
	codes, dst := m.packed(), make([]byte, 256*256)
	b.SetBytes(int64(len(dst)))
	for b.Loop() {
		if _, err := c.Decode(dst, codes, 256, 256); err != nil {
			b.Fatal(err)
		}
	}
}
