package geotiff

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

func bitsOf(coverage []uint8) (bits []byte) {
	for _, covered := range coverage {
		bits = append(bits, min(covered, 1))
	}
	return bits
}

func TestCoverageEncoding(t *testing.T) {
	const pixels = 19 * 23
	mixed, other := patchyCoverage(pixels, 1), patchyCoverage(pixels, 2)
	other[0], other[5] = 255, 0
	whole := bytes.Repeat([]byte{255}, pixels)
	partial := bytes.Repeat([]byte{7}, pixels)
	tests := []struct {
		name     string
		kind     Type
		bands    int
		masking  Masking
		coverage [][]uint8
		alpha    []uint8   // expected in an alpha band; nil for none
		masks    [][]uint8 // expected in a mask image
	}{
		{"no coverage given", Uint8, 1, MaskAuto, nil, nil, nil},
		{"whole", Uint8, 3, MaskAuto, [][]uint8{whole}, nil, nil},
		{"fully covered, several", Uint8, 3, MaskAuto, [][]uint8{whole, whole, whole}, nil, nil},
		{"nil for every band", Uint8, 3, MaskAuto, [][]uint8{nil, nil, nil}, nil, nil},
		{"one", Uint8, 1, MaskAuto, [][]uint8{mixed}, mixed, nil},
		{"three equal planes", Uint16, 3, MaskAuto, [][]uint8{mixed, bytes.Clone(mixed), mixed}, mixed, nil},
		{"partial", Uint8, 3, MaskAuto, [][]uint8{partial}, partial, nil},
		{"two bands", Uint8, 2, MaskAuto, [][]uint8{mixed}, nil, [][]uint8{mixed}},
		{"five bands", Uint16, 5, MaskAuto, [][]uint8{mixed}, nil, [][]uint8{mixed}},
		{"no alpha of the type", Int16, 3, MaskAuto, [][]uint8{mixed}, nil, [][]uint8{mixed}},
		{"float", Float32, 1, MaskAuto, [][]uint8{mixed}, nil, [][]uint8{mixed}},
		{"float, partial", Float32, 1, MaskAuto, [][]uint8{partial}, nil, nil},
		{"bands differ", Uint8, 3, MaskAuto, [][]uint8{mixed, other, mixed}, nil, [][]uint8{mixed, other, mixed}},
		{"a band is fully covered", Float64, 2, MaskAuto, [][]uint8{mixed, nil}, nil, [][]uint8{mixed, whole}},
		{"alpha requested", Uint8, 5, AlphaBand, [][]uint8{mixed}, mixed, nil},
		{"alpha requested, no coverage given", Uint16, 2, AlphaBand, nil, whole, nil},
		{"alpha requested, bands differ", Uint8, 2, AlphaBand, [][]uint8{mixed, other}, maxOf(mixed, other), nil},
		{"alpha requested, a band is fully covered", Uint8, 2, AlphaBand, [][]uint8{mixed, nil}, whole, nil},
		{"mask requested", Uint8, 3, MaskImage, [][]uint8{mixed}, nil, [][]uint8{mixed}},
		{"mask requested, partial", Uint8, 3, MaskImage, [][]uint8{partial}, nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			img := noisyImage(test.kind, 19, 23, test.bands)
			img.Masking, img.Coverage, img.TileSide = test.masking, test.coverage, 16
			file := parse(t, encode(t, img))
			parsed := &file.images[0]
			planes := parsed.planes(t)
			checkBands(t, planes, img, make([]byte, test.kind.Size()))
			checkAlpha(t, parsed, planes[test.bands:], test.kind, test.bands, test.alpha)
			checkMask(t, file.images[1:], test.masks)
		})
	}
}

func maxOf(a, b []uint8) (greater []uint8) {
	for i := range a {
		greater = append(greater, max(a[i], b[i]))
	}
	return greater
}

func checkAlpha(t *testing.T, parsed *parsedImage, rest [][]byte, kind Type, bands int, alpha []uint8) {
	t.Helper()
	extra := parsed.tags[338].numbers()
	want := make([]int, bands-1)
	if alpha == nil {
		if len(rest) != 0 || !slices.Equal(extra, want) {
			t.Errorf("%d more bands, ExtraSamples %v", len(rest), extra)
		}
		return
	}
	if len(rest) != 1 || !slices.Equal(extra, append(want, 2)) {
		t.Fatalf("%d more bands, ExtraSamples %v", len(rest), extra)
	}
	for i, covered := range alpha {
		got, want := int(rest[0][i*kind.Size()]), int(covered)
		if kind == Uint16 {
			got, want = int(binary.LittleEndian.Uint16(rest[0][2*i:])), 257*int(covered)
		}
		if got != want {
			t.Fatalf("alpha %d is %d, want %d", i, got, want)
		}
	}
}

func checkMask(t *testing.T, images []parsedImage, masks [][]uint8) {
	t.Helper()
	if len(masks) == 0 {
		if len(images) != 0 {
			t.Errorf("%d images of masks, want none", len(images))
		}
		return
	}
	if len(images) != 1 {
		t.Fatalf("%d images of masks, want one", len(images))
	}
	parsed := &images[0]
	if parsed.one(254, 0) != 4 || parsed.one(262, 0) != 4 {
		t.Errorf("subfile type %d, photometric %d, want 4 and 4", parsed.one(254, 0), parsed.one(262, 0))
	}
	planes := parsed.planes(t)
	if len(planes) != len(masks) {
		t.Fatalf("%d masks, want %d", len(planes), len(masks))
	}
	for i := range masks {
		if !bytes.Equal(planes[i], bitsOf(masks[i])) {
			t.Errorf("mask %d differs", i)
		}
	}
}

func TestNoData(t *testing.T) {
	tests := []struct {
		kind  Type
		value float64
		text  string
		fill  []byte
	}{
		{Uint8, 255, "255", []byte{255}},
		{Int8, -128, "-128", []byte{0x80}},
		{Int16, -9999, "-9999", []byte{0xf1, 0xd8}},
		{Uint32, 1<<32 - 1, "4294967295", []byte{255, 255, 255, 255}},
		{Uint64, 1 << 62, "4611686018427387904", []byte{0, 0, 0, 0, 0, 0, 0, 0x40}},
		{Int64, -1 << 63, "-9223372036854775808", []byte{0, 0, 0, 0, 0, 0, 0, 0x80}},
		{Float32, math.NaN(), "nan", []byte{0, 0, 0xc0, 0x7f}},
		{Float32, math.Inf(-1), "-inf", []byte{0, 0, 0x80, 0xff}},
		{Float32, -math.MaxFloat32, "-3.4028234663852886e+38", []byte{255, 255, 0x7f, 255}},
		{Float32, -3.4e38, "-3.3999999521443642e+38", []byte{0x9e, 0xc9, 0x7f, 255}},
		{Float64, math.Inf(1), "inf", []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x7f}},
		{Float64, 0.1, "0.1", []byte{0x9a, 0x99, 0x99, 0x99, 0x99, 0x99, 0xb9, 0x3f}},
		{ComplexInt16, -2, "-2", []byte{0xfe, 255, 0, 0}},
		{Complex64, -2, "-2", []byte{0, 0, 0, 0xc0, 0, 0, 0, 0}},
	}
	for _, test := range tests {
		t.Run(test.kind.String()+" "+test.text, func(t *testing.T) {
			img := noisyImage(test.kind, 17, 9, 2)
			img.NoData, img.Coverage = &test.value, [][]uint8{patchyCoverage(17*9, 1), nil}
			file := parse(t, encode(t, img))
			if len(file.images) != 1 {
				t.Fatalf("%d images", len(file.images))
			}
			if got := string(file.images[0].tags[42113].values); got != test.text+"\x00" {
				t.Errorf("GDAL_NODATA %q, want %q", got, test.text)
			}
			planes := file.images[0].planes(t)
			if len(planes) != 2 {
				t.Errorf("%d bands, want 2", len(planes))
			}
			checkBands(t, planes, img, test.fill)
		})
	}
}
