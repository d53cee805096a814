package blocks

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"testing"

	"tileserver/codec/lerc"
	"tileserver/decode"
	"tileserver/raster"
)

// lercImage describes a stream of one blob whose samples are stored uncompressed.
type lercImage struct {
	kind                 lerc.Type
	width, height, depth int
	valid                func(i int) bool // nil if all pixels are valid
	samples              []byte           // of the valid pixels
}

func (m lercImage) blob() []byte {
	order := binary.LittleEndian
	pixels := m.width * m.height
	count, mask := pixels, []byte(nil)
	if m.valid != nil {
		count = 0
		set := make([]byte, (pixels+7)/8)
		for i := range pixels {
			if m.valid(i) {
				count++
				set[i/8] |= 1 << (7 - i%8)
			}
		}
		const end = 0x8000
		mask = append(order.AppendUint16(nil, uint16(len(set))), set...)
		mask = order.AppendUint16(mask, end)
	}
	size := m.kind.Bytes()
	low, high := make([]byte, m.depth*size), bytes.Repeat([]byte{1}, m.depth*size) // not a constant
	body := order.AppendUint32(nil, uint32(len(mask)))
	body = append(append(append(body, mask...), low...), high...)
	const asTheyAre = 1
	body = append(append(body, asTheyAre), m.samples...)

	const headerBytes, version, blockSize = 66, 4, 8
	fields := []uint32{
		uint32(m.height), uint32(m.width), uint32(m.depth), uint32(count), blockSize, uint32(headerBytes + len(body)), uint32(m.kind),
	}
	var rest []byte
	for _, f := range fields {
		rest = order.AppendUint32(rest, f)
	}
	for _, v := range []float64{0, 0, 1} { // no error, and the range
		rest = order.AppendUint64(rest, math.Float64bits(v))
	}
	rest = append(rest, body...)
	out := order.AppendUint32([]byte("Lerc2 "), version)
	return append(order.AppendUint32(out, fletcher32(rest)), rest...)
}

func fletcher32(data []byte) uint32 {
	a, b := uint32(0xffff), uint32(0xffff)
	for i, v := range data {
		word := uint32(v)
		if i%2 == 0 {
			word <<= 8
		}
		a = (a + word) % 0xffff
		if i%2 == 1 || i == len(data)-1 {
			b = (b + a) % 0xffff
		}
	}
	orLast := func(v uint32) uint32 {
		if v == 0 {
			return 0xffff
		}
		return v
	}
	return orLast(b)<<16 | orLast(a)
}

func TestLERC(t *testing.T) {
	nan := math.NaN()
	odd := func(i int) bool { return i%2 == 1 }
	floats := func(values ...float32) (bytes []byte) {
		for _, v := range values {
			bytes = binary.LittleEndian.AppendUint32(bytes, math.Float32bits(v))
		}
		return bytes
	}
	apart := append(
		lercImage{lerc.Float32, 3, 2, 1, odd, floats(1, 3, 5)}.blob(),
		lercImage{lerc.Float32, 3, 2, 1, nil, floats(10, 11, 12, 13, 14, 15)}.blob()...)
	for _, test := range []struct {
		name   string
		layout Layout
		source []byte
		want   [][]float64
	}{
		{"one sample", Layout{Samples: 1, Type: raster.Uint8},
			lercImage{lerc.Uint8, 3, 2, 1, nil, []byte{1, 2, 3, 4, 5, 6}}.blob(), [][]float64{{1, 2, 3, 4, 5, 6}}},
		{"three samples", Layout{Samples: 3, Type: raster.Uint8},
			lercImage{lerc.Uint8, 3, 2, 3, nil, []byte("abcdefghijklmnopqr")}.blob(),
			[][]float64{{97, 100, 103, 106, 109, 112}, {98, 101, 104, 107, 110, 113}, {99, 102, 105, 108, 111, 114}}},
		{"an alpha that is the mask", Layout{Samples: 2, Type: raster.Uint8},
			lercImage{lerc.Uint8, 3, 2, 1, odd, []byte{2, 4, 6}}.blob(), [][]float64{{0, 2, 0, 4, 0, 6}, {0, 255, 0, 255, 0, 255}}},
		{"an alpha of a mask that is full", Layout{Samples: 2, Type: raster.Uint8},
			lercImage{lerc.Uint8, 3, 2, 1, nil, []byte{1, 2, 3, 4, 5, 6}}.blob(),
			[][]float64{{1, 2, 3, 4, 5, 6}, {255, 255, 255, 255, 255, 255}}},
		{"samples of a big-endian file, which are the wrong way round", Layout{Samples: 1, Type: raster.Uint16, BigEndian: true},
			lercImage{lerc.Uint16, 3, 2, 1, nil, []byte{0, 1, 0, 2, 0, 3, 0, 4, 1, 5, 0, 6}}.blob(), [][]float64{{1, 2, 3, 4, 261, 6}}},
		{"floats with a mask", Layout{Samples: 1, Type: raster.Float32},
			lercImage{lerc.Float32, 3, 2, 1, odd, floats(1.5, 3, 5)}.blob(), [][]float64{{nan, 1.5, nan, 3, nan, 5}}},
		{"floats, each band by itself", Layout{Samples: 2, Type: raster.Float32}, apart,
			[][]float64{{nan, 1, nan, 3, nan, 5}, {10, 11, 12, 13, 14, 15}}},
	} {
		for around, compress := range map[Compression]func(testing.TB, []byte) []byte{
			"": func(_ testing.TB, b []byte) []byte { return b }, Deflate: zlibCompressed, ZSTD: zstdCompressed,
		} {
			l := test.layout
			l.Width, l.Bits, l.LERCCompression = 3, 8*l.Type.Size(), around
			target := raster.NewBuffer(l.Type, 2, 2, l.Samples)
			job := &Job{Layout: &l, Source: compress(t, test.source), Rows: 2, Target: target, Samples: inOrder(l.Samples)}
			if err := AllCodecs()[LERC].Decode(job); err != nil {
				t.Errorf("%s within %q: %v", test.name, around, err)
				continue
			}
			for s, want := range test.want {
				for i := range 4 {
					got, want := sampleAt(target, s, i), want[i/2*3+i%2]
					if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
						t.Errorf("%s within %q: sample %d of pixel %d is %v, want %v", test.name, around, s, i, got, want)
					}
				}
			}
		}
	}
}

func TestLERCRefused(t *testing.T) {
	whole := lercImage{lerc.Uint8, 3, 2, 1, nil, []byte{1, 2, 3, 4, 5, 6}}
	good := Layout{Width: 3, Samples: 1, Type: raster.Uint8, Bits: 8}
	for _, test := range []struct {
		name   string
		change func(l *Layout, m *lercImage)
		want   error
	}{
		{"narrower", func(l *Layout, _ *lercImage) { l.Width = 4 }, decode.ErrCorruptBlock},
		{"wider", func(l *Layout, _ *lercImage) { l.Width = 2 }, decode.ErrCorruptBlock},
		{"lower", func(_ *Layout, m *lercImage) { m.height, m.samples = 1, []byte{1, 2, 3} }, decode.ErrCorruptBlock},
		{"higher", func(_ *Layout, m *lercImage) { m.height, m.samples = 3, make([]byte, 9) }, decode.ErrCorruptBlock},
		{"of another type", func(l *Layout, _ *lercImage) { l.Type = raster.Int8 }, decode.ErrCorruptBlock},
		{"of more samples", func(_ *Layout, m *lercImage) { m.depth, m.samples = 2, make([]byte, 12) }, decode.ErrCorruptBlock},
		{"of fewer samples", func(l *Layout, _ *lercImage) { l.Samples = 3 }, decode.ErrCorruptBlock},
		{"integers with a mask", func(_ *Layout, m *lercImage) {
			m.valid, m.samples = func(i int) bool { return i > 0 }, []byte{1, 2, 3, 4, 5}
		}, decode.ErrUnsupported},
		{"packed samples", func(l *Layout, _ *lercImage) { l.Bits = 4 }, decode.ErrUnsupported},
		{"a predictor", func(l *Layout, _ *lercImage) { l.Predictor = HorizontalPredictor }, decode.ErrUnsupported},
		{"within something", func(l *Layout, _ *lercImage) { l.LERCCompression = "something" }, decode.ErrUnsupported},
		{"not within ZSTD", func(l *Layout, _ *lercImage) { l.LERCCompression = ZSTD }, decode.ErrCorruptBlock},
	} {
		l, m := good, whole
		test.change(&l, &m)
		width := min(l.Width, 3)
		job := &Job{Layout: &l, Source: m.blob(), Rows: 2, Target: raster.NewBuffer(l.Type, width, 2, 1), Samples: []int{0}}
		if err := AllCodecs()[LERC].Decode(job); !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, err, test.want)
		}
	}
	source := whole.blob()
	for n := range source {
		job := &Job{Layout: &good, Source: source[:n:n], Rows: 2, Target: raster.NewBuffer(raster.Uint8, 3, 2, 1), Samples: []int{0}}
		if err := AllCodecs()[LERC].Decode(job); !errors.Is(err, decode.ErrCorruptBlock) {
			t.Errorf("%d of %d bytes: got %v, want %v", n, len(source), err, decode.ErrCorruptBlock)
		}
	}
}

// FuzzBlocks decodes arbitrary data with the codecs that work on pixels. A block must either decode
// to the same pixels twice or be rejected.
func FuzzBlocks(f *testing.F) {
	all := streams()
	for i, s := range all {
		f.Add(byte(i), byte(s.rows), unhex(f, s.source))
	}
	f.Add(byte(len(all)), byte(2), lercImage{lerc.Uint8, 3, 2, 3, nil, []byte("abcdefghijklmnopqr")}.blob())
	f.Add(byte(len(all)+1), byte(2), lercImage{lerc.Float32, 3, 2, 1, func(i int) bool { return i > 3 }, make([]byte, 8)}.blob())
	all = append(all,
		stream{name: "LERC", compression: LERC, layout: Layout{Width: 3, Samples: 3, Type: raster.Uint8, Bits: 8}},
		stream{name: "LERC of floats", compression: LERC, layout: Layout{Width: 3, Samples: 1, Type: raster.Float32, Bits: 32}})
	codecs := AllCodecs()
	f.Fuzz(func(t *testing.T, which, rows byte, source []byte) {
		s := all[int(which)%len(all)]
		l := s.layout
		var outcomes [2]string
		for i := range outcomes {
			target := raster.NewBuffer(l.Type, l.Width, max(int(rows)/2, 1), l.Samples)
			job := &Job{Layout: &l, Source: source, Rows: max(int(rows), 1), Target: target, Samples: inOrder(l.Samples)}
			err := codecs[s.compression].Decode(job)
			if err != nil && !errors.Is(err, decode.ErrCorruptBlock) && !errors.Is(err, decode.ErrUnsupported) {
				t.Fatal(err)
			}
			outcomes[i] = fmt.Sprint(err)
			for b := range l.Samples {
				if err == nil {
					outcomes[i] += string(target.Plane(b))
				}
			}
		}
		if outcomes[0] != outcomes[1] {
			t.Fatalf("two decodings differ: %q and %q", outcomes[0], outcomes[1])
		}
	})
}
