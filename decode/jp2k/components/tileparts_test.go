package components

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// If the table of tile-parts is wrong, they are located one by one: at once if the ends of the
// table do not fit, else as soon as a tile is misplaced.
func TestMisplacedTileParts(t *testing.T) {
	m := jp2ktest.RGB()
	data := m.Codestream()
	begin := bytes.Index(data, []byte{0xFF, 0x90})
	var right []codestreamtest.TilePart
	for at := begin; len(right) < 9; {
		length := int(binary.BigEndian.Uint32(data[at+6:]))
		right = append(right, codestreamtest.TilePart{Tile: len(right), Count: 1, Body: data[at+14 : at+length]})
		at += length
	}
	swapped := slices.Clone(right)
	swapped[3].Body, swapped[5].Body = swapped[5].Body, swapped[3].Body
	cut := slices.Clone(right)
	cut[8].Body = cut[8].Body[1:]
	for name, test := range map[string]struct {
		table   []codestreamtest.TilePart
		scanned bool // only when a tile is read
	}{"right": {right, false}, "wrong between the ends": {swapped, true}, "wrong at the end": {cut, false}} {
		o := open(t, slices.Concat(data[:begin], codestreamtest.TLM(0, test.table...), data[begin:]), nil)
		for _, id := range []raster.BlockID{{Col: 1, Row: 1}, {Col: 2, Row: 1}} {
			rect := wavelet.Rect{X0: 7 + 64*id.Col, Y0: 9 + 64*id.Row, X1: 71 + 64*id.Col, Y1: 73 + 64*id.Row}
			tile := o.read(t, 1, rect)
			if got, validity := tile.At(0, 5, 6); got != float64(m.Sample(1, rect.X0+5, rect.Y0+6)) || validity == raster.Invalid {
				t.Errorf("%s: a sample is %v", name, got)
			}
		}
		if o.misplaced.Load() != test.scanned || len(o.Notes()) > 0 {
			t.Errorf("%s: misplaced is %v, and the notes are %q", name, o.misplaced.Load(), o.Notes())
		}
	}
}
