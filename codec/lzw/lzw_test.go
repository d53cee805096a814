package lzw

import (
	"bytes"
	stdlzw "compress/lzw"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	xlzw "golang.org/x/image/tiff/lzw"
)

// bitPacker packs codes highest bit first, as TIFF does, or lowest bit first, as old files do.
type bitPacker struct {
	out          []byte
	bit          int
	highestFirst bool
}

func (p *bitPacker) add(code, width int) {
	for i := range width {
		if p.bit%8 == 0 {
			p.out = append(p.out, 0)
		}
		if p.highestFirst {
			p.out[p.bit/8] |= byte(code>>(width-1-i)&1) << (7 - p.bit%8)
		} else {
			p.out[p.bit/8] |= byte(code>>i&1) << (p.bit % 8)
		}
		p.bit++
	}
}

// encode is a simple LZW encoder. It clears the table when it has added lastCode.
func encode(data []byte, old bool, lastCode int) []byte {
	packer := bitPacker{highestFirst: !old}
	early := 1
	if old {
		early = 0
	}
	table := map[string]int{}
	next, width := 258, 9
	reset := func() {
		packer.add(clearCode, width)
		clear(table)
		next, width = 258, 9
		for i := range 256 {
			table[string([]byte{byte(i)})] = i
		}
	}
	reset()
	current := ""
	for _, b := range data {
		if longer := current + string([]byte{b}); len(current) == 0 || table[longer] != 0 {
			current = longer
			continue
		}
		packer.add(table[current], width)
		table[current+string([]byte{b})] = next
		next++
		if next-1+early >= 1<<width && width < maxWidth {
			width++
		}
		current = string([]byte{b})
		if next > lastCode {
			packer.add(table[current], width)
			current = ""
			reset()
		}
	}
	if current != "" {
		packer.add(table[current], width)
		if next+early >= 1<<width && width < maxWidth {
			width++
		}
	}
	packer.add(endCode, width)
	return packer.out
}

// photo returns an image of three bands of smooth noise, differenced along its rows as by TIFF
// predictor 2.
func photo(width, height int) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	pixels := make([]byte, 0, width*height*3)
	for y := range height {
		var left [3]byte
		for x := range width {
			light := 120 + 60*math.Sin(float64(x)/37)*math.Cos(float64(y)/29)
			grain := random.NormFloat64() * 4
			for band := range 3 {
				value := byte(light + float64(band*10) + grain + random.NormFloat64()*2)
				pixels = append(pixels, value-left[band])
				left[band] = value
			}
		}
	}
	return pixels
}

func samples() map[string][]byte {
	random := rand.New(rand.NewPCG(3, 4))
	noise := make([]byte, 20_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	return map[string][]byte{
		"empty":    {},
		"one byte": {200},
		"zeros":    make([]byte, 300_000),
		"RGB":      bytes.Repeat([]byte{1, 2, 3}, 20_000),
		"text":     bytes.Repeat([]byte("a rose is a rose is a rose. "), 700),
		"photo":    photo(211, 97),
		"noise":    noise,
	}
}

func TestDecode(t *testing.T) {
	var decoder Decoder
	for name, data := range samples() {
		for _, test := range []struct {
			layout string
			src    []byte
			decode func(dst, src []byte) (int, error)
			old    bool
		}{
			{"TIFF 6", encode(data, false, 4093), decoder.Decode, false},
			{"TIFF 6, table filled to the last code", encode(data, false, 4094), decoder.Decode, false},
			{"old", encode(data, true, 4093), decoder.DecodeOld, true},
		} {
			t.Run(name+", "+test.layout, func(t *testing.T) {
				if got := IsOld(test.src); got != test.old {
					t.Errorf("IsOld says %v", got)
				}
				for _, spare := range []int{0, 1, 100} {
					dst := make([]byte, len(data)+spare)
					n, err := test.decode(dst, test.src)
					if err != nil || !bytes.Equal(dst[:n], data) {
						t.Errorf("%d to spare: %d bytes, %v; want %d", spare, n, err, len(data))
					}
				}
			})
		}
	}
}

func TestDecodeAgreesWithGIFOrder(t *testing.T) {
	// The standard library's LZW, least significant bit first, is the old variant.
	for name, data := range samples() {
		var packed bytes.Buffer
		w := stdlzw.NewWriter(&packed, stdlzw.LSB, 8)
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var decoder Decoder
		dst := make([]byte, len(data))
		if n, err := decoder.DecodeOld(dst, packed.Bytes()); err != nil || !bytes.Equal(dst[:n], data) {
			t.Errorf("%s: %d bytes, %v; want %d", name, n, err, len(data))
		}
	}
}

func TestDecodeEnds(t *testing.T) {
	pack := func(codes ...int) []byte {
		packer := bitPacker{highestFirst: true}
		for _, code := range codes {
			packer.add(code, 9)
		}
		return packer.out
	}
	for _, test := range []struct {
		name string
		src  []byte
		room int
		want string
		err  error
	}{
		{"no clear code first", pack('a', 'b', 258, 257), 4, "abab", nil},
		{"string that repeats itself", pack(256, 'a', 258, 259, 257), 6, "aaaaaa", nil},
		{"cleared twice", pack(256, 'a', 256, 256, 'b', 258, 257), 4, "abbb", nil},
		{"no end code, full", pack(256, 'a', 'b'), 2, "ab", nil},
		{"no end code, room left", pack(256, 'a', 'b'), 3, "ab", ErrTruncated},
		{"end code, room left", pack(256, 'a', 257), 3, "a", nil},
		{"more after full", pack(256, 'a', 'b', 257), 1, "a", ErrTooLong},
		{"string cut by the end", pack(256, 'a', 258, 259, 257), 5, "aaaaa", ErrTooLong},
		{"no room", pack(256, 'a', 257), 0, "", ErrTooLong},
		{"nothing", nil, 0, "", nil},
		{"nothing, room left", nil, 1, "", ErrTruncated},
		{"first code not a byte", pack(256, 258, 257), 5, "", ErrCorrupt},
		{"code not there yet", pack(256, 'a', 259, 257), 5, "a", ErrCorrupt},
		{"code from before the clear", pack(256, 'a', 'b', 256, 'c', 259, 257), 5, "abc", ErrCorrupt},
	} {
		t.Run(test.name, func(t *testing.T) {
			var decoder Decoder
			dst := make([]byte, test.room)
			n, err := decoder.Decode(dst, test.src)
			if string(dst[:n]) != test.want || !errors.Is(err, test.err) {
				t.Errorf("got %q, %v; want %q, %v", dst[:n], err, test.want, test.err)
			}
		})
	}
}

func TestDecodeNeverWritesPastDestination(t *testing.T) {
	data := samples()["RGB"]
	src := encode(data, false, 4093)
	var decoder Decoder
	for size := range 2000 {
		guarded := bytes.Repeat([]byte{0xA5}, size+64)
		n, err := decoder.Decode(guarded[:size:size], src)
		if n != size || !errors.Is(err, ErrTooLong) || !bytes.Equal(guarded[:size], data[:size]) {
			t.Fatalf("room for %d: %d, %v; want ErrTooLong", size, n, err)
		}
		if want := bytes.Repeat([]byte{0xA5}, 64); !bytes.Equal(guarded[size:], want) {
			t.Fatalf("room for %d: wrote past it", size)
		}
	}
}

func TestIsOld(t *testing.T) {
	for _, test := range []struct {
		src  []byte
		want bool
	}{
		{nil, false}, {[]byte{0}, false}, {[]byte{0, 1}, true}, {[]byte{0, 3, 9}, true},
		{[]byte{0x80, 0x01}, false}, {[]byte{0, 2}, false},
	} {
		if got := IsOld(test.src); got != test.want {
			t.Errorf("% x: %v", test.src, got)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, sample := range []struct {
		name string
		data []byte
	}{{"photo", photo(512, 512)}, {"flat", make([]byte, 512*512*3)}} {
		src := encode(sample.data, false, 4093)
		dst := make([]byte, len(sample.data))
		b.Run(sample.name+"/ours", func(b *testing.B) {
			var decoder Decoder
			b.SetBytes(int64(len(dst)))
			b.ReportAllocs()
			for b.Loop() {
				if n, err := decoder.Decode(dst, src); n != len(dst) || err != nil {
					b.Fatal(n, err)
				}
			}
		})
		b.Run(sample.name+"/reference", func(b *testing.B) {
			b.SetBytes(int64(len(dst)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := io.ReadFull(xlzw.NewReader(bytes.NewReader(src), xlzw.MSB, 8), dst); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
