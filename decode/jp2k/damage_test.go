package jp2k

import (
	"slices"
	"strings"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// A missing or damaged tile is invalid, and is reported once.
func TestMissingTiles(t *testing.T) {
	m := jp2ktest.RGB()
	m.Without = []int{4}
	var told []string
	o := open(t, m.Codestream(), func(c *Config) { c.Warn = func(note string) { told = append(told, note) } })
	for level, l := range o.Info().Levels {
		want, origin := 0, codestream.Sampled(m.Image, 1<<level, 1<<level)
		for i, tile := range blocks(t, o, level, l.Covering(l.Bounds()), nil) {
			r := l.Block(l.Covering(l.Bounds())[i])
			for at := range tile.Width() * tile.Height() {
				x, y := r.X0+at%tile.Width(), r.Y0+at/tile.Width()
				// The tile from 92,78 to 182,155 of the grid; the image begins at 7,9.
				first := wavelet.Rect{X0: 92, Y0: 78, X1: 182, Y1: 155}
				gridX, gridY := (origin.X0+x)<<level, (origin.Y0+y)<<level
				missing := !(wavelet.Rect{X0: gridX, Y0: gridY, X1: gridX + 1, Y1: gridY + 1}.Intersect(first)).Empty()
				value, validity := tile.At(1, at%tile.Width(), at/tile.Width())
				if missing != (validity == raster.Invalid) || missing && value != 0 {
					t.Fatalf("level %d, pixel %d,%d is %v with validity %d, missing: %v", level, x, y, value, validity, missing)
				}
				if missing {
					want++
				}
			}
		}
		if want == 0 {
			t.Errorf("level %d has all its pixels", level)
		}
	}
}

func TestDamagedTiles(t *testing.T) {
	m := jp2ktest.RGB()
	data := m.Codestream()
	var told []string
	cut := open(t, data[:len(data)*2/3], func(c *Config) { c.Warn = func(note string) { told = append(told, note) } })
	l := cut.Info().Levels[0]
	ids := l.Covering(l.Bounds())
	tiles := blocks(t, cut, 0, ids, nil)
	if got, _ := tiles[0].At(0, 0, 0); got != float64(m.Sample(0, 7, 9)) {
		t.Errorf("the sound part is %v", got)
	}
	if last := tiles[len(tiles)-1]; last.AllValid() {
		t.Error("missing samples are valid")
	}
	if !slices.ContainsFunc(told, func(note string) bool { return strings.HasPrefix(note, "tile 4: corrupt codestream") }) {
		t.Errorf("the truncated tile was not reported, only %q", told)
	}
	if len(told) == 0 || strings.Join(cut.file.Notes(), "\n") != strings.Join(told, "\n") {
		t.Errorf("reported %q, but the notes are %q", told, cut.file.Notes())
	}
	before := len(told)
	blocks(t, cut, 1, []raster.BlockID{{}}, nil)
	if len(told) != before {
		t.Errorf("reported again: %q", told[before:])
	}
}

// Bands that are computed from other samples have the holes of these samples. A band whose
// component has no samples is all nodata.
func TestMissingSamplesOfCoarseComponents(t *testing.T) {
	m := jp2ktest.RGB()
	m.Without = []int{4}
	m.Coding.MultipleComponentTransform = false
	m.Components[1].DX, m.Components[1].DY = 2, 2
	o := open(t, m.Codestream(), nil)
	inside := o.file.stream.Header().TileRect(4)
	tile, err := o.Window(t.Context(), 0, o.Info().Levels[0].Bounds(), []int{1})
	if err != nil {
		t.Fatal(err)
	}
	for at := range tile.Width() * tile.Height() {
		x, y := at%tile.Width(), at/tile.Width()
		sampleX, sampleY := (x+m.Image.X0)/2*2, (y+m.Image.Y0)/2*2
		missing := sampleX >= inside.X0 && sampleX < inside.X1 && sampleY >= inside.Y0 && sampleY < inside.Y1
		if _, validity := tile.At(0, x, y); (validity == raster.Invalid) != missing {
			t.Fatalf("pixel %d,%d has validity %d, missing: %v", x, y, validity, missing)
		}
	}
	none := codestreamtest.Header{Image: wavelet.Rect{X0: 1, X1: 3, Y1: 2}, Components: jp2ktest.Components(2, 8)}
	none.Components[1].DX = 4
	empty := open(t, codestreamtest.Codestream(none, codestreamtest.TilePart{Count: 1, Body: []byte{0, 0}}), nil)
	for band, want := range []uint8{raster.Valid, raster.Invalid} {
		tile, err := empty.Window(t.Context(), 0, raster.Rect{X1: 2, Y1: 2}, []int{band})
		if err != nil {
			t.Fatal(err)
		}
		if _, validity := tile.At(0, 1, 1); validity != want {
			t.Errorf("band %d has validity %d, want %d", band, validity, want)
		}
	}
}
