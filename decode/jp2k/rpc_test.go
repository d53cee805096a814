package jp2k

import (
	"errors"
	"testing"

	"tileserver/decode"
	"tileserver/decode/jp2k/components"
	"tileserver/decode/pool"
	"tileserver/decode/rpc/rpctest"
	"tileserver/source"
)

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
