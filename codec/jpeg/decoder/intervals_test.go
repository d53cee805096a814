package decoder

import (
	"bytes"
	"fmt"
	"testing"

	"tileserver/codec/jpeg"
)

// The intervals of a stream are those of the rows that are wanted.
func TestIntervals(t *testing.T) {
	for _, test := range []struct {
		factors                   [][2]int
		interval, rows            int
		unitsHigh, count, samples int
	}{
		{onePlane, 3, 61, 8, 14, 5 * 8 * 64},
		{onePlane, 100, 9, 2, 1, 5 * 2 * 64},
		{halfBoth, 2, 61, 4, 6, 3 * 4 * 6 * 64},
		{halfBoth, 3, 15, 1, 1, 3 * 6 * 64},
		{halfBoth, 3, 16, 2, 2, 3 * 2 * 6 * 64}, // the last row needs chroma of the next
		{fourInks, 1, 1, 1, 3, 3 * 6 * 64},
	} {
		d, drawn := new(Decoder), newDrawing(35, 61, 8, test.factors, 1)
		if _, err := d.Open(drawn.sequential(test.interval, drawn.all()), nil); err != nil {
			t.Fatal(err)
		}
		s, ok := d.Intervals(test.rows)
		if !ok || s.UnitsHigh != test.unitsHigh || s.Count() != test.count || s.Samples() != test.samples || len(s.Components) != len(test.factors) {
			t.Errorf("%+v: got %d rows of units, %d intervals, %d samples", test, s.UnitsHigh, s.Count(), s.Samples())
		}
		for k, factor := range s.Components[0].Quantizers {
			if factor != drawn.quantizers[k] {
				t.Errorf("%+v: quantizer %d is %d", test, k, factor)
			}
		}
	}
}

// Streams of which parts depend on others, or with samples of 12 bits, have no intervals.
func TestIntervalsOfOtherStreams(t *testing.T) {
	narrow, wide := newDrawing(35, 61, 8, halfBoth, 1), newDrawing(35, 61, 12, halfBoth, 1)
	for name, stream := range map[string][]byte{
		"without restarts": narrow.sequential(0, narrow.all()),
		"several scans":    narrow.sequential(2, []int{0}, []int{1, 2}),
		"progressive":      narrow.progressive(2, narrow.fullScript()),
		"12 bits":          wide.sequential(2, wide.all()),
	} {
		d := new(Decoder)
		if _, err := d.Open(stream, nil); err != nil {
			t.Fatal(err)
		}
		if _, ok := d.Intervals(61); ok {
			t.Errorf("%s: it has intervals", name)
		}
		if err := d.Compose8(&Picture[uint8]{Width: 1, Height: 1}, nil); err == nil {
			t.Errorf("%s: a picture is made", name)
		}
	}
}

// Data of intervals that a stream lacks are empty, and so are all that follow.
func TestDataOfIntervals(t *testing.T) {
	drawn := newDrawing(40, 8, 8, onePlane, 1)
	sound := drawn.sequential(1, drawn.all())
	third := bytes.Index(sound, []byte{0xFF, byte(jpeg.MarkerRestart + 2)})
	other := bytes.Clone(sound)
	other[third+1] = byte(jpeg.MarkerRestart)
	ends := func(stream []byte) [5]int {
		d := new(Decoder)
		if _, err := d.Open(stream, nil); err != nil {
			t.Fatal(err)
		}
		s, _ := d.Intervals(8)
		var ends [5]int
		data := make([]byte, s.MaxBytes())
		s.Write(data, ends[:])
		if unstuffed, _ := appendUnstuffed(nil, s.data); !bytes.Equal(data[:ends[0]], unstuffed) {
			t.Error("the first interval has other data")
		}
		return ends
	}
	want := ends(sound)
	for i := range 4 {
		if want[i+1] <= want[i] {
			t.Errorf("intervals end at %v", want)
		}
	}
	for name, stream := range map[string][]byte{"cut": sound[:third], "another marker": other} {
		if got := ends(stream); got != [5]int{want[0], want[1], want[2], want[2], want[2]} {
			t.Errorf("%s: intervals end at %v, want %v up to the third", name, got, want)
		}
	}
}

// A picture is made of samples that something else has decoded. Here these are the picture of a decoder.
func TestCompose(t *testing.T) {
	const side = 48
	drawn := newDrawing(side, side, 8, [][2]int{{1, 1}, {1, 1}, {1, 1}}, 1)
	stream := drawn.sequential(4, drawn.all())
	d := new(Decoder)
	decoded := func(rgb bool, decode func(*Picture[uint8]) error) *Picture[uint8] {
		if _, err := d.Open(stream, nil); err != nil {
			t.Fatal(err)
		}
		p := &Picture[uint8]{Width: side, Height: side, RGB: rgb}
		for i := range 3 {
			p.Planes[i] = make([]uint8, side*side)
		}
		if err := decode(p); err != nil || p.Sound != side {
			t.Fatalf("%d rows are sound, and the error is %v", p.Sound, err)
		}
		return p
	}
	components := decoded(false, d.Decode8)
	var samples []uint8
	for _, plane := range components.Planes {
		samples = append(samples, plane...)
	}
	before := bytes.Clone(samples)
	got := decoded(true, func(p *Picture[uint8]) error { return d.Compose8(p, samples) })
	want := decoded(true, d.Decode8)
	if fmt.Sprint(got.Planes) != fmt.Sprint(want.Planes) {
		t.Error("the composed picture differs")
	}
	if !bytes.Equal(samples, before) {
		t.Error("the decoder wrote to samples of its caller")
	}
	if _, err := d.Open(stream, nil); err != nil {
		t.Fatal(err)
	}
	if err := d.Compose8(got, samples[1:]); err == nil {
		t.Error("a picture is made of too few samples")
	}
}
