package rpc_test

import (
	"testing"

	"tileserver/decode/rpc"
	"tileserver/decode/rpc/rpctest"
	"tileserver/geo"
	"tileserver/geo/sensor"
)

// FuzzNotations reads any text in each notation, and places an image by what it holds.
func FuzzNotations(f *testing.F) {
	f.Add(rpctest.Text())
	f.Add(rpctest.RPB())
	f.Add(rpctest.DIMAP())
	f.Add("BEGIN_GROUP = IMAGE\nlineOffset = 1;\nlineNumCoef = (1,\n2);\nEND;")
	f.Add("LINE_OFF: +001.50 pixels\nLINE_NUM_COEFF_1: 1e308\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, read := range []func() (*rpc.Model, error){
			func() (*rpc.Model, error) { return rpc.ParseText("it", text) },
			func() (*rpc.Model, error) { return rpc.ParseRPB("it", text) },
			func() (*rpc.Model, error) { return rpc.ParseDIMAP("it", text) },
			func() (*rpc.Model, error) { return rpc.FromMetadata("it", map[string]string{"LINE_NUM_COEFF": text}) },
		} {
			model, err := read()
			if tile, err := rpc.DIMAPTile(text, 2, 3); (tile == nil) == (err == nil) {
				t.Fatalf("got %v and %v", tile, err)
			}
			if (model == nil) == (err == nil) {
				t.Fatalf("got %v and %v", model, err)
			}
			if model == nil {
				continue
			}
			if p, err := sensor.NewPlacement(model.RPC, sensor.Whole(), model.HeightOffset); err == nil {
				p.Place(geo.Point{X: 1, Y: 2})
			}
		}
	})
}
