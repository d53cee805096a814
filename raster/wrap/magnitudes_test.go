package wrap_test

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"reflect"
	"testing"

	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/raster/wrap"
)

// complexes has two bands of complex numbers in 5 by 3 pixels and odd blocks.
type complexes struct {
	info   raster.Info
	number func(band, x, y int) complex128
}

func complexesOf(t raster.DataType, number func(band, x, y int) complex128) *complexes {
	return &complexes{rastertest.Flat(t, 5, 3, 2, 2, 2), number}
}

func (c *complexes) Key() string        { return "c@1" }
func (c *complexes) Info() *raster.Info { return &c.info }

func (c *complexes) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if err := c.info.CheckRequest(level, ids, bands); err != nil || ctx.Err() != nil {
		return nil, cmp.Or(err, ctx.Err())
	}
	if bands == nil {
		bands = c.info.AllBands()
	}
	tiles := make([]raster.Tile, len(ids))
	for n, id := range ids {
		r := c.info.Levels[level].Block(id)
		b := raster.NewBuffer(c.info.Type, r.Width(), r.Height(), len(bands))
		for i, band := range bands {
			plane := b.Plane(i)[:0]
			for y := r.Y0; y < r.Y1; y++ {
				for x := r.X0; x < r.X1; x++ {
					plane = appendComplex(plane, c.info.Type, c.number(band, x, y))
				}
			}
			if id.Col == 1 && band == 0 {
				b.OwnValidity(i)[0] = raster.Invalid
			}
		}
		tiles[n] = b.Freeze()
	}
	return tiles, nil
}

func appendComplex(plane []byte, t raster.DataType, v complex128) []byte {
	native := binary.NativeEndian
	for _, part := range []float64{real(v), imag(v)} {
		switch t {
		case raster.ComplexInt16:
			plane = native.AppendUint16(plane, uint16(int16(part)))
		case raster.ComplexInt32:
			plane = native.AppendUint32(plane, uint32(int32(part)))
		case raster.Complex64:
			plane = native.AppendUint32(plane, math.Float32bits(float32(part)))
		case raster.Complex128:
			plane = native.AppendUint64(plane, math.Float64bits(part))
		}
	}
	return plane
}

func TestMagnitudesPassTheSuite(t *testing.T) {
	number := func(band, x, y int) complex128 { return complex(float64(100*band-3*x*y), float64(7*x-40*y)) }
	for _, dataType := range []raster.DataType{raster.ComplexInt16, raster.ComplexInt32, raster.Complex64, raster.Complex128} {
		t.Run(dataType.String(), func(t *testing.T) {
			rastertest.Suite{
				Open:      func(*testing.T) raster.Provider { return wrap.Magnitudes(complexesOf(dataType, number)) },
				Tolerance: 1e-5,
				Want: func(_, band, x, y int) (float64, bool) {
					v := number(band, x, y)
					return math.Hypot(real(v), imag(v)), !(band == 0 && x == 2 && y%2 == 0)
				},
			}.Run(t)
		})
	}
}

func TestMagnitudesAtTheEnds(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	tests := map[string]struct {
		dataType raster.DataType
		number   complex128
		want     float64
		valid    bool
	}{
		"largest of int16":  {raster.ComplexInt16, complex(-32768, -32768), 32768 * math.Sqrt2, true},
		"largest of int32":  {raster.ComplexInt32, complex(-1<<31, -1<<31), 1 << 31 * math.Sqrt2, true},
		"large of floats":   {raster.Complex64, complex(2e38, 1e38), math.Sqrt(5) * 1e38, true},
		"small of floats":   {raster.Complex64, complex(3e-30, 4e-30), 5e-30, true},
		"large of doubles":  {raster.Complex128, complex(3e300, 4e300), 5e300, true},
		"nothing":           {raster.Complex128, 0, 0, true},
		"real is no number": {raster.Complex64, complex(nan, 1), 0, false},
		"imaginary is none": {raster.Complex128, complex(1, nan), 0, false},
		"without end":       {raster.Complex64, complex(inf, 1), inf, true},
	}
	for name, test := range tests {
		m := wrap.Magnitudes(complexesOf(test.dataType, func(int, int, int) complex128 { return test.number }))
		tiles, err := m.Blocks(context.Background(), 0, []raster.BlockID{{}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, coverage := tiles[0].At(1, 1, 1)
		if valid := coverage == raster.Valid; valid != test.valid || valid && got != test.want && math.Abs(got/test.want-1) > 1e-6 {
			t.Errorf("%s: %v with coverage %d, want %v, valid %v", name, got, coverage, test.want, test.valid)
		}
	}
}

func TestMagnitudesAdjustBands(t *testing.T) {
	source := complexesOf(raster.Complex128, func(int, int, int) complex128 { return 0 })
	source.info.Pad = -5
	source.info.Bands[0] = raster.Band{Name: "s", NoData: -5, HasNoData: true, Scale: -2, Unit: "V", Stored: &raster.StoredStatistics{Min: -5}}
	source.info.Bands[1] = raster.Band{Scale: 2, Offset: 1, Unit: "V"}
	m := wrap.Magnitudes(source)
	info := m.Info()
	if !info.Magnitudes {
		t.Error("Info does not say that samples are magnitudes")
	}
	if info.Type != raster.Float64 || info.Pad != 5 || m.Key() == source.Key() {
		t.Errorf("samples are %v, padded by %v, under the key %q", info.Type, info.Pad, m.Key())
	}
	for i, want := range []raster.Band{{Name: "s", Scale: 2, Unit: "V"}, {}} {
		if !reflect.DeepEqual(info.Bands[i], want) {
			t.Errorf("band %d is %+v, want %+v", i, info.Bands[i], want)
		}
	}
	if source.info.Bands[0].NoData != -5 {
		t.Error("the info of the source was written")
	}
}

func TestMagnitudesAreSparse(t *testing.T) {
	source := sparse{complexesOf(raster.Complex64, func(int, int, int) complex128 { return 0 }), raster.Rect{X1: 2, Y1: 3}}
	m := wrap.Magnitudes(source)
	for x, want := range map[int]bool{0: false, 1: false, 2: true} {
		if got, err := raster.IsEmpty(context.Background(), m, 0, raster.Rect{X0: x, X1: 5, Y1: 3}); err != nil || got != want {
			t.Errorf("from column %d on it is empty: %v, %v, want %v", x, got, err, want)
		}
	}
}

func TestMagnitudesPassCapabilitiesOn(t *testing.T) {
	source := complexesOf(raster.Complex64, func(band, x, y int) complex128 { return complex(float64(x+band), float64(y)) })
	rastertest.CheckWrapper(t, source, wrap.Magnitudes, rastertest.Windows, rastertest.StoredPictures)
}
