package encoder

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"tileserver/codec/lerc"
)

// imageOf returns an image of waves with noise, and of holes if masked is set.
func imageOf(t lerc.Type, width, height, depth int, amplitude float64, masked bool) *Image {
	random := rand.New(rand.NewPCG(uint64(width), uint64(t)))
	img := &Image{Type: t, Width: width, Height: height, Depth: depth}
	for i := range width * height * depth {
		v := amplitude * (1 + math.Sin(float64(i)/40) + random.Float64()/4)
		switch t {
		case lerc.Float32:
			img.Samples = binary.LittleEndian.AppendUint32(img.Samples, math.Float32bits(float32(v)))
		case lerc.Float64:
			img.Samples = binary.LittleEndian.AppendUint64(img.Samples, math.Float64bits(v))
		default:
			img.Samples = appendInteger(img.Samples, t.Bytes(), int64(v)-int64(amplitude/2))
		}
	}
	if masked {
		img.Valid = make([]uint8, width*height)
		for i := range img.Valid {
			if i/50%3 > 0 || random.IntN(3) == 0 {
				img.Valid[i] = 1
			}
		}
	}
	return img
}

func check(t *testing.T, img *Image, blob []byte) {
	t.Helper()
	h, err := lerc.ReadHeader(blob)
	if err != nil {
		t.Fatal(err)
	}
	if h.Type != img.Type || h.Width != img.Width || h.Height != img.Height || h.Depth != img.Depth || h.Bytes != len(blob) {
		t.Fatalf("%+v of %d bytes", h, len(blob))
	}
	words := make([]uint64, (len(img.Samples)+7)/8)
	got := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(img.Samples))
	mask := make([]byte, img.Width*img.Height)
	if err := new(lerc.Decoder).Decode(got, mask, blob); err != nil {
		t.Fatal(err)
	}
	pixelBytes := img.Depth * img.Type.Bytes()
	for pixel := range mask {
		isValid := img.Valid == nil || img.Valid[pixel] != 0
		if (mask[pixel] != 0) != isValid {
			t.Fatalf("pixel %d is valid: %v", pixel, !isValid)
		}
		if sample, want := got[pixel*pixelBytes:][:pixelBytes], img.Samples[pixel*pixelBytes:][:pixelBytes]; isValid && !bytes.Equal(sample, want) {
			t.Fatalf("pixel %d is %v, want %v", pixel, sample, want)
		}
	}
}

func TestSamplesAreDecodedAsTheyWere(t *testing.T) {
	var encoder Encoder
	for kind := lerc.Int8; kind <= lerc.Float64; kind++ {
		for _, amplitude := range []float64{0, 0.9, 12, 100, 30_000, 2e9} {
			for _, masked := range []bool{false, true} {
				t.Run(fmt.Sprint(kind, amplitude, masked), func(t *testing.T) {
					for _, size := range [][3]int{{64, 48, 1}, {1, 1, 1}, {131, 9, 3}, {7, 77, 4}} {
						img := imageOf(kind, size[0], size[1], size[2], amplitude, masked)
						blob, err := encoder.Append([]byte("before"), img)
						if err != nil {
							t.Fatal(err)
						}
						check(t, img, bytes.TrimPrefix(blob, []byte("before")))
					}
				})
			}
		}
	}
}

func TestImagesWithoutValidPixels(t *testing.T) {
	for _, kind := range []lerc.Type{lerc.Uint16, lerc.Float32} {
		img := imageOf(kind, 20, 20, 2, 50, true)
		clear(img.Valid)
		blob, err := new(Encoder).Append(nil, img)
		if err != nil {
			t.Fatal(err)
		}
		check(t, img, blob)
	}
}

func TestNaNInValidPixelsIsKept(t *testing.T) {
	img := imageOf(lerc.Float32, 9, 9, 2, 0, false) // all others are equal
	for i := 0; i < len(img.Samples); i += 20 {
		binary.LittleEndian.PutUint32(img.Samples[i:], 0x7fc00000)
	}
	blob, err := new(Encoder).Append(nil, img)
	if err != nil {
		t.Fatal(err)
	}
	check(t, img, blob)
}

func TestSmallDifferencesTakeFewBits(t *testing.T) {
	img := imageOf(lerc.Int32, 256, 256, 1, 10, false)
	blob, err := new(Encoder).Append(nil, img)
	if err != nil || len(blob) > len(img.Samples)/5 {
		t.Errorf("%d bytes of %d, %v", len(blob), len(img.Samples), err)
	}
	check(t, img, blob)
	noise := imageOf(lerc.Uint32, 64, 64, 1, 2e9, false)
	for i := range noise.Samples {
		noise.Samples[i] = byte(i * i * 31 >> 3)
	}
	if blob, err = new(Encoder).Append(nil, noise); err != nil || len(blob) > len(noise.Samples)+200 {
		t.Errorf("%d bytes of %d, %v", len(blob), len(noise.Samples), err)
	}
}

func TestInvalidImagesAreErrors(t *testing.T) {
	for name, change := range map[string]func(*Image){
		"no pixels": func(img *Image) { img.Width = 0 },
		"no depth":  func(img *Image) { img.Depth = 0 },
		"type":      func(img *Image) { img.Type = lerc.Float64 + 1 },
		"samples":   func(img *Image) { img.Samples = img.Samples[1:] },
		"validity":  func(img *Image) { img.Valid = make([]uint8, 5) },
		"too large": func(img *Image) { img.Width, img.Height = 1<<30, 1<<30 },
	} {
		img := imageOf(lerc.Uint8, 8, 8, 1, 9, false)
		change(img)
		if out, err := new(Encoder).Append([]byte("x"), img); !errors.Is(err, ErrImage) || string(out) != "x" {
			t.Errorf("%s: %q, %v", name, out, err)
		}
	}
}

func FuzzRoundTrip(f *testing.F) {
	f.Add(uint8(9), uint8(17), uint8(2), uint8(1), []byte("samples"), []byte{1})
	f.Add(uint8(64), uint8(3), uint8(5), uint8(2), []byte{255, 255, 0, 128, 7}, []byte{1, 0, 1})
	f.Add(uint8(2), uint8(2), uint8(6), uint8(0), []byte{0, 0, 0, 0, 0, 0, 0, 128}, []byte{}) // 0 and -0
	f.Add(uint8(2), uint8(2), uint8(7), uint8(1), []byte{0, 0, 0, 0, 0, 0, 0, 128}, []byte{1, 0})
	f.Add(uint8(2), uint8(2), uint8(6), uint8(1), []byte{0, 0, 192, 255, 1, 0, 128, 127, 0, 0, 128, 255}, []byte{}) // NaN, infinity
	f.Fuzz(func(t *testing.T, width, height, kind, depth uint8, samples, valid []byte) {
		img := &Image{Type: lerc.Type(kind % 8), Width: int(width) + 1, Height: int(height) + 1, Depth: int(depth)%4 + 1}
		img.Samples = make([]byte, img.Width*img.Height*img.Depth*img.Type.Bytes())
		for filled := 0; len(samples) > 0 && filled < len(img.Samples); {
			filled += copy(img.Samples[filled:], samples)
		}
		if len(valid) > 0 {
			img.Valid = make([]uint8, img.Width*img.Height)
			for i := range img.Valid {
				img.Valid[i] = valid[i%len(valid)]
			}
		}
		blob, err := new(Encoder).Append(nil, img)
		if err != nil {
			t.Fatal(err)
		}
		check(t, img, blob)
	})
}
