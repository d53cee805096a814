package components

import (
	"testing"

	"tileserver/cache"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/decode/pool"
	"tileserver/source"
	"tileserver/source/sourcetest"
)

// openFar opens a codestream that is far away, with so many bytes for each kind of what is known of it.
func openFar(t *testing.T, data []byte, indexBytes int64) opened {
	t.Helper()
	src := farSource{sourcetest.NewFake(data)}
	shared := NewShared(cache.New(64<<20), indexBytes)
	s, err := Open(NewReader(t.Context(), src, source.Range{Length: src.Size()}), Config{Pool: pool.New(pool.Config{Workers: 2}), Shared: shared})
	if err != nil {
		t.Fatal(err)
	}
	return opened{s, src.Fake}
}

// largeTile is an image of 1.6 MB in one tile, in precincts of 128 x 128 samples.
func largeTile() jp2ktest.Image {
	m := jp2ktest.Wide()
	m.Image, m.Components, m.Sample = wavelet.Rect{X1: 1500, Y1: 1100}, jp2ktest.Components(1, 8), jp2ktest.Noise
	m.Coding.Precincts = make([]codestreamtest.Precinct, m.Coding.Levels+1)
	for i := range m.Coding.Precincts {
		m.Coding.Precincts[i] = codestreamtest.Precinct{WidthLog2: 7, HeightLog2: 7}
	}
	return m
}

// Bytes that are read to know where code-blocks are need not be read again to decode them, unless there is no room
// to keep them.
func TestBytesThatAreReadWithAnIndexAreUsed(t *testing.T) {
	plain, withLengths := largeTile(), largeTile()
	withLengths.Lengths = true
	for name, test := range map[string]struct {
		image      jp2ktest.Image
		calls      int // for the first window
		callsAfter int // for another one, far from it
		callsBare  int // for the first window, if nothing is kept
	}{
		"tiles that are read as a whole": {inTiles(), 1, 1, 2},
		"a large tile that is scanned":   {plain, 2, 0, 3},
		"precincts":                      {withLengths, 1, 1, 2},
	} {
		data := test.image.Codestream()
		near := open(t, data, nil)
		kept, bare := openFar(t, data, 8<<20), openFar(t, data, 0)
		first, other := wavelet.Rect{X0: 200, Y0: 200, X1: 300, Y1: 290}, wavelet.Rect{X0: 400, Y0: 330, X1: 490, Y1: 375}
		calls := func(o opened, rect wavelet.Rect) int {
			before := callsBehindTheHead(o)
			if !o.read(t, 0, rect).SamePixels(near.read(t, 0, rect)) {
				t.Errorf("%s: far away the samples differ", name)
			}
			return callsBehindTheHead(o) - before
		}
		got := [...]int{calls(kept, first), calls(kept, other), calls(bare, first)}
		if got != [...]int{test.calls, test.callsAfter, test.callsBare} {
			t.Errorf("%s: %v calls, want %d, %d, and %d if nothing is kept", name, got, test.calls, test.callsAfter, test.callsBare)
		}
	}
}

// callsBehindTheHead counts the calls of a source that take a round trip.
func callsBehindTheHead(o opened) (count int) {
	for _, call := range o.src.Calls() {
		for _, r := range call {
			if r.End() > source.HeadBytes {
				count++
				break
			}
		}
	}
	return count
}
