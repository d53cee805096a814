package pixels

import (
	"context"
	"errors"
	"testing"

	"tileserver/cache"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/components"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/decode/pool"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/source"
	"tileserver/source/sourcetest"
)

// provide presents a codestream in a range of a source. Each component is a band of bytes.
func provide(t testing.TB, src source.Source, extent source.Range, budget pool.Budget) *Provider {
	t.Helper()
	config := components.Config{Pool: pool.New(pool.Config{Workers: 2, Budget: budget})}
	stream, err := components.Open(components.NewReader(t.Context(), src, extent), config)
	if err != nil {
		t.Fatal(err)
	}
	image := Image{Key: stream.Key(), Info: raster.Info{Type: raster.Uint8}}
	for i := range stream.Header().Components {
		image.Info.Bands = append(image.Info.Bands, raster.Band{})
		image.Bands = append(image.Bands, Band{Component: i})
	}
	p, err := NewProvider(stream, image)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// open presents a codestream for a test.
func open(t testing.TB, data []byte) *Provider {
	t.Helper()
	return provide(t, source.NewBytes("codestream", data), source.Range{Length: int64(len(data))}, cache.NewBudget(128<<20))
}

func TestProvider(t *testing.T) {
	data := jp2ktest.RGB().Codestream()
	rastertest.Suite{Open: func(t *testing.T) raster.Provider { return open(t, data) }}.Run(t)
}

// A codestream is read where it lies in another file, such as a segment or a block.
func TestCodestreamInAnotherFile(t *testing.T) {
	m := jp2ktest.RGB()
	data := m.Codestream()
	within := append(append(make([]byte, 100), data...), "what follows"...)
	src := sourcetest.NewFake(within)
	p := provide(t, src, source.Range{Offset: 100, Length: int64(len(data))}, cache.NewBudget(128<<20))
	tiles, err := p.Blocks(t.Context(), 0, []raster.BlockID{{Col: 1, Row: 1}}, []int{2})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := tiles[0].At(0, 3, 4); got != float64(m.Sample(2, m.Image.X0+67, m.Image.Y0+68)) {
		t.Errorf("a pixel is %v", got)
	}
	beyond := source.Range{Offset: 100, Length: int64(len(within))}
	if _, err := components.Open(components.NewReader(t.Context(), src, beyond), components.Config{Pool: pool.New(pool.Config{})}); !errors.Is(err, source.ErrOutOfBounds) {
		t.Errorf("a codestream beyond the source: %v", err)
	}
}

// Samples are converted to those of a band. Of indices into a table there is one level.
func TestConvertedBands(t *testing.T) {
	m := jp2ktest.RGB()
	data := m.Codestream()
	direct := open(t, data)
	image := Image{Key: "negative", Info: *direct.Info(), Bands: []Band{{Component: 1, Value: func(v int64) int64 { return 255 - v }, IsLookedUp: true}}}
	image.Info.Bands = image.Info.Bands[:1]
	p, err := NewProvider(direct.stream, image)
	if err != nil {
		t.Fatal(err)
	}
	if levels := p.Info().Levels; len(levels) != 1 || len(direct.Info().Levels) != 3 {
		t.Errorf("%d levels of indices, and %d of samples", len(levels), len(direct.Info().Levels))
	}
	tile, err := p.Window(t.Context(), 0, raster.Rect{X0: 20, Y0: 30, X1: 33, Y1: 37}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := tile.At(0, 5, 6); got != float64(255-m.Sample(1, m.Image.X0+25, m.Image.Y0+36)) {
		t.Errorf("a pixel is %v", got)
	}
}

// A file around a codestream may promise more components than there are, or no bands.
func TestBandsThatTheCodestreamLacks(t *testing.T) {
	direct := open(t, jp2ktest.RGB().Codestream())
	for _, bands := range [][]Band{nil, {{Component: -1}}, {{Component: 3}}, {{Component: 0}, {Component: 1}}} {
		image := Image{Key: "lacking", Info: *direct.Info(), Bands: bands}
		image.Info.Bands = image.Info.Bands[:min(len(bands), 1)]
		if _, err := NewProvider(direct.stream, image); !errors.Is(err, codestream.ErrCorrupt) {
			t.Errorf("bands %+v: the error is %v", bands, err)
		}
	}
}

// recordingBudget is an unlimited budget that remembers the largest reservation.
type recordingBudget struct{ largest int64 }

func (b *recordingBudget) Acquire(_ context.Context, n int64) error {
	b.largest = max(b.largest, n)
	return nil
}
func (b *recordingBudget) Release(int64) {}

// A band of coarser samples reserves memory for its pixels, for the samples and for assembling
// them.
func TestMemoryOfIndirectBands(t *testing.T) {
	m := jp2ktest.Wide()
	m.Image = wavelet.Rect{X1: 600, Y1: 500}
	m.Components[1].DX, m.Components[1].DY = 2, 2
	data, budget := m.Codestream(), new(recordingBudget)
	p := provide(t, source.NewBytes("codestream", data), source.Range{Length: int64(len(data))}, budget)
	read := func() int64 {
		budget.largest = 0
		if _, err := p.Window(t.Context(), 0, raster.Rect{X0: 300, Y0: 200, X1: 556, Y1: 456}, []int{1}); err != nil {
			t.Fatal(err)
		}
		return budget.largest
	}
	read() // loads the packet index
	const pixels, samples, scratch = 256 * 256, 128 * 128 * 8, 2 * 128 * 128 * 4
	if got := read(); got < pixels+samples+scratch {
		t.Errorf("%d bytes were reserved, want at least %d", got, pixels+samples+scratch)
	}
}
