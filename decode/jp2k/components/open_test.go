package components

import (
	"testing"

	"tileserver/cache"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/decode/pool"
	"tileserver/raster"
	"tileserver/source"
	"tileserver/source/sourcetest"
)

// opened is an open codestream and its source.
type opened struct {
	*Codestream
	src *sourcetest.Fake
}

// open opens a codestream for a test.
func open(t testing.TB, data []byte, change func(*Config)) opened {
	t.Helper()
	config := Config{Pool: pool.New(pool.Config{Workers: 2, Budget: cache.NewBudget(128 << 20)}), Shared: NewShared(cache.New(32<<20), 4<<20)}
	if change != nil {
		change(&config)
	}
	src := sourcetest.NewFake(data)
	s, err := Open(NewReader(t.Context(), src, source.Range{Length: src.Size()}), config)
	if err != nil {
		t.Fatal(err)
	}
	return opened{s, src}
}

// read reads samples of a component at its finest resolution.
func (o opened) read(t testing.TB, component int, rect wavelet.Rect) raster.Tile {
	t.Helper()
	out := &Output{Rect: rect, Type: raster.Int64, Bands: 1}
	r := o.NewRequest()
	r.AddOutputs([]*Output{out}, out.Bytes())
	r.AddSamples(ComponentRequest{Component: component, Rect: rect, Targets: []Target{{out, 0}}})
	if err := r.Plan(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return out.Buffer.Freeze()
}
