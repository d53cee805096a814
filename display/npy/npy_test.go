package npy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"
)

// A file is what a reader of the format finds.
type file struct {
	description string
	shape       [3]int
	data        []byte
}

var header = regexp.MustCompile(`^\{'descr': '([|<][uifc]\d+)', 'fortran_order': False, 'shape': \((\d+), (\d+), (\d+)\), \} *\n$`)

func parse(t *testing.T, raw []byte) file {
	t.Helper()
	if len(raw) < 10 || string(raw[:8]) != "\x93NUMPY\x01\x00" {
		t.Fatalf("the file begins with %q", raw[:min(len(raw), 10)])
	}
	length := int(binary.LittleEndian.Uint16(raw[8:]))
	if (10+length)%64 != 0 || 10+length > len(raw) {
		t.Fatalf("a header of %d bytes in a file of %d", length, len(raw))
	}
	parts := header.FindStringSubmatch(string(raw[10 : 10+length]))
	if parts == nil {
		t.Fatalf("header %q", raw[10:10+length])
	}
	read := file{description: parts[1], data: raw[10+length:]}
	for i := range read.shape {
		read.shape[i], _ = strconv.Atoi(parts[2+i])
	}
	return read
}

func write(t *testing.T, a *Array) file {
	t.Helper()
	raw, err := Append([]byte("before"), a)
	if err != nil {
		t.Fatal(err)
	}
	if string(raw[:6]) != "before" {
		t.Fatalf("dst became %q", raw[:6])
	}
	return parse(t, raw[6:])
}

func noise(n int, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 1))
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(random.Uint32())
	}
	return out
}

// mixedCoverage returns coverage of all values.
func mixedCoverage(n int, seed uint64) []uint8 {
	plane := noise(n, seed)
	for i := range plane {
		switch plane[i] % 3 {
		case 0:
			plane[i] = 0
		case 1:
			plane[i] = 255
		}
	}
	return plane
}

func TestAllTypes(t *testing.T) {
	descriptions := map[Type]string{
		Uint8: "|u1", Int8: "|i1", Uint16: "<u2", Int16: "<i2", Uint32: "<u4", Int32: "<i4", Uint64: "<u8", Int64: "<i8",
		Float32: "<f4", Float64: "<f8", Complex64: "<c8", Complex128: "<c16",
	}
	sizes := [][2]int{{1, 1}, {7, 3}, {1, 40}, {256, 1}}
	for kind, description := range descriptions {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s %v", kind, size), func(t *testing.T) {
				n := size[0] * size[1] * kind.Size()
				bands := [][]byte{noise(n, 1), noise(n, 2)}
				got := write(t, &Array{Type: kind, Width: size[0], Height: size[1], Bands: bands})
				if got.description != description || got.shape != [3]int{2, size[1], size[0]} {
					t.Errorf("got %s of %v, want %s of %v", got.description, got.shape, description, size)
				}
				if !bytes.Equal(got.data, append(bytes.Clone(bands[0]), bands[1]...)) {
					t.Error("the samples differ")
				}
			})
		}
	}
}

func TestUncoveredSamples(t *testing.T) {
	nan, minusOne := math.NaN(), -1.0
	tests := []struct {
		name   string
		kind   Type
		noData *float64
		want   []byte
	}{
		{"zero", Int16, nil, []byte{0, 0}},
		{"minus one", Int16, &minusOne, []byte{255, 255}},
		{"minus one of 64 bits", Int64, &minusOne, bytes.Repeat([]byte{255}, 8)},
		{"NaN", Float32, &nan, []byte{0, 0, 0xc0, 0x7f}},
		{"minus one", Float64, &minusOne, []byte{0, 0, 0, 0, 0, 0, 0xf0, 0xbf}},
		{"complex minus one", Complex64, &minusOne, []byte{0, 0, 0x80, 0xbf, 0, 0, 0, 0}},
	}
	for _, test := range tests {
		t.Run(test.name+" "+test.kind.String(), func(t *testing.T) {
			size := test.kind.Size()
			band := bytes.Repeat([]byte{7}, 5*size)
			a := &Array{Type: test.kind, Width: 5, Height: 1, Bands: [][]byte{band, band}, NoData: test.noData}
			a.Coverage = [][]uint8{{0, 1, 255, 0, 0}, nil}
			got := write(t, a)
			for i, covered := range []bool{false, true, true, false, false, true, true, true, true, true} {
				want := test.want
				if covered {
					want = band[:size]
				}
				if sample := got.data[i*size:][:size]; !bytes.Equal(sample, want) {
					t.Errorf("sample %d is %v, want %v", i, sample, want)
				}
			}
		})
	}
}

func TestMask(t *testing.T) {
	tests := []struct {
		name     string
		coverage [][]uint8
		want     []byte
	}{
		{"none", nil, []byte{255, 255, 255, 255}},
		{"one plane for all", [][]uint8{{0, 1, 128, 255}}, []byte{0, 1, 128, 255}},
		{"one per band", [][]uint8{{0, 1, 0, 7}, {0, 0, 254, 9}}, []byte{0, 1, 254, 9}},
		{"one band fully covered", [][]uint8{{0, 1, 0, 7}, nil}, []byte{255, 255, 255, 255}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := &Array{Type: Uint8, Width: 4, Height: 1, Bands: [][]byte{{1, 2, 3, 4}, {5, 6, 7, 8}}, Mask: true}
			a.Coverage = test.coverage
			got := write(t, a)
			if got.shape != [3]int{3, 1, 4} || !bytes.Equal(got.data[8:], test.want) {
				t.Errorf("got %v of %v, want %v", got.data[8:], got.shape, test.want)
			}
		})
	}
}

// An int8 cannot hold 255, but its mask must still distinguish small coverage from none.
func TestMaskOfEachType(t *testing.T) {
	coverage := []uint8{0, 1, 2, 254, 255}
	tests := []struct {
		kind Type
		want []byte
	}{
		{Int8, []byte{0, 1, 1, 127, 127}},
		{Uint16, []byte{0, 0, 1, 0, 2, 0, 254, 0, 255, 0}},
		{Float32, []byte{0, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x7e, 0x43, 0, 0, 0x7f, 0x43}},
	}
	for _, test := range tests {
		a := &Array{Type: test.kind, Width: 5, Height: 1, Coverage: [][]uint8{coverage}, Mask: true}
		a.Bands = [][]byte{make([]byte, 5*test.kind.Size())}
		if got := write(t, a).data[len(a.Bands[0]):]; !bytes.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.kind, got, test.want)
		}
	}
}

func TestInvalid(t *testing.T) {
	plane := make([]byte, 40)
	half, large, negative := 0.5, 1e300, -1.0
	limit := math.Ldexp(1, 63)
	tests := []struct {
		name  string
		array Array
	}{
		{"no type", Array{Width: 5, Height: 4, Bands: [][]byte{plane}}},
		{"unknown type", Array{Type: Complex128 + 1, Width: 5, Height: 4, Bands: [][]byte{plane}}},
		{"no width", Array{Type: Uint16, Height: 4, Bands: [][]byte{nil}}},
		{"negative sides", Array{Type: Uint16, Width: -5, Height: -4, Bands: [][]byte{plane}}},
		{"huge", Array{Type: Uint16, Width: math.MaxInt, Height: 2, Bands: [][]byte{plane}}},
		{"nothing", Array{Type: Uint16, Width: 5, Height: 4}},
		{"short", Array{Type: Uint16, Width: 5, Height: 4, Bands: [][]byte{plane, plane[:39]}}},
		{"long", Array{Type: Uint16, Width: 5, Height: 3, Bands: [][]byte{plane}}},
		{"nothing but a mask", Array{Type: Uint8, Width: math.MaxInt, Height: 1, Mask: true}},
		{"coverage", Array{Type: Uint16, Width: 5, Height: 4, Bands: [][]byte{plane}, Coverage: [][]uint8{plane}}},
		{"coverages", Array{Type: Uint16, Width: 5, Height: 4, Bands: [][]byte{plane}, Coverage: [][]uint8{nil, nil}}},
		{"nodata half", Array{Type: Uint16, Width: 5, Height: 4, Bands: [][]byte{plane}, NoData: &half}},
		{"nodata negative", Array{Type: Uint16, Width: 5, Height: 4, Bands: [][]byte{plane}, NoData: &negative}},
		{"nodata large", Array{Type: Float32, Width: 5, Height: 2, Bands: [][]byte{plane}, NoData: &large}},
		{"nodata 2^63", Array{Type: Int64, Width: 5, Height: 1, Bands: [][]byte{plane}, NoData: &limit}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Append([]byte("kept"), &test.array)
			if !errors.Is(err, ErrArray) {
				t.Errorf("error %v, want %v", err, ErrArray)
			}
			if string(got) != "kept" {
				t.Errorf("returned %q, want dst unchanged", got)
			}
		})
	}
}

func TestNoAllocation(t *testing.T) {
	a := &Array{Type: Uint16, Width: 33, Height: 5, Bands: [][]byte{noise(330, 1)}, Coverage: [][]uint8{mixedCoverage(165, 2)}, Mask: true}
	out, err := Append(nil, a)
	if err != nil {
		t.Fatal(err)
	}
	if got := testing.AllocsPerRun(10, func() { out, _ = Append(out[:0], a) }); got != 0 {
		t.Errorf("%v allocations, want none", got)
	}
}

func FuzzAppend(f *testing.F) {
	f.Add(uint8(3), uint8(5), uint8(7), uint8(2), uint64(1))
	f.Add(uint8(1), uint8(0), uint8(7), uint8(1), uint64(2))
	f.Add(uint8(12), uint8(200), uint8(1), uint8(0), uint64(3))
	f.Fuzz(func(t *testing.T, kind, width, height, bands uint8, seed uint64) {
		a := Array{Type: Type(kind), Width: int(width), Height: int(height), Mask: seed%2 == 0}
		n := a.Width * a.Height
		for i := range uint64(bands % 5) {
			a.Bands = append(a.Bands, noise(n*a.Type.Size(), seed+i))
			a.Coverage = append(a.Coverage, mixedCoverage(n, seed-i))
		}
		raw, err := Append(nil, &a)
		if a.Type.Size() == 0 || n == 0 || len(a.Bands) == 0 {
			if !errors.Is(err, ErrArray) {
				t.Fatalf("error %v, want %v", err, ErrArray)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		got := parse(t, raw)
		if got.shape != [3]int{a.planes(), a.Height, a.Width} || len(got.data) != n*a.planes()*a.Type.Size() {
			t.Fatalf("%v and %d bytes for %d planes of %d x %d", got.shape, len(got.data), a.planes(), width, height)
		}
		checkSamples(t, got.data, &a)
	})
}

func checkSamples(t *testing.T, data []byte, a *Array) {
	t.Helper()
	size, zero := a.Type.Size(), make([]byte, a.Type.Size())
	for band, plane := range a.Bands {
		for i, covered := range a.Coverage[band] {
			want := plane[i*size:][:size]
			if covered == 0 {
				want = zero
			}
			if !bytes.Equal(data[:size], want) {
				t.Fatalf("band %d, sample %d: %v, want %v", band, i, data[:size], want)
			}
			data = data[size:]
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	const side = 256
	plane := noise(2*side*side, 1)
	a := &Array{Type: Uint16, Width: side, Height: side, Bands: [][]byte{plane, plane, plane, plane}, Mask: true}
	a.Coverage = [][]uint8{mixedCoverage(side*side, 2)}
	b.SetBytes(5 * 2 * side * side)
	b.ReportAllocs()
	var out []byte
	for b.Loop() {
		var err error
		if out, err = Append(out[:0], a); err != nil {
			b.Fatal(err)
		}
	}
}
