package geotiff

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
)

func encode(t *testing.T, img *Image) []byte {
	t.Helper()
	var encoder Encoder
	out, err := encoder.Encode([]byte("before"), img)
	if err != nil {
		t.Fatal(err)
	}
	if string(out[:6]) != "before" {
		t.Fatalf("dst became %q", out[:6])
	}
	return out[6:]
}

// checkBands compares the samples of the bands. Samples without coverage must equal fill.
func checkBands(t *testing.T, got [][]byte, img *Image, fill []byte) {
	t.Helper()
	size := img.Type.Size()
	for band := range img.Bands {
		want := bytes.Clone(img.Bands[band].Samples)
		for i, covered := range img.coverage(band) {
			if covered == 0 {
				copy(want[i*size:], fill)
			}
		}
		if !bytes.Equal(got[band], want) {
			t.Errorf("the samples of band %d differ", band)
		}
	}
}

var sizes = [][2]int{{1, 1}, {7, 3}, {33, 65}, {300, 1}, {1, 70}}

func TestAllTypes(t *testing.T) {
	formats := map[Type]int{
		Uint8: 1, Int8: 2, Uint16: 1, Int16: 2, Uint32: 1, Int32: 2, Uint64: 1, Int64: 2, Float32: 3, Float64: 3,
		ComplexInt16: 5, ComplexInt32: 5, Complex64: 6, Complex128: 6,
	}
	for kind, format := range formats {
		for _, size := range sizes {
			for _, tileSide := range []int{0, 16, 48} {
				for _, compression := range []Compression{Deflate, Uncompressed} {
					t.Run(fmt.Sprintf("%s %v in %d by %d", kind, size, tileSide, compression), func(t *testing.T) {
						img := noisyImage(kind, size[0], size[1], 2)
						img.TileSide, img.Compression = tileSide, compression
						file := parse(t, encode(t, img))
						if file.big || len(file.images) != 1 {
							t.Fatalf("big %v, %d images", file.big, len(file.images))
						}
						parsed := &file.images[0]
						if got := parsed.tags[339].numbers(); !slices.Equal(got, []int{format, format}) {
							t.Errorf("SampleFormat %v, want %d", got, format)
						}
						checkBands(t, parsed.planes(t), img, nil)
					})
				}
			}
		}
	}
}

func TestBigTIFF(t *testing.T) {
	img := noisyImage(Float32, 37, 41, 3)
	img.Big, img.TileSide, img.Coverage = true, 16, [][]uint8{patchyCoverage(37*41, 1)}
	img.Place = &Place{Transform: Affine{A: 1, E: -1}, EPSG: 3857}
	file := parse(t, encode(t, img))
	if !file.big || len(file.images) != 2 {
		t.Fatalf("big %v, %d images", file.big, len(file.images))
	}
	checkBands(t, file.images[0].planes(t), img, make([]byte, 4))
	if got := file.images[1].planes(t)[0]; !bytes.Equal(got, bitsOf(img.Coverage[0])) {
		t.Error("the mask differs")
	}
}

// The samples of an RGB pixel are adjacent, because simple viewers read nothing else.
func TestRGB(t *testing.T) {
	for _, kind := range []Type{Uint8, Uint16} {
		for _, size := range sizes {
			img := noisyImage(kind, size[0], size[1], 3)
			img.RGB, img.TileSide = true, 32
			parsed := &parse(t, encode(t, img)).images[0]
			if parsed.one(262, 0) != 2 || parsed.one(284, 0) != 1 {
				t.Errorf("photometric %d, planar %d", parsed.one(262, 0), parsed.one(284, 0))
			}
			if extra, ok := parsed.tags[338]; ok {
				t.Errorf("ExtraSamples %v", extra.numbers())
			}
			checkBands(t, parsed.planes(t), img, nil)
		}
	}
}

// Bands beside red, green and blue are extra samples. They are stored separately, so that reading
// one band touches no other.
func TestRGBAndMore(t *testing.T) {
	for _, test := range []struct {
		bands   int
		opacity bool
		extra   []int
	}{{4, false, []int{0}}, {4, true, []int{2}}, {7, true, []int{0, 0, 0, 2}}} {
		img := noisyImage(Uint16, 37, 23, test.bands)
		img.RGB, img.Bands[test.bands-1].IsOpacity = true, test.opacity
		parsed := &parse(t, encode(t, img)).images[0]
		if extra := parsed.tags[338].numbers(); parsed.one(262, 0) != 2 || parsed.one(284, 0) != 2 || !slices.Equal(extra, test.extra) {
			t.Errorf("%+v: photometric %d, planar %d, extra samples %v", test, parsed.one(262, 0), parsed.one(284, 0), extra)
		}
		checkBands(t, parsed.planes(t), img, nil)
	}
}

func TestBlocks(t *testing.T) {
	tests := []struct {
		width, height, tileSide int
		want                    [2]int // 0 for a strip
		blocks                  int
	}{
		{512, 300, 0, [2]int{}, 1},
		{512, 300, 128, [2]int{128, 128}, 12},
		{513, 300, 0, [2]int{256, 256}, 6},
		{300, 2047, 0, [2]int{256, 256}, 16},
		{2048, 513, 0, [2]int{512, 512}, 8},
	}
	for _, test := range tests {
		img := &Image{Type: Uint8, Width: test.width, Height: test.height, TileSide: test.tileSide}
		img.Bands = []Band{{Samples: make([]byte, test.width*test.height)}}
		parsed := &parse(t, encode(t, img)).images[0]
		got := [2]int{parsed.one(322, 0), parsed.one(323, 0)}
		blocks := len(parsed.tags[273].numbers()) + len(parsed.tags[324].numbers())
		if got != test.want || blocks != test.blocks {
			t.Errorf("%+v: %d blocks of %v", test, blocks, got)
		}
	}
}

// A file must not depend on samples without coverage or on earlier images of the encoder.
func TestEqualImagesGiveEqualBytes(t *testing.T) {
	var used Encoder
	for _, kind := range []Type{Uint8, Uint16, Float32, Complex64} {
		img := noisyImage(kind, 61, 47, 3)
		img.Coverage = [][]uint8{patchyCoverage(61*47, 1)}
		first := encode(t, img)
		for i, covered := range img.Coverage[0] {
			if covered == 0 {
				img.Bands[1].Samples[i*kind.Size()] ^= 0x55
			}
		}
		second, err := used.Encode(nil, img)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, second) {
			t.Errorf("%s: different bytes for equal pixels", kind)
		}
	}
}
