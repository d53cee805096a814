package decoder

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// photo returns an image of three bands of smooth noise, differenced along its rows as by TIFF
// predictor 2.
func photo(width, height int) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	pixels := make([]byte, 0, width*height*3)
	for y := range height {
		var left [3]byte
		for x := range width {
			light := 120 + 60*math.Sin(float64(x)/37)*math.Cos(float64(y)/29) + 20*math.Sin(float64(x*y)/900)
			grain := random.NormFloat64() * 5
			for band := range 3 {
				value := byte(light + float64(band*10) + grain + random.NormFloat64()*3)
				pixels = append(pixels, value-left[band])
				left[band] = value
			}
		}
	}
	return pixels
}

func noise(count int) []byte {
	random := rand.New(rand.NewPCG(3, 4))
	data := make([]byte, count)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	return data
}

// texture returns data with matches of many lengths at many distances.
func texture(count int) []byte {
	random := rand.New(rand.NewPCG(5, 6))
	data := noise(400)
	for len(data) < count {
		from := random.IntN(min(len(data), 32768))
		length := 3 + random.IntN(300)
		for range length {
			data = append(data, data[len(data)-1-from])
		}
	}
	return data[:count]
}

// differences returns differences of noisy samples of two bytes, which compress to literals and
// short matches in no order.
func differences(n int) []byte {
	data := make([]byte, 0, 2*n)
	for _, b := range noise(n) {
		data = binary.LittleEndian.AppendUint16(data, uint16(bits.OnesCount8(b))*3-12)
	}
	return data
}

func samples() map[string][]byte {
	return map[string][]byte{
		"empty":          {},
		"one byte":       {7},
		"photo":          photo(129, 67),
		"wide photo":     photo(700, 300),
		"flat":           make([]byte, 100_000),
		"flat RGB":       bytes.Repeat([]byte{1, 2, 3}, 33_333),
		"noise":          noise(70_001),
		"texture":        texture(150_000),
		"differences":    differences(60_000),
		"text":           bytes.Repeat([]byte("the quick brown fox jumps over the lazy dog, "), 900),
		"seven repeated": bytes.Repeat([]byte("1234567"), 1000),
		"five repeated":  bytes.Repeat([]byte("12345"), 1000),
	}
}

func deflated(t testing.TB, data []byte, level int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, level)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zlibbed(t testing.TB, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestRawRoundTrip(t *testing.T) {
	var decoder Decoder
	for name, data := range samples() {
		for level := flate.HuffmanOnly; level <= flate.BestCompression; level++ {
			src := deflated(t, data, level)
			for _, spare := range []int{0, 1, 400} {
				dst := bytes.Repeat([]byte{0xA5}, len(data)+spare)
				n, err := decoder.Raw(dst, src)
				if err != nil || !bytes.Equal(dst[:n], data) {
					t.Errorf("%s, level %d, %d to spare: %d bytes, %v; want %d", name, level, spare, n, err, len(data))
				}
			}
		}
	}
}

func TestRawNeverWritesPastDestination(t *testing.T) {
	var decoder Decoder
	data := samples()["texture"]
	src := deflated(t, data, 6)
	for size := len(data) - 700; size < len(data); size++ {
		guarded := bytes.Repeat([]byte{0xA5}, size+300)
		n, err := decoder.Raw(guarded[:size:size], src)
		if n != size || !errors.Is(err, ErrTooLong) {
			t.Fatalf("room for %d: %d, %v; want ErrTooLong", size, n, err)
		}
		if !bytes.Equal(guarded[:size], data[:size]) {
			t.Fatalf("room for %d: wrong bytes", size)
		}
		if i := bytes.IndexFunc(guarded[size:], func(r rune) bool { return r != 0xFFFD }); i >= 0 {
			t.Fatalf("room for %d: wrote at %d", size, size+i)
		}
	}
}

func TestRawTruncated(t *testing.T) {
	var decoder Decoder
	for name, data := range map[string][]byte{"photo": photo(60, 40), "noise": noise(900), "text": []byte("banana banana banana")} {
		for _, level := range []int{0, 1, 9, flate.HuffmanOnly} {
			src := deflated(t, data, level)
			dst := make([]byte, len(data))
			for length := range len(src) {
				n, err := decoder.Raw(dst, src[:length])
				if !errors.Is(err, ErrTruncated) || !bytes.Equal(dst[:n], data[:n]) {
					t.Fatalf("%s, level %d, %d of %d bytes: %d, %v; want ErrTruncated", name, level, length, len(src), n, err)
				}
			}
		}
	}
}

func TestZlib(t *testing.T) {
	var decoder Decoder
	data := photo(100, 31)
	good := zlibbed(t, data)
	change := func(at int, to byte) []byte {
		changed := bytes.Clone(good)
		changed[at] = to
		return changed
	}
	for _, test := range []struct {
		name string
		src  []byte
		room int
		want error
		n    int
	}{
		{"good", good, len(data), nil, len(data)},
		{"more room", good, len(data) + 50, nil, len(data)},
		{"bytes after the stream", append(bytes.Clone(good), 1, 2, 3), len(data), nil, len(data)},
		{"empty", nil, 5, ErrTruncated, 0},
		{"half a header", good[:1], 5, ErrTruncated, 0},
		{"no method", change(0, 0x77), 5, ErrCorrupt, 0},
		{"window too large", change(0, 0x88), 5, ErrCorrupt, 0},
		{"header check", change(1, good[1]^1), 5, ErrCorrupt, 0},
		{"dictionary", append([]byte{0x78, 0xBB}, good[2:]...), 5, ErrCorrupt, 0},
		{"wrong checksum", change(len(good)-1, good[len(good)-1]^1), len(data), ErrChecksum, len(data)},
		{"wrong checksum is corrupt", change(len(good)-1, good[len(good)-1]^1), len(data), ErrCorrupt, len(data)},
		{"no checksum", good[:len(good)-4], len(data), ErrTruncated, len(data)},
		{"half a checksum", good[:len(good)-2], len(data), ErrTruncated, len(data)},
		{"too little room", good, len(data) - 1, ErrTooLong, len(data) - 1},
		{"no room", good, 0, ErrTooLong, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			dst := make([]byte, test.room)
			n, err := decoder.Zlib(dst, test.src)
			if !errors.Is(err, test.want) || n != test.n {
				t.Errorf("got %d, %v; want %d, %v", n, err, test.n, test.want)
			}
			if !bytes.Equal(dst[:n], data[:n]) {
				t.Error("wrong bytes")
			}
		})
	}
}
