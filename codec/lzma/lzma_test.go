package lzma

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func noise(count int) []byte {
	random := rand.New(rand.NewPCG(3, 4))
	data := make([]byte, count)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	return data
}

// photo returns an image of three bands of smooth noise.
func photo(width, height int) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	pixels := make([]byte, 0, width*height*3)
	for y := range height {
		for x := range width {
			light := 120 + 60*math.Sin(float64(x)/37)*math.Cos(float64(y)/29)
			for band := range 3 {
				pixels = append(pixels, byte(light+float64(band*10)+random.NormFloat64()*2))
			}
		}
	}
	return pixels
}

func samples() map[string][]byte {
	return map[string][]byte{
		"empty":          {},
		"one byte":       {7},
		"photo":          photo(67, 41),
		"flat":           make([]byte, 30_000),
		"flat RGB":       bytes.Repeat([]byte{1, 2, 3}, 3_333),
		"noise":          noise(5_001),
		"text":           bytes.Repeat([]byte("the quick brown fox jumps over the lazy dog, "), 200),
		"seven repeated": bytes.Repeat([]byte("1234567"), 300),
		"far back":       append(append(noise(3000), make([]byte, 150_000)...), noise(3000)...),
	}
}

func encoders() map[string]encoder {
	return map[string]encoder{
		"as libtiff does":      {lc: 3, pb: 2, delta: 1},
		"delta of two":         {lc: 3, pb: 2, delta: 2, check: checkCRC64},
		"delta of three":       {lc: 3, pb: 2, delta: 3},
		"delta of four":        {lc: 3, pb: 2, delta: 4, check: checkCRC32},
		"delta of eight":       {lc: 3, pb: 2, delta: 8},
		"delta of 256":         {lc: 3, pb: 2, delta: 256},
		"no delta":             {lc: 3, pb: 2, check: checkSHA256},
		"small chunks":         {lc: 3, pb: 2, chunkBytes: 700, check: checkCRC64},
		"several blocks":       {lc: 3, pb: 2, blockBytes: 1000, check: checkCRC32, statesSizes: true},
		"context only":         {lc: 4, check: checkCRC32},
		"place only":           {lp: 4, pb: 4, check: checkCRC32},
		"neither":              {check: checkCRC32},
		"both":                 {lc: 2, lp: 2, pb: 1, chunkBytes: 999, check: checkCRC32},
		"other choices":        {lc: 1, lp: 3, pb: 3, seed: 99, check: checkCRC32},
		"blocks with a delta":  {lc: 3, pb: 2, delta: 3, blockBytes: 777, check: checkCRC64},
		"chunks with a delta":  {lc: 3, pb: 2, delta: 1, chunkBytes: 333, seed: 7, check: checkCRC64},
		"blocks of many sizes": {lc: 0, lp: 1, pb: 0, blockBytes: 3001, chunkBytes: 1501, seed: 5, statesSizes: true},
	}
}

func TestDecode(t *testing.T) {
	var decoder Decoder
	for encoderName, e := range encoders() {
		for name, data := range samples() {
			t.Run(encoderName+"/"+name, func(t *testing.T) {
				dst := make([]byte, len(data))
				n, err := decoder.Decode(dst, e.file(data))
				if err != nil || !bytes.Equal(dst[:n], data) {
					t.Fatalf("got %d bytes of %d, %v", n, len(data), err)
				}
			})
		}
	}
}

func TestDecodeSeveralStreams(t *testing.T) {
	first, second := photo(20, 11), []byte("second")
	e := encoder{lc: 3, pb: 2, delta: 1, check: checkCRC32}
	for name, between := range map[string]int{"next to each other": 0, "padded": 8} {
		t.Run(name, func(t *testing.T) {
			src := append(append(e.file(first), make([]byte, between)...), encoder{}.file(second)...)
			src = append(src, 0, 0, 0, 0)
			dst := make([]byte, len(first)+len(second)+9)
			var decoder Decoder
			n, err := decoder.Decode(dst, src)
			if want := append(bytes.Clone(first), second...); err != nil || !bytes.Equal(dst[:n], want) {
				t.Fatalf("got %d bytes of %d, %v", n, len(want), err)
			}
		})
	}
}

func TestDecodeIgnoresTrailingBytes(t *testing.T) {
	data := photo(9, 8)
	file := encoder{lc: 3, pb: 2}.file(data)
	for name, more := range map[string]string{
		"other bytes":           "II*\x00",
		"an odd number of zero": "\x00\x00\x00",
		"a stream misplaced":    "\x00\x00\x00" + string(file),
	} {
		t.Run(name, func(t *testing.T) {
			dst := make([]byte, 2*len(data))
			var decoder Decoder
			if n, err := decoder.Decode(dst, append(bytes.Clone(file), more...)); n != len(data) || err != nil {
				t.Fatalf("got %d, %v", n, err)
			}
		})
	}
}

func TestDecodeTooLong(t *testing.T) {
	for encoderName, e := range encoders() {
		data := photo(67, 41)
		file := e.file(data)
		for _, room := range []int{0, 1, 333, 999, 1000, len(data) - 1} {
			t.Run(fmt.Sprint(encoderName, "/", room), func(t *testing.T) {
				dst := make([]byte, room)
				var decoder Decoder
				n, err := decoder.Decode(dst, file)
				if n != room || !errors.Is(err, ErrTooLong) || !bytes.Equal(dst, data[:room]) {
					t.Fatalf("got %d, %v; the bytes are right: %v", n, err, bytes.Equal(dst, data[:room]))
				}
			})
		}
	}
}

func TestDecodeAllocates(t *testing.T) {
	var decoder Decoder
	data := photo(67, 41)
	dst := make([]byte, len(data))
	for name, e := range encoders() {
		file := e.file(data)
		allocations := testing.AllocsPerRun(5, func() {
			if _, err := decoder.Decode(dst, file); err != nil {
				t.Fatal(name, err)
			}
		})
		if allocations != 0 {
			t.Errorf("%s: %v allocations", name, allocations)
		}
	}
}

func TestUndoDelta(t *testing.T) {
	for distance := 1; distance <= 20; distance++ {
		for length := range 70 {
			want := noise(length)
			data := bytes.Clone(want)
			for i := length - 1; i >= distance; i-- {
				data[i] -= data[i-distance]
			}
			if undoDelta(data, distance); !bytes.Equal(data, want) {
				t.Fatalf("%d bytes, %d apart: got %v, want %v", length, distance, data, want)
			}
		}
	}
}
