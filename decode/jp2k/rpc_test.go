package jp2k

import (
	"errors"
	"testing"

	"tileserver/decode"
	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/boxes/boxestest"
	"tileserver/decode/jp2k/components"
	"tileserver/decode/pool"
	"tileserver/decode/rpc/rpctest"
	"tileserver/decode/tiff"
	"tileserver/decode/tiff/tifftest"
	"tileserver/source"
)

// What programs write into GeoJP2 includes the camera model.
func TestRPCInGeoJP2(t *testing.T) {
	const tag = 50844
	box := func(numbers []float64) []byte {
		content, err := tifftest.File{Images: []tifftest.Image{{Width: 1, Height: 1, Value: func(_, _, _ int) float64 { return 0 }, Tags: []tifftest.Tag{{ID: tag, Value: numbers}}}}}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		return boxestest.UUID(string(boxes.GeoJP2), content)
	}
	for _, test := range []struct {
		name    string
		boxes   []byte
		beside  map[string]string
		from    string
		isError bool
	}{
		{name: "none", boxes: geoJP2(t, tifftest.Georeference{EPSG: 32633})},
		{name: "a model", boxes: box(rpctest.Numbers()), from: "GeoJP2"},
		{name: "a model in the second box", boxes: join(geoJP2(t, tifftest.Georeference{EPSG: 32633}), box(rpctest.Numbers())), from: "GeoJP2"},
		{name: "a model and a side file", boxes: box(rpctest.Numbers()), beside: map[string]string{"scene.RPB": rpctest.RPB()}, from: "scene.RPB"},
		{name: "too few numbers", boxes: box(rpctest.Numbers()[:90]), isError: true},
	} {
		m := &Image{file: &File{
			container: containerOf(t, test.boxes), readRPC: tiff.ReadRPC, sideData: sideData{beside: besideOf(test.beside)},
		}}
		got, err := m.RPC(t.Context())
		if (err != nil) != test.isError || (got == nil) != (test.from == "") {
			t.Errorf("%s: got %v and %v", test.name, got, err)
		}
		if want := rpctest.Model(test.from); got != nil && *got != want {
			t.Errorf("%s: got %+v, want %+v", test.name, *got, want)
		}
	}
}

func TestRPCBesideAFile(t *testing.T) {
	data := grayImage().Codestream()
	for _, test := range []struct {
		name   string
		beside map[string]string
		from   string // empty if there is none, or an error
		err    error
	}{
		{"none", nil, "", nil},
		{"lines", map[string]string{"scene_RPC.TXT": rpctest.Text(), "scene.RPB": rpctest.RPB()}, "scene_RPC.TXT", nil},
		{"statements", map[string]string{"scene.RPB": rpctest.RPB()}, "scene.RPB", nil},
		{"DIMAP without the name of a tile", map[string]string{"RPC_scene.XML": rpctest.DIMAP()}, "", nil},
		{"words", map[string]string{"scene_rpc.txt": "these are words"}, "", decode.ErrCorrupt},
	} {
		f, err := Open(t.Context(), source.NewBytes("in/scene.j2k", data), Config{
			Config: components.Config{Key: "scene", Pool: pool.New(pool.Config{})}, Beside: openerOf(test.beside),
		})
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Images()[0].RPC(t.Context())
		if !errors.Is(err, test.err) || (got == nil) != (test.from == "") {
			t.Errorf("%s: got %v and %v", test.name, got, err)
		}
		if want := rpctest.Model(test.from); got != nil && *got != want {
			t.Errorf("%s: got %+v, want %+v", test.name, *got, want)
		}
	}
}
