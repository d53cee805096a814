package blocks

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"tileserver/decode"
	"tileserver/raster"
)

// layouts returns all kinds of samples that the stream codecs read.
func layouts() []Layout {
	var all []Layout
	add := func(t raster.DataType, bits int, predictors ...Predictor) {
		for _, p := range predictors {
			for _, samples := range []int{1, 2, 3, 4, 5} {
				for _, big := range []bool{false, true} {
					all = append(all, Layout{Width: 37, Samples: samples, Type: t, Bits: bits, BigEndian: big, Predictor: p})
				}
			}
		}
	}
	for _, t := range []raster.DataType{
		raster.Uint8, raster.Int8, raster.Uint16, raster.Int16, raster.Uint32, raster.Int32, raster.Uint64, raster.Int64,
	} {
		add(t, 8*t.Size(), NoPredictor, HorizontalPredictor)
	}
	for _, bits := range []int{16, 24, 32} {
		add(raster.Float32, bits, NoPredictor, FloatPredictor)
	}
	add(raster.Float32, 32, HorizontalPredictor)
	add(raster.Float32, 16, HorizontalPredictor)
	add(raster.Float64, 64, NoPredictor, HorizontalPredictor, FloatPredictor)
	for bits := 1; bits < 8; bits++ {
		add(raster.Uint8, bits, NoPredictor)
	}
	for _, bits := range []int{9, 12, 14, 15} {
		add(raster.Uint16, bits, NoPredictor)
	}
	for _, bits := range []int{17, 24, 31} {
		add(raster.Uint32, bits, NoPredictor)
	}
	for _, bits := range []int{33, 48, 57, 58, 63} {
		add(raster.Uint64, bits, NoPredictor)
	}
	for _, bits := range []int{1, 4, 7} {
		add(raster.Int8, bits, NoPredictor)
	}
	add(raster.Int16, 12, NoPredictor)
	add(raster.Int32, 24, NoPredictor)
	add(raster.Int64, 41, NoPredictor)
	return all
}

func (l Layout) name() string {
	return fmt.Sprintf("%v %d bits x%d big=%v predictor %d", l.Type, l.Bits, l.Samples, l.BigEndian, l.Predictor)
}

// TestStreams decodes all kinds of samples, from blocks of odd size that are wider than the target,
// in full and with one or two bands.
func TestStreams(t *testing.T) {
	codecs := AllCodecs()
	for i, l := range layouts() {
		for compression, compress := range compressors {
			block := newStored(l, 7, uint64(i))
			source := compress(t, block.encode())
			for _, samples := range sampleChoices(l.Samples) {
				target := raster.NewBuffer(l.Type, 35, 5, len(samples)+1)
				job := Job{Layout: &l, Source: source, Rows: 7, Target: target, FirstBand: 1, Samples: samples}
				if err := codecs[compression].Decode(&job); err != nil {
					t.Fatalf("%s, %s, samples %v: %v", l.name(), compression, samples, err)
				}
				checkBlock(t, block, &job)
			}
		}
	}
}

// sampleChoices returns several ways to choose from n samples.
func sampleChoices(n int) [][]int {
	choices := [][]int{inOrder(n), {n - 1}, {n - 1, 0, n - 1}}
	if n > 1 {
		choices = append(choices, []int{n - 1, 0})
	}
	return choices
}

func inOrder(n int) []int {
	samples := make([]int, n)
	for i := range samples {
		samples[i] = i
	}
	return samples
}

func checkBlock(t *testing.T, block stored, job *Job) {
	t.Helper()
	width := job.Target.Width()
	for i, s := range job.Samples {
		for at := range width * job.Target.Height() {
			got := sampleAt(job.Target, job.FirstBand+i, at)
			want := block.value(block.at(at%width, at/width, s))
			if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Fatalf("%s, samples %v: sample %d of pixel %d,%d is %v, want %v",
					job.Layout.name(), job.Samples, s, at%width, at/width, got, want)
			}
		}
	}
}

func TestLowBitFirst(t *testing.T) {
	l := Layout{Width: 13, Samples: 1, Type: raster.Uint8, Bits: 1, LowBitFirst: true}
	block := newStored(l, 3, 1)
	source := block.encode()
	for i := range source {
		source[i] = bits.Reverse8(source[i])
	}
	kept := slices.Clone(source)
	job := Job{Layout: &l, Source: source, Rows: 3, Target: raster.NewBuffer(raster.Uint8, 13, 3, 1), Samples: []int{0}}
	if err := AllCodecs()[None].Decode(&job); err != nil {
		t.Fatal(err)
	}
	checkBlock(t, block, &job)
	if !slices.Equal(source, kept) {
		t.Error("the codec wrote to its source")
	}
}

// TestEnds decodes streams that are shorter or longer than their block.
func TestEnds(t *testing.T) {
	l := Layout{Width: 300, Samples: 3, Type: raster.Uint16, Bits: 16, Predictor: HorizontalPredictor}
	block := newStored(l, 80, 5)
	rows := block.encode()
	longer := newStored(l, 100, 5).encode() // another 20 rows, as in a last strip
	for compression, compress := range compressors {
		for _, test := range []struct {
			name    string
			rows    []byte
			height  int
			corrupt bool
		}{
			{"whole", rows, 80, false},
			{"longer", longer, 80, false},
			{"much longer", append(slices.Clone(rows), make([]byte, 4<<20)...), 80, false},
			{"without the rows below the image", rows[:41*l.RowBytes()], 41, false},
			{"a byte short", rows[:len(rows)-1], 80, true},
			{"empty", nil, 80, true},
		} {
			target := raster.NewBuffer(l.Type, 300, test.height, 3)
			job := Job{Layout: &l, Source: compress(t, test.rows), Rows: 80, Target: target, Samples: inOrder(3)}
			err := AllCodecs()[compression].Decode(&job)
			if errors.Is(err, decode.ErrCorruptBlock) != test.corrupt || !test.corrupt && err != nil {
				t.Errorf("%s, %s: error %v, want one: %v", compression, test.name, err, test.corrupt)
			}
			if err == nil {
				checkBlock(t, block, &job)
			}
		}
	}
}

func TestTruncatedStreams(t *testing.T) {
	l := Layout{Width: 100, Samples: 1, Type: raster.Uint8, Bits: 8}
	rows := newStored(l, 50, 3).encode()
	for compression, compress := range compressors {
		source := compress(t, rows)
		for _, n := range []int{0, 1, 2, len(source) / 2, len(source) - 5} {
			job := Job{Layout: &l, Source: source[:n:n], Rows: 50, Target: raster.NewBuffer(l.Type, 100, 50, 1), Samples: []int{0}}
			if err := AllCodecs()[compression].Decode(&job); !errors.Is(err, decode.ErrCorruptBlock) {
				t.Errorf("%s cut to %d of %d bytes: got %v, want decode.ErrCorruptBlock", compression, n, len(source), err)
			}
		}
	}
}

// TestRejectedJobs decodes jobs that would reach outside their source or target.
func TestRejectedJobs(t *testing.T) {
	good := Layout{Width: 10, Samples: 2, Type: raster.Uint8, Bits: 8}
	for _, test := range []struct {
		name        string
		change      func(l *Layout, j *Job)
		unsupported bool
	}{
		{"no width", func(l *Layout, _ *Job) { l.Width = 0 }, true},
		{"no bits", func(l *Layout, _ *Job) { l.Bits = 0 }, true},
		{"more bits than the type", func(l *Layout, _ *Job) { l.Bits = 9 }, true},
		{"differences of bits", func(l *Layout, _ *Job) { l.Bits, l.Predictor = 4, HorizontalPredictor }, true},
		{"float predictor of integers", func(l *Layout, _ *Job) { l.Predictor = FloatPredictor }, true},
		{"an unknown predictor", func(l *Layout, _ *Job) { l.Predictor = 4 }, true},
		{"no rows", func(_ *Layout, j *Job) { j.Rows = 0 }, true},
		{"fewer rows than the target", func(_ *Layout, j *Job) { j.Rows = 4 }, false},
		{"narrower than the target", func(l *Layout, _ *Job) { l.Width = 9 }, false},
		{"another type", func(l *Layout, _ *Job) { l.Type = raster.Int8 }, false},
		{"too many samples", func(_ *Layout, j *Job) { j.FirstBand = 1 }, false},
		{"a sample that is not there", func(_ *Layout, j *Job) { j.Samples = []int{0, 2} }, false},
		{"a negative sample", func(_ *Layout, j *Job) { j.Samples = []int{-1} }, false},
	} {
		for compression, codec := range AllCodecs() {
			l := good
			j := Job{Layout: &l, Source: make([]byte, 100), Rows: 5, Target: raster.NewBuffer(raster.Uint8, 10, 5, 2), Samples: []int{0, 1}}
			test.change(&l, &j)
			if err := codec.Decode(&j); err == nil || errors.Is(err, decode.ErrUnsupported) != test.unsupported {
				t.Errorf("%s, %s: got %v, want unsupported: %v", compression, test.name, err, test.unsupported)
			}
		}
	}
}

// FuzzStreams decodes arbitrary data with the stream codecs. A block must either decode to the same
// pixels twice or be rejected.
func FuzzStreams(f *testing.F) {
	all := layouts()
	names := []Compression{None, PackBits, LZW, Deflate, ZSTD}
	for i, name := range names {
		block := newStored(all[i*7%len(all)], 7, 1)
		f.Add(byte(i), uint16(i*7), compressors[name](f, block.encode()))
	}
	codecs := AllCodecs()
	f.Fuzz(func(t *testing.T, which byte, layout uint16, source []byte) {
		l := all[int(layout)%len(all)]
		codec := codecs[names[int(which)%len(names)]]
		var outcomes [2][]byte
		for i := range outcomes {
			target := raster.NewBuffer(l.Type, l.Width, 7, l.Samples)
			err := codec.Decode(&Job{Layout: &l, Source: source, Rows: 7, Target: target, Samples: inOrder(l.Samples)})
			if err != nil && !errors.Is(err, decode.ErrCorruptBlock) {
				t.Fatal(err)
			}
			for b := range l.Samples {
				outcomes[i] = append(outcomes[i], target.Plane(b)...)
			}
		}
		if !slices.Equal(outcomes[0], outcomes[1]) {
			t.Fatal("two decodings differ")
		}
	})
}

func BenchmarkStreams(b *testing.B) {
	for _, test := range []struct {
		compression Compression
		layout      Layout
	}{
		{None, Layout{Samples: 1, Type: raster.Uint8, Bits: 8}},
		{None, Layout{Samples: 3, Type: raster.Uint8, Bits: 8}},
		{None, Layout{Samples: 4, Type: raster.Uint8, Bits: 8}},
		{None, Layout{Samples: 8, Type: raster.Uint8, Bits: 8}},
		{None, Layout{Samples: 1, Type: raster.Uint8, Bits: 1}},
		{None, Layout{Samples: 1, Type: raster.Uint16, Bits: 12}},
		{None, Layout{Samples: 3, Type: raster.Uint16, Bits: 16}},
		{None, Layout{Samples: 3, Type: raster.Uint16, Bits: 16, BigEndian: true}},
		{None, Layout{Samples: 1, Type: raster.Float32, Bits: 32}},
		{None, Layout{Samples: 1, Type: raster.Uint8, Bits: 8, Predictor: HorizontalPredictor}},
		{None, Layout{Samples: 3, Type: raster.Uint8, Bits: 8, Predictor: HorizontalPredictor}},
		{None, Layout{Samples: 4, Type: raster.Uint8, Bits: 8, Predictor: HorizontalPredictor}},
		{None, Layout{Samples: 1, Type: raster.Uint16, Bits: 16, Predictor: HorizontalPredictor}},
		{None, Layout{Samples: 1, Type: raster.Float32, Bits: 32, Predictor: FloatPredictor}},
		{PackBits, Layout{Samples: 3, Type: raster.Uint8, Bits: 8}},
		{Deflate, Layout{Samples: 3, Type: raster.Uint8, Bits: 8, Predictor: HorizontalPredictor}},
		{ZSTD, Layout{Samples: 3, Type: raster.Uint8, Bits: 8, Predictor: HorizontalPredictor}},
	} {
		l := test.layout
		l.Width = 512
		b.Run(string(test.compression)+" "+l.name(), func(b *testing.B) {
			block := newStored(l, 512, 1)
			if test.compression == Deflate || test.compression == ZSTD {
				block.paint()
			}
			codec := AllCodecs()[test.compression]
			job := &Job{
				Layout: &l, Source: compressors[test.compression](b, block.encode()), Rows: 512,
				Target: raster.NewBuffer(l.Type, 512, 512, l.Samples), Samples: inOrder(l.Samples),
			}
			b.SetBytes(int64(512 * l.RowBytes()))
			b.ReportAllocs()
			for b.Loop() {
				if err := codec.Decode(job); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// paint fills a block of three bytes a pixel with a photograph.
func (s stored) paint() {
	p := photo(s.layout.Width, s.rows)
	for i := range s.samples {
		s.samples[i] = uint64(p.Pix[i/3*4+i%3])
	}
}

// Stored bytes that several jobs may have are not changed, and only copied where they must be.
func TestStoredBytesAreOnlyRead(t *testing.T) {
	const side = 64
	for _, test := range []struct {
		name   string
		layout Layout
		copies bool
	}{
		{"bytes", Layout{Samples: 1, Type: raster.Uint8, Bits: 8}, false},
		{"bytes of three samples", Layout{Samples: 3, Type: raster.Int8, Bits: 8, BigEndian: true}, false},
		{"words", Layout{Samples: 1, Type: raster.Uint16, Bits: 16, BigEndian: true}, true},
		{"differences", Layout{Samples: 1, Type: raster.Uint8, Bits: 8, Predictor: HorizontalPredictor}, true},
		{"the low bit first", Layout{Samples: 1, Type: raster.Uint8, Bits: 8, LowBitFirst: true}, true},
	} {
		l := test.layout
		l.Width = side
		source := make([]byte, l.BlockBytes(side))
		for i := range source {
			source[i] = byte(i * i)
		}
		before, buffers := bytes.Clone(source), new(scratchPool)
		job := Job{Layout: &l, Source: source, Rows: side, Target: raster.NewBuffer(l.Type, side, side, l.Samples), Samples: inOrder(l.Samples)}
		copied := false
		codec := storedCodec{streamCodec{func(dst, src []byte, _ *Job) (int, error) { copied = true; return copyStored(dst, src) }, buffers}}
		if err := codec.Decode(&job); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(source, before) || copied != test.copies {
			t.Errorf("%s: changed %t, copied %t", test.name, !bytes.Equal(source, before), copied)
		}
		like := job
		like.Target = raster.NewBuffer(l.Type, side, side, l.Samples)
		if err := (streamCodec{ofBytes(copyStored), buffers}).Decode(&like); err != nil {
			t.Fatal(err)
		}
		if !job.Target.Freeze().SamePixels(like.Target.Freeze()) {
			t.Errorf("%s: other samples than of a copy", test.name)
		}
	}
}
