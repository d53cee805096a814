package components

import (
	"testing"

	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/decode/pool"
	"tileserver/source"
	"tileserver/source/sourcetest"
)

// farSource is far away.
type farSource struct{ *sourcetest.Fake }

func (farSource) Name() string { return "https://example.org/a.j2k" }

// inTiles is an image of 8 x 6 tiles in 300 KB.
func inTiles() jp2ktest.Image {
	m := jp2ktest.Wide()
	m.Image, m.FirstTile, m.Sample = wavelet.Rect{X1: 500, Y1: 380}, wavelet.Rect{X1: 64, Y1: 64}, jp2ktest.Noise
	return m
}

// The headers of tiles are read in one call: a range for each row of neighbors.
func TestHeadersOfTilesAreReadInOneCall(t *testing.T) {
	o := open(t, inTiles().Codestream(), nil)
	parts, err := o.parts(o.newReader(t.Context()), nil)
	if err != nil {
		t.Fatal(err)
	}
	before := len(o.src.Calls())
	o.read(t, 0, wavelet.Rect{X0: 200, Y0: 200, X1: 330, Y1: 330})
	calls := o.src.Calls()[before:]
	if len(calls) != 2 || len(calls[0]) != 3 {
		t.Fatalf("it took the reads %v, want one of three rows of tiles, and one of code-blocks", calls)
	}
	for i, row := range [...]int{3, 4, 5} {
		var want source.Range
		for column := 3; column <= 5; column++ {
			for offset, length := range parts.Of(8*row + column) {
				if column == 3 {
					want.Offset = offset
				}
				want.Length += length
			}
		}
		if calls[0][i] != want {
			t.Errorf("row %d of tiles is read at %v, want %v", row, calls[0][i], want)
		}
	}
}

// A reader of a far source reads what is known of it, up to the end; else as much as a round trip is worth.
func TestFarReadSizes(t *testing.T) {
	src := farSource{sourcetest.NewFake(make([]byte, 64<<20))}
	const skipped = 100
	r := NewReader(t.Context(), src, source.Range{Offset: skipped, Length: src.Size() - skipped})
	for _, test := range []struct {
		name           string
		offset, length int64 // of what is read
	}{
		{"in the head", 0, source.HeadBytes - skipped},
		{"behind it", source.HeadBytes, source.TripBytes},
		{"near by", source.HeadBytes + 2*source.TripBytes - 100, 2 * source.TripBytes},
		{"far ahead", 30 << 20, farJumpReadBytes},
		{"back in the head", 500, source.HeadBytes - skipped - 500},
	} {
		before := len(src.Calls())
		if _, err := r.Peek(test.offset, 12); err != nil {
			t.Fatal(err)
		}
		calls := src.Calls()[before:]
		if want := (source.Range{Offset: skipped + test.offset, Length: test.length}); len(calls) != 1 || calls[0][0] != want {
			t.Errorf("%s: read %v, want %v", test.name, calls, want)
		}
	}
}

// A large tile is read as a whole if it is far, and does not tell the lengths of its packets.
func TestLargeTilesAreReadAheadIfThatSavesRoundTrips(t *testing.T) {
	m := inTiles()
	m.FirstTile, m.Image = wavelet.Rect{}, wavelet.Rect{X1: 700, Y1: 500}
	data := m.Codestream()
	for _, test := range []struct {
		name              string
		src               source.Source
		hasLengths, isAll bool
		bytes             int64
	}{
		{name: "nearby", src: sourcetest.NewFake(data), bytes: jumpReadBytes},
		{name: "far", src: farSource{sourcetest.NewFake(data)}, isAll: true},
		{name: "far with lengths", src: farSource{sourcetest.NewFake(data)}, hasLengths: true, bytes: farJumpReadBytes},
	} {
		s, err := Open(NewReader(t.Context(), test.src, source.Range{Length: int64(len(data))}), Config{Pool: pool.New(pool.Config{Workers: 1})})
		if err != nil {
			t.Fatal(err)
		}
		s.hasLengths.Store(test.hasLengths)
		parts, err := s.parts(s.newReader(t.Context()), nil)
		if err != nil {
			t.Fatal(err)
		}
		if test.isAll {
			for _, length := range parts.Of(0) {
				test.bytes += length
			}
		}
		ahead := s.ahead(s.newReader(t.Context()), parts, []tileKey{{number: 0}})
		if len(ahead) != 1 || ahead[0].Length != test.bytes {
			t.Errorf("%s: %v is read ahead, want %d bytes", test.name, ahead, test.bytes)
		}
	}
}
