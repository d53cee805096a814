package blocks

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"testing"

	"tileserver/decode"
	"tileserver/raster"
)

// bitWriter packs numbers, highest bit first.
type bitWriter struct {
	bytes []byte
	bits  int
}

func (w *bitWriter) put(v uint64, bits int) {
	for b := bits - 1; b >= 0; b-- {
		if w.bits%8 == 0 {
			w.bytes = append(w.bytes, 0)
		}
		w.bytes[len(w.bytes)-1] |= byte(v>>b&1) << (7 - w.bits%8)
		w.bits++
	}
}

func (w *bitWriter) endRow() { w.bits = 8 * len(w.bytes) }

func decodeStored(t *testing.T, l Layout, source []byte, rows, width, height int, samples []int) *raster.Buffer {
	t.Helper()
	target := raster.NewBuffer(l.Type, width, height, len(samples))
	job := Job{Layout: &l, Source: source, Rows: rows, Target: target, Samples: samples}
	if err := AllCodecs()[None].Decode(&job); err != nil {
		t.Fatalf("%+v: %v", l, err)
	}
	return target
}

// TestComplex stores both parts of every number in the file's byte order. The predictor treats both
// parts as one integer, as libtiff does on little-endian machines.
func TestComplex(t *testing.T) {
	for _, test := range []struct {
		name   string
		layout Layout
		source []byte
		want   []byte // in little-endian parts
	}{
		{"int16", Layout{Type: raster.ComplexInt16, Bits: 32}, []byte{2, 1, 4, 3, 6, 5, 8, 7}, []byte{2, 1, 4, 3, 6, 5, 8, 7}},
		{"int16, big", Layout{Type: raster.ComplexInt16, Bits: 32, BigEndian: true}, []byte{1, 2, 3, 4, 5, 6, 7, 8}, []byte{2, 1, 4, 3, 6, 5, 8, 7}},
		{"int16, differences", Layout{Type: raster.ComplexInt16, Bits: 32, Predictor: HorizontalPredictor},
			[]byte{2, 1, 4, 3, 4, 4, 4, 4}, []byte{2, 1, 4, 3, 6, 5, 8, 7}},
		{"int16, big, differences", Layout{Type: raster.ComplexInt16, Bits: 32, BigEndian: true, Predictor: HorizontalPredictor},
			[]byte{3, 4, 1, 2, 4, 4, 4, 4}, []byte{2, 1, 4, 3, 6, 5, 8, 7}},
		{"int16, differences that carry", Layout{Type: raster.ComplexInt16, Bits: 32, Predictor: HorizontalPredictor},
			[]byte{0xff, 0xff, 4, 0, 2, 0, 0, 0}, []byte{0xff, 0xff, 4, 0, 1, 0, 5, 0}},
		{"int32, big", Layout{Type: raster.ComplexInt32, Bits: 64, BigEndian: true},
			[]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0, 7}, []byte{4, 3, 2, 1, 8, 7, 6, 5, 0, 0, 0, 9, 7, 0, 0, 0}},
		{"float64, big", Layout{Type: raster.Complex128, Bits: 128, BigEndian: true, Width: 1},
			[]byte{1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18}, []byte{8, 7, 6, 5, 4, 3, 2, 1, 18, 17, 16, 15, 14, 13, 12, 11}},
	} {
		l := test.layout
		l.Samples = 1
		if l.Width == 0 {
			l.Width = 2
		}
		got := decodeStored(t, l, test.source, 1, l.Width, 1, []int{0}).Plane(0)
		part := l.Type.Part().Size()
		for i := range test.want {
			at := i
			if machineIsBigEndian() {
				at = i - i%part + part - 1 - i%part
			}
			if got[at] != test.want[i] {
				t.Fatalf("%s: got % x, want % x", test.name, got, test.want)
			}
		}
	}
}

// TestFields decodes pixels whose samples differ in type or size.
func TestFields(t *testing.T) {
	u8, u16, i16, f32 := Field{5, raster.Uint8}, Field{16, raster.Uint16}, Field{16, raster.Int16}, Field{32, raster.Float32}
	float := math.Float32bits(2.5)
	for _, test := range []struct {
		name   string
		fields []Field
		result raster.DataType
		big    bool
		source []byte // of one pixel
		want   []float64
	}{
		{"5, 6 and 5 bits, big", []Field{u8, {6, raster.Uint8}, u8}, raster.Uint8, true, []byte{0b10001_110, 0b011_00111}, []float64{17, 51, 7}},
		{"5, 6 and 5 bits, little", []Field{u8, {6, raster.Uint8}, u8}, raster.Uint8, false, []byte{0b011_00111, 0b10001_110}, []float64{17, 51, 7}},
		{"3, 3 and 2 bits", []Field{{3, raster.Uint8}, {3, raster.Uint8}, {2, raster.Uint8}}, raster.Uint8, false, []byte{0b101_110_01}, []float64{5, 6, 1}},
		{"8 and 4 bits", []Field{{8, raster.Uint8}, {4, raster.Uint8}, {4, raster.Uint8}}, raster.Uint8, false, []byte{200, 0x5a}, []float64{200, 5, 10}},
		{"8 and 16 bits, little", []Field{{8, raster.Uint8}, u16}, raster.Uint16, false, []byte{200, 1, 2}, []float64{200, 513}},
		{"8 and 16 bits, big", []Field{{8, raster.Uint8}, u16}, raster.Uint16, true, []byte{200, 1, 2}, []float64{200, 258}},
		{"signed and not", []Field{u16, i16}, raster.Int32, false, []byte{0xff, 0xff, 0xff, 0xff}, []float64{65535, -1}},
		{"4 bits with a sign", []Field{{4, raster.Int8}, {4, raster.Uint8}}, raster.Int8, false, []byte{0xf7}, []float64{-1, 7}},
		{"a float and integers", []Field{f32, i16, u16}, raster.Float32, true,
			append(binary.BigEndian.AppendUint32(nil, float), 0xff, 0xfe, 0xff, 0xfe), []float64{2.5, -2, 65534}},
		{"a half float", []Field{{16, raster.Float32}, {32, raster.Uint32}}, raster.Float64, true,
			[]byte{0x3c, 0, 0xff, 0xff, 0xff, 0xff}, []float64{1, math.MaxUint32}},
	} {
		bits := 0
		for _, f := range test.fields {
			bits = max(bits, f.Bits)
		}
		l := Layout{Width: 3, Samples: len(test.fields), Type: test.result, Bits: bits, BigEndian: test.big, Fields: test.fields}
		var source []byte
		for range 3 * 2 {
			source = append(source, test.source...)
		}
		got := decodeStored(t, l, source, 2, 2, 2, inOrder(l.Samples))
		for s, want := range test.want {
			for at := range 4 {
				if v := sampleAt(got, s, at); v != want {
					t.Errorf("%s: sample %d of pixel %d is %v, want %v", test.name, s, at, v, want)
				}
			}
		}
	}
}

// subsampledBlock returns a subsampled block, built sample by sample.
func subsampledBlock(l Layout, rows int, value func(x, y, s int) uint64) []byte {
	h, v := l.Subsampling.Horizontal, l.Subsampling.Vertical
	out := &bitWriter{}
	put := func(n uint64) {
		if l.Bits == 16 && !l.BigEndian {
			n = n>>8 | n&255<<8
		}
		out.put(n, l.Bits)
	}
	for top := 0; top < rows; top += v {
		for left := 0; left < l.Width; left += h {
			if l.Samples == 1 {
				put(value(left/h, top/v, 1))
				continue
			}
			for y := range v {
				for x := range h {
					put(value(left+x, top+y, 0))
				}
			}
			put(value(left/h, top/v, 1))
			put(value(left/h, top/v, 2))
		}
		out.endRow()
	}
	return out.bytes
}

// TestChromaBlocks decodes every subsampling in blocks whose sides are not multiples of it.
func TestChromaBlocks(t *testing.T) {
	const width, rows = 13, 7
	for _, kind := range []Layout{
		{Type: raster.Uint8, Bits: 8}, {Type: raster.Uint8, Bits: 5}, {Type: raster.Uint16, Bits: 12},
		{Type: raster.Uint16, Bits: 16}, {Type: raster.Uint16, Bits: 16, BigEndian: true},
	} {
		value := func(x, y, s int) uint64 { return uint64(x*7+y*13+s*101+x*y) & (1<<kind.Bits - 1) }
		for i := range 18 {
			l := kind
			l.Width, l.Samples = width, 3
			h, v := []int{1, 2, 4}[i%3], []int{1, 2, 4}[i/3%3]
			l.Subsampling = Subsampling{h, v}
			samples := []int{2, 0, 1}
			if i >= 9 {
				l.Samples, samples = 1, []int{0}
			}
			source := subsampledBlock(l, rows, value)
			if len(source) != l.BlockBytes(rows) {
				t.Fatalf("%+v: %d bytes, want %d", l, l.BlockBytes(rows), len(source))
			}
			got := decodeStored(t, l, source, rows, 11, 6, samples)
			for b, s := range samples {
				for at := range 11 * 6 {
					x, y := at%11, at/11
					want := value(x/h, y/v, max(s, 1))
					if s == 0 && l.Samples > 1 {
						want = value(x, y, 0)
					}
					if v := sampleAt(got, b, at); v != float64(want) {
						t.Fatalf("%+v: sample %d of pixel %d,%d is %v, want %d", l, s, x, y, v, want)
					}
				}
			}
			short := Job{Layout: &l, Source: source[:len(source)-1], Rows: rows, Target: raster.NewBuffer(l.Type, 11, rows, 1), Samples: []int{0}}
			if err := AllCodecs()[None].Decode(&short); !errors.Is(err, decode.ErrCorruptBlock) {
				t.Errorf("%+v: got %v of a block that ends early, want %v", l, err, decode.ErrCorruptBlock)
			}
		}
	}
}

func TestRefusedLayouts(t *testing.T) {
	good := Layout{Width: 10, Samples: 3, Type: raster.Uint8, Bits: 8}
	half := Field{16, raster.Float32}
	for _, test := range []struct {
		name   string
		change func(l *Layout)
	}{
		{"complex floats of another size", func(l *Layout) { l.Type, l.Bits = raster.Complex64, 32 }},
		{"float predictor of complex numbers", func(l *Layout) { l.Type, l.Bits, l.Predictor = raster.Complex64, 64, FloatPredictor }},
		{"differences of 128 bits", func(l *Layout) { l.Type, l.Bits, l.Predictor = raster.Complex128, 128, HorizontalPredictor }},
		{"fewer fields than samples", func(l *Layout) { l.Fields = []Field{{8, raster.Uint8}} }},
		{"a field of no bits", func(l *Layout) { l.Fields = []Field{{8, raster.Uint8}, {0, raster.Uint8}, {8, raster.Uint8}} }},
		{"a field of negative bits", func(l *Layout) { l.Fields = []Field{{8, raster.Uint8}, {-8, raster.Uint8}, {8, raster.Uint8}} }},
		{"a float among integers", func(l *Layout) { l.Bits, l.Type, l.Fields = 16, raster.Uint16, []Field{half, half, half} }},
		{"differences of fields", func(l *Layout) {
			l.Fields, l.Predictor = []Field{{8, raster.Uint8}, {7, raster.Uint8}, {8, raster.Uint8}}, HorizontalPredictor
		}},
		{"subsampled by nothing", func(l *Layout) { l.Subsampling.Horizontal = 2 }},
		{"subsampled by less than nothing", func(l *Layout) { l.Subsampling = Subsampling{2, -2} }},
		{"subsampled by much", func(l *Layout) { l.Subsampling = Subsampling{1 << 40, 1 << 40} }},
		{"four samples subsampled", func(l *Layout) { l.Samples, l.Subsampling = 4, Subsampling{2, 2} }},
		{"complex numbers subsampled", func(l *Layout) { l.Type, l.Bits, l.Subsampling = raster.Complex128, 128, Subsampling{2, 2} }},
		{"a float predictor of chroma", func(l *Layout) {
			l.Samples, l.Predictor, l.Subsampling = 1, FloatPredictor, Subsampling{2, 2}
		}},
		{"differences in chroma blocks", func(l *Layout) { l.Predictor, l.Subsampling = HorizontalPredictor, Subsampling{2, 2} }},
	} {
		l := good
		test.change(&l)
		if err := l.Check(); !errors.Is(err, decode.ErrUnsupported) {
			t.Errorf("%s: got %v, want %v", test.name, err, decode.ErrUnsupported)
		}
	}
}

func BenchmarkClumps(b *testing.B) {
	for _, s := range []Subsampling{{1, 1}, {2, 2}, {4, 4}} {
		l := Layout{Width: 512, Samples: 3, Type: raster.Uint8, Bits: 8, Subsampling: s}
		b.Run(fmt.Sprintf("%dx%d", s.Horizontal, s.Vertical), func(b *testing.B) {
			job := &Job{
				Layout: &l, Source: make([]byte, l.BlockBytes(512)), Rows: 512,
				Target: raster.NewBuffer(l.Type, 512, 512, 3), Samples: inOrder(3),
			}
			codec := AllCodecs()[None]
			b.SetBytes(512 * 512 * 3)
			b.ReportAllocs()
			for b.Loop() {
				if err := codec.Decode(job); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
