package jp2k

import (
	"reflect"
	"testing"

	"tileserver/decode/jp2k/boxes/boxestest"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/jp2ktest"
)

func TestDescription(t *testing.T) {
	m := jp2ktest.RGB()
	m.Components[1] = codestream.Component{Bits: 8, Signed: true, DX: 1, DY: 1}
	data := inBoxes(m.Codestream(), boxestest.ImageHeader(233, 162, 3, 8), boxestest.EnumeratedColor(sRGB))
	want := Description{
		Container: "jp2", Codestreams: 1, Colors: "sRGB",
		Components: []ComponentDescription{{"u8", 1, 1}, {"s8", 1, 1}, {"u8", 1, 1}},
		TileWidth:  90, TileHeight: 77, Tiles: 9, Levels: 2, Wavelet: "5-3", Layers: 3, Progression: "RPCL",
		BlockWidth: 16, BlockHeight: 16, Precincts: true, ComponentTransform: true,
	}
	if got := open(t, data, nil).Description(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
