package blocks

import (
	"encoding/hex"
	"errors"
	"math/bits"
	"slices"
	"testing"

	"tileserver/decode"
	"tileserver/raster"
)

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	bytes, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

// stream is a stored block and the samples that it should decode to.
type stream struct {
	name        string
	compression Compression
	layout      Layout
	rows        int
	source      string
	want        [][]float64 // by sample
}

func streams() []stream {
	bits := func(bits, width int) Layout { return Layout{Width: width, Samples: 1, Type: raster.Uint8, Bits: bits} }
	black4to6 := []float64{0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0}
	ramp := func(band int) (samples []float64) {
		for i := range 15 {
			samples = append(samples, float64((i%5*20+i/5*7+band*50)%256))
		}
		return samples
	}
	return []stream{
		// White runs of 4 and 7 pixels are 1011 and 1111, a black one of 2 is 11.
		{"RLE", CCITTRLE, bits(1, 13), 1, "bfc0", [][]float64{black4to6}},
		{"RLE at every other byte", CCITTRLEW, bits(1, 13), 2, "bfc0bfc0", [][]float64{slices.Concat(black4to6, black4to6)}},
		// The same behind 000000000001, which ends the row before.
		{"group 3", CCITTFax3, bits(1, 13), 1, "001bfc", [][]float64{black4to6}},
		// Horizontal mode is 001, followed by a run of each color. Then 1 means no change to the
		// end of the row; the next row repeats it.
		{"group 4", CCITTFax4, bits(1, 13), 2, "37f800", [][]float64{slices.Concat(black4to6, black4to6)}},
		{"NeXT, a row as it is", NeXT, bits(2, 6), 1, "001b90", [][]float64{{0, 1, 2, 3, 2, 1}}},
		{"ThunderScan", ThunderScan, bits(4, 3), 1, "c5c1cf", [][]float64{{5, 1, 15}}},
		{"SGILog of luminance", SGILog, Layout{Width: 3, Samples: 1, Type: raster.Int16, Bits: 16, BigEndian: true}, 1,
			"0301ff40" + "03020304", [][]float64{{258, -253, 0x4004}}},
		{"SGILog words", SGILog, Layout{Width: 2, Samples: 1, Type: raster.Uint32, Bits: 32}, 1,
			"020102" + "020304" + "020506" + "020708", [][]float64{{0x01030507, 0x02040608}}},
		{"SGILog in three", SGILog, Layout{Width: 2, Samples: 3, Type: raster.Int16, Bits: 16}, 1,
			"020180" + "020300" + "0200ff" + "020a0a", [][]float64{{259, -32768}, {39, 20420}, {839, 839}}},
		{"LZMA", LZMA, Layout{Width: 13, Samples: 1, Type: raster.Uint8, Bits: 8, Predictor: HorizontalPredictor}, 3,
			"fd377a585a0000016922de360200210116000000742fe5a30100260102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" +
				"20212223242526270000ade7b86400013b2778ef3eb99042990d010000000001595a",
			[][]float64{{
				1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91, 14, 29, 45, 62, 80, 99, 119, 140, 162, 185, 209, 234, 4,
				27, 55, 84, 114, 145, 177, 210, 244, 23, 59, 96, 134, 173,
			}}},
		{"WebP", WebP, Layout{Width: 5, Samples: 3, Type: raster.Uint8, Bits: 8}, 3,
			"5249464644000000574542505650384c370000002f048000007740986df45b7dce9fef1884042934895830c55f136dfe7bb00ed079010c02402250" +
				"b1a490427029ac306a44ffc3438e7d0100",
			[][]float64{ramp(0), ramp(1), ramp(2)}},
		{"WebP with alpha", WebP, Layout{Width: 5, Samples: 4, Type: raster.Uint8, Bits: 8}, 3,
			"5249464648000000574542505650384c3c0000002f048000107740986df45b7dce9fef1884042934895830c55f134d489034f95fdcdb83f5005d2f" +
				"80410048042a961452082e8515468de87f78c8b12f",
			[][]float64{ramp(0), ramp(1), ramp(2), ramp(3)}},
		{"WebP without the alpha of the image", WebP, Layout{Width: 5, Samples: 4, Type: raster.Uint8, Bits: 8}, 3,
			"5249464644000000574542505650384c370000002f048000007740986df45b7dce9fef1884042934895830c55f136dfe7bb00ed079010c02402250" +
				"b1a490427029ac306a44ffc3438e7d0100",
			[][]float64{ramp(0), ramp(1), ramp(2), slices.Repeat([]float64{255}, 15)}},
	}
}

// TestCodecs decodes a small block with each codec, whole and in part, with either bit order.
func TestCodecs(t *testing.T) {
	codecs := AllCodecs()
	for _, s := range streams() {
		source := unhex(t, s.source)
		for _, lowBitFirst := range []bool{false, true} {
			l := s.layout
			if l.LowBitFirst = lowBitFirst; lowBitFirst {
				source = slices.Clone(source)
				for i, b := range source {
					source[i] = bits.Reverse8(b)
				}
			}
			samples := inOrder(l.Samples)
			slices.Reverse(samples)
			width := l.Width - 1
			target := raster.NewBuffer(l.Type, width, s.rows, len(samples)+1)
			job := &Job{Layout: &l, Source: source, Rows: s.rows, Target: target, FirstBand: 1, Samples: samples}
			if err := codecs[s.compression].Decode(job); err != nil {
				t.Errorf("%s: %v", s.name, err)
				continue
			}
			for band, sample := range samples {
				for i := range width * s.rows {
					x, y := i%width, i/width
					if got, want := sampleAt(target, band+1, i), s.want[sample][y*l.Width+x]; got != want {
						t.Errorf("%s: sample %d of pixel %d,%d is %v, want %v", s.name, sample, x, y, got, want)
					}
				}
			}
		}
	}
}

// TestCodecsReject decodes blocks that end early or have the wrong size, and samples that a codec
// does not support.
func TestCodecsReject(t *testing.T) {
	codecs := AllCodecs()
	for _, s := range streams() {
		source := unhex(t, s.source)
		for _, test := range []struct {
			name   string
			change func(l *Layout, source *[]byte)
			want   error
		}{
			{"nothing", func(_ *Layout, source *[]byte) { *source = nil }, decode.ErrCorruptBlock},
			{"half", func(_ *Layout, source *[]byte) { *source = (*source)[:len(*source)/2] }, decode.ErrCorruptBlock},
			{"floats", func(l *Layout, _ *[]byte) { l.Type, l.Bits, l.Predictor = raster.Float64, 64, 1 }, decode.ErrUnsupported},
			{"five samples", func(l *Layout, _ *[]byte) { l.Samples = 5 }, decode.ErrUnsupported},
		} {
			if s.compression == LZMA && test.want == decode.ErrUnsupported {
				continue // this codec supports only bytes
			}
			l, cut := s.layout, source
			test.change(&l, &cut)
			job := &Job{Layout: &l, Source: cut, Rows: s.rows, Target: raster.NewBuffer(l.Type, l.Width, s.rows, 1), Samples: []int{0}}
			if err := codecs[s.compression].Decode(job); !errors.Is(err, test.want) {
				t.Errorf("%s, %s: got %v, want %v", s.name, test.name, err, test.want)
			}
		}
	}
}

// TestRowsBelowTheImage decodes tiles that lack the rows below the image, as some writers leave
// them.
func TestRowsBelowTheImage(t *testing.T) {
	for _, s := range streams() {
		if s.compression == WebP {
			continue // a picture cannot lack rows
		}
		l := s.layout
		target := raster.NewBuffer(l.Type, l.Width, s.rows, 1)
		job := &Job{Layout: &l, Source: unhex(t, s.source), Rows: s.rows + 40, Target: target, Samples: []int{0}}
		if err := AllCodecs()[s.compression].Decode(job); err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		for i := range l.Width * s.rows {
			if got := sampleAt(target, 0, i); got != s.want[0][i] {
				t.Errorf("%s: pixel %d is %v, want %v", s.name, i, got, s.want[0][i])
			}
		}
	}
}

// TestWebPOfAnotherSize decodes a picture whose size is not that of its block.
func TestWebPOfAnotherSize(t *testing.T) {
	for _, s := range streams() {
		if s.compression != WebP {
			continue
		}
		for _, size := range [][2]int{{4, 3}, {6, 3}, {5, 2}, {5, 4}} {
			l := s.layout
			l.Width = size[0]
			job := &Job{Layout: &l, Source: unhex(t, s.source), Rows: size[1], Target: raster.NewBuffer(l.Type, l.Width, size[1], 1), Samples: []int{0}}
			if err := AllCodecs()[WebP].Decode(job); !errors.Is(err, decode.ErrCorruptBlock) {
				t.Errorf("%s in a block of %v: got %v, want %v", s.name, size, err, decode.ErrCorruptBlock)
			}
		}
	}
}
