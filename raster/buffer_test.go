package raster_test

import (
	"math"
	"testing"

	"tileserver/raster"
)

var everyType = []raster.DataType{
	raster.Uint8, raster.Int8, raster.Uint16, raster.Int16, raster.Uint32, raster.Int32,
	raster.Uint64, raster.Int64, raster.Float32, raster.Float64,
}

func TestFreezeEmptiesTheBuffer(t *testing.T) {
	b := raster.NewBuffer(raster.Uint8, 3, 2, 1)
	raster.Writable[uint8](b, 0)[5] = 7
	tile := b.Freeze()
	if got := raster.Samples[uint8](tile, 0)[5]; got != 7 {
		t.Errorf("the tile has %d, want 7", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("the buffer could still be written to")
		}
	}()
	raster.Writable[uint8](b, 0)[5] = 8
}

// Whatever was in the memory of a pool, a buffer in it begins as zeros without coverage.
func TestBuffersInUsedMemoryAreEmpty(t *testing.T) {
	var pool raster.MemoryPool
	for _, dataType := range everyType {
		for _, size := range [][3]int{{5, 3, 1}, {7, 9, 3}, {1, 1, 2}, {0, 4, 1}} {
			width, height, bands := size[0], size[1], size[2]
			memory := pool.Get(raster.CoveredBytes(dataType, width, height, bands))
			b := raster.NewCoveredBufferIn(memory, dataType, width, height, bands)
			planes := [][]byte{b.Validity(0)}
			for band := range bands {
				planes = append(planes, b.Plane(band))
			}
			for i, plane := range planes {
				if want := width * height * dataType.Size(); i > 0 && len(plane) != want || i == 0 && len(plane) != width*height {
					t.Fatalf("%v of %v: plane %d has %d bytes", size, dataType, i, len(plane))
				}
				for at := range plane {
					if plane[at] != 0 {
						t.Fatalf("%v of %v: plane %d begins with %v", size, dataType, i, plane)
					}
					plane[at] = byte(i + 1) // finds planes that overlap, and dirties the memory
				}
			}
			pool.Put(memory)
		}
	}
}

func TestPlanesAreAlignedAndDoNotOverlap(t *testing.T) {
	for _, dataType := range everyType {
		b := raster.NewBuffer(dataType, 3, 5, 3)
		for band := range 3 {
			b.Fill(band, float64(band+1))
			if got := len(b.Plane(band)); got != 15*dataType.Size() || cap(b.Plane(band)) != got {
				t.Errorf("%v: plane of %d bytes with room for %d", dataType, got, cap(b.Plane(band)))
			}
		}
		tile := b.Freeze()
		for band := range 3 {
			for _, at := range [][2]int{{0, 0}, {2, 4}} {
				if value, coverage := tile.At(band, at[0], at[1]); value != float64(band+1) || coverage != raster.Valid {
					t.Errorf("%v band %d: %v with coverage %d", dataType, band, value, coverage)
				}
			}
		}
	}
}

func TestSizeIsTheCapacityOfATile(t *testing.T) {
	const width, height, bands = 5, 3, 2
	plain := raster.NewBuffer(raster.Uint16, width, height, bands).Freeze()
	data := raster.BufferBytes(raster.Uint16, width, height, bands)
	if plain.Size() < data {
		t.Errorf("a tile of %d bytes says %d", data, plain.Size())
	}
	validity := make([]uint8, width*height, 4000)
	if got := plain.WithValidity(validity).Size() - plain.Size(); got != 4000 {
		t.Errorf("a coverage with room for 4000 adds %d", got)
	}
	if (raster.Tile{}).Size() != 0 {
		t.Error("no pixels have a size")
	}
}

func TestFreezeDropsAndSharesValidity(t *testing.T) {
	valid, hole := []uint8{255, 255, 255}, []uint8{255, 0, 255}
	tests := map[string]struct {
		set            func(b *raster.Buffer)
		allValid, own  bool
		first, another uint8 // coverage of pixel 1 in band 0 and 1
	}{
		"none":             {func(b *raster.Buffer) {}, true, false, 255, 255},
		"shared all valid": {func(b *raster.Buffer) { b.SetValidity(valid) }, true, false, 255, 255},
		"shared hole":      {func(b *raster.Buffer) { b.SetValidity(hole) }, false, false, 0, 0},
		"own all valid":    {func(b *raster.Buffer) { b.OwnValidity(1) }, true, false, 255, 255},
		"own equal":        {func(b *raster.Buffer) { b.OwnValidity(0)[1] = 0; b.OwnValidity(1)[1] = 0 }, false, false, 0, 0},
		"own different":    {func(b *raster.Buffer) { b.OwnValidity(1)[1] = 0 }, false, true, 255, 0},
		"shared then own":  {func(b *raster.Buffer) { b.SetValidity(hole); b.OwnValidity(0)[1] = 9 }, false, true, 9, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			b := raster.NewBuffer(raster.Uint8, 3, 1, 2)
			test.set(b)
			tile := b.Freeze()
			if tile.AllValid() != test.allValid || tile.HasOwnValidity() != test.own {
				t.Errorf("all valid %v, own %v; want %v, %v", tile.AllValid(), tile.HasOwnValidity(), test.allValid, test.own)
			}
			for band, want := range []uint8{test.first, test.another} {
				if _, got := tile.At(band, 1, 0); got != want {
					t.Errorf("band %d has coverage %d, want %d", band, got, want)
				}
			}
		})
	}
}

func TestMaskValue(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name     string
		dataType raster.DataType
		samples  []float64
		value    float64
		has      bool
		valid    []bool
	}{
		{"bytes", raster.Uint8, []float64{0, 1, 255}, 0, true, []bool{false, true, true}},
		{"none", raster.Uint8, []float64{0, 1, 255}, 0, false, []bool{true, true, true}},
		{"not of the type", raster.Uint8, []float64{0, 1, 255}, -9999, true, []bool{true, true, true}},
		{"256 is not 0", raster.Uint8, []float64{0, 1, 255}, 256, true, []bool{true, true, true}},
		{"a half is not an integer", raster.Int16, []float64{0, 1, -1}, 0.5, true, []bool{true, true, true}},
		{"negative", raster.Int16, []float64{-32768, 1, 32767}, -32768, true, []bool{false, true, true}},
		{"largest of 64 bits", raster.Uint64, []float64{0, 1, math.MaxUint64}, math.MaxUint64, true, []bool{true, true, false}},
		{"NaN is never valid", raster.Float32, []float64{1, nan, 3}, 3, true, []bool{true, false, false}},
		{"NaN without nodata", raster.Float64, []float64{1, nan, 3}, 0, false, []bool{true, false, true}},
		{"NaN as nodata", raster.Float64, []float64{1, nan, 3}, nan, true, []bool{true, false, true}},
		{"decimals of a float32", raster.Float32, []float64{float64(float32(-3.4e38)), 1, 2}, -3.4e38, true, []bool{false, true, true}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := raster.NewBuffer(test.dataType, 3, 1, 2)
			for i, v := range test.samples {
				put(b, 1, i, v)
			}
			b.MaskValue(1, test.value, test.has)
			tile := b.Freeze()
			for i, want := range test.valid {
				if _, coverage := tile.At(1, i, 0); (coverage == raster.Valid) != want {
					t.Errorf("sample %v has coverage %d", test.samples[i], coverage)
				}
				if _, coverage := tile.At(0, i, 0); coverage != raster.Valid {
					t.Error("another band lost its coverage")
				}
			}
		})
	}
}

func put(b *raster.Buffer, band, at int, v float64) {
	switch b.Type() {
	case raster.Uint8:
		raster.Writable[uint8](b, band)[at] = raster.Clamp[uint8](v)
	case raster.Int16:
		raster.Writable[int16](b, band)[at] = raster.Clamp[int16](v)
	case raster.Uint64:
		raster.Writable[uint64](b, band)[at] = raster.Clamp[uint64](v)
	case raster.Float32:
		raster.Writable[float32](b, band)[at] = float32(v)
	case raster.Float64:
		raster.Writable[float64](b, band)[at] = v
	}
}

func TestClamp(t *testing.T) {
	if got := raster.Clamp[uint8](300); got != 255 {
		t.Errorf("300 as a byte is %d", got)
	}
	if got := raster.Clamp[uint8](-1); got != 0 {
		t.Errorf("-1 as a byte is %d", got)
	}
	if got := raster.Clamp[int8](-127.6); got != -128 {
		t.Errorf("-127.6 as an int8 is %d", got)
	}
	if got := raster.Clamp[uint64](1e30); got != math.MaxUint64 {
		t.Errorf("1e30 as a uint64 is %d", got)
	}
	if got := raster.Clamp[int64](-1e30); got != math.MinInt64 {
		t.Errorf("-1e30 as an int64 is %d", got)
	}
	if got := raster.Clamp[uint16](math.NaN()); got != 0 {
		t.Errorf("NaN as a uint16 is %d", got)
	}
}

func TestCheckFrozenDetectsWrites(t *testing.T) {
	tile := raster.NewBuffer(raster.Uint8, 4, 4, 1).Freeze()
	tile.CheckFrozen()
	raster.Samples[uint8](tile, 0)[3] = 1
	defer func() {
		if noticed := recover() != nil; noticed != checksInvariants {
			t.Errorf("noticed: %v, want %v", noticed, checksInvariants)
		}
	}()
	tile.CheckFrozen()
}

func TestReadingSamplesAsAnotherTypePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a tile of bytes was seen as floats")
		}
	}()
	raster.Samples[float32](raster.NewBuffer(raster.Uint8, 4, 4, 1).Freeze(), 0)
}

func TestDataTypes(t *testing.T) {
	for _, dataType := range everyType {
		if dataType.Size() == 0 || dataType.String() == "" {
			t.Errorf("%d has no size or name", dataType)
		}
	}
	if raster.TypeOf[float32]() != raster.Float32 || raster.TypeOf[int64]() != raster.Int64 {
		t.Error("a Go type has the wrong DataType")
	}
	if got := raster.DataType(99); got.Size() != 0 || got.String() != "datatype(99)" {
		t.Errorf("no type has the size %d and the name %v", got.Size(), got)
	}
}

func TestAnyValid(t *testing.T) {
	none, last := []uint8{raster.Invalid, raster.Invalid}, []uint8{raster.Invalid, 1}
	for _, test := range []struct {
		planes [][]uint8
		want   bool
	}{
		{nil, true}, {[][]uint8{none}, false}, {[][]uint8{last}, true}, {[][]uint8{none, none}, false}, {[][]uint8{none, last}, true},
	} {
		b := raster.NewBuffer(raster.Uint8, 2, 1, 2)
		switch len(test.planes) {
		case 1:
			b.SetValidity(test.planes[0])
		case 2:
			copy(b.OwnValidity(0), test.planes[0])
			copy(b.OwnValidity(1), test.planes[1])
		}
		if got := b.Freeze().AnyValid(); got != test.want {
			t.Errorf("with validity %v any pixel is valid: %v, want %v", test.planes, got, test.want)
		}
	}
}

// A tile merges planes that are all valid or equal, but in a slice of its own: the caller may use
// its planes for another tile.
func TestBandValidityLeavesTheSliceOfTheCaller(t *testing.T) {
	valid, hole := []uint8{raster.Valid, raster.Valid}, []uint8{raster.Invalid, raster.Valid}
	planes := [][]uint8{valid, hole}
	tile := raster.NewBuffer(raster.Uint8, 2, 1, 2).Freeze().WithBandValidity(planes)
	if tile.Validity(0) != nil || tile.Validity(1) == nil {
		t.Fatalf("the coverage is %v and %v", tile.Validity(0), tile.Validity(1))
	}
	if len(planes) != 2 || &planes[0][0] != &valid[0] || &planes[1][0] != &hole[0] {
		t.Errorf("the caller's planes became %v", planes)
	}
	planes[1] = valid
	if tile.AllValid() {
		t.Error("the tile changed with the caller's slice")
	}
}
