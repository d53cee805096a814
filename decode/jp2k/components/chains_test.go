package components

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/decode/pool"
	"tileserver/source"
	"tileserver/source/sourcetest"
)

// chain returns a codestream of 60 tiles, each in a part of about 600 KB that nobody decodes.
func chain(change func(parts []codestreamtest.TilePart)) []byte {
	random := rand.New(rand.NewPCG(3, 1))
	h := codestreamtest.Header{Image: wavelet.Rect{X1: 100, Y1: 60}, FirstTile: wavelet.Rect{X1: 10, Y1: 10}, Components: jp2ktest.Components(1, 8)}
	parts := make([]codestreamtest.TilePart, 60)
	for i := range parts {
		parts[i] = codestreamtest.TilePart{Tile: i, Count: 1, Body: bytes.Repeat([]byte{0x55}, 540_000+random.IntN(200_000))}
	}
	if change != nil {
		change(parts)
	}
	return codestreamtest.Codestream(h, parts...)
}

// find returns the tile-parts of a codestream: their offsets and lengths by tile, and their damage.
func find(t *testing.T, src source.Source) (found [][]int64, damage error) {
	t.Helper()
	s, err := Open(NewReader(t.Context(), src, source.Range{Length: src.Size()}), Config{Pool: pool.New(pool.Config{Workers: 1})})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := s.parts(s.newReader(t.Context()), nil)
	if err != nil {
		t.Fatal(err)
	}
	for tile := range s.header.Tiles() {
		var of []int64
		for offset, length := range parts.Of(tile) {
			of = append(of, offset, length)
		}
		found = append(found, of)
	}
	return found, parts.Damage()
}

// What is found far away must be what is found nearby, also if bytes between tile-parts look like the beginning of
// one; otherwise it takes few calls, and a part of the bytes.
func TestFarTilePartsAreFoundFromSeveralPlacesAtATime(t *testing.T) {
	fake := codestreamtest.TilePart{Tile: 7, Count: 1}.Bytes()[:codestream.PartStartBytes]
	for name, change := range map[string]func(parts []codestreamtest.TilePart){
		"sound": nil,
		"look-alikes": func(parts []codestreamtest.TilePart) {
			for i := range parts {
				for at := 1000; at+len(fake) < len(parts[i].Body); at += 30_000 {
					copy(parts[i].Body[at:], fake)
				}
			}
		},
		"broken in between": func(parts []codestreamtest.TilePart) { parts[30].Length = 9 },
		"several parts of a tile": func(parts []codestreamtest.TilePart) {
			for i := range parts {
				parts[i].Tile, parts[i].Number, parts[i].Count = i/2, i%2, 2
			}
		},
		"no length": func(parts []codestreamtest.TilePart) { parts[59].Open = true },
	} {
		data := chain(change)
		near, nearDamage := find(t, sourcetest.NewFake(data))
		src := farSource{sourcetest.NewFake(data)}
		far, farDamage := find(t, src)
		if !slices.EqualFunc(near, far, slices.Equal) || (nearDamage == nil) != (farDamage == nil) {
			t.Errorf("%s: far away other tile-parts are found, or %v instead of %v", name, farDamage, nearDamage)
		}
		const mostCalls, mostBytes = 12, 10 << 20
		if c := src.Counts(); name != "look-alikes" && (c.Calls > mostCalls || c.Bytes > mostBytes) {
			t.Errorf("%s: %d calls for %d bytes, want at most %d for %d", name, c.Calls, c.Bytes, mostCalls, int64(mostBytes))
		}
	}
}
