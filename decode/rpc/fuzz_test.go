package rpc_test

import (
	"strings"
	"testing"

	"tileserver/decode/rpc"
	"tileserver/decode/rpc/rpctest"
	"tileserver/geo"
	"tileserver/geo/sensor"
)

// FuzzNotations reads any text in each notation that is no XML, and places an image by what it holds.
func FuzzNotations(f *testing.F) {
	f.Add(rpctest.Text())
	f.Add(rpctest.RPB())
	f.Add("BEGIN_GROUP = IMAGE\nlineOffset = 1;\nlineNumCoef = (1,\n2);\nEND;")
	f.Add("LINE_OFF: +001.50 pixels\nLINE_NUM_COEFF_1: 1e308\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, read := range []func() (*rpc.Model, error){
			func() (*rpc.Model, error) { return rpc.ParseText("it", text) },
			func() (*rpc.Model, error) { return rpc.ParseRPB("it", text) },
			func() (*rpc.Model, error) { return rpc.FromMetadata("it", map[string]string{"LINE_NUM_COEFF": text}) },
		} {
			checkModel(t, read)
		}
	})
}

// FuzzDIMAP reads any text as the documents of an image of Pléiades, whose files hold tiles of it.
func FuzzDIMAP(f *testing.F) {
	f.Add(rpctest.DIMAP(), 1, 1)
	f.Add(strings.NewReplacer("Inverse_Model>", "GroundtoImage_Values>", "Direct_Model_Validity", "ImagetoGround_Validity").Replace(rpctest.DIMAP()), 2, 3)
	f.Add(`<Tile_Set><NTILES>4</NTILES><Regular_Tiling><NTILES_SIZE nrows="100" ncols="200"/><OVERLAP_COL>0</OVERLAP_COL></Regular_Tiling></Tile_Set>`, 2, 2)
	f.Add(`<Regular_Tiling><ncols>1e308</ncols><nrows>-0</nrows><OVERLAP_ROW>7</OVERLAP_ROW></Regular_Tiling>`, -1, 1<<40)
	f.Add(`<?xml version="1.0" encoding="x"?><Inverse_Model><LINE_NUM_COEFF_1><![CDATA[NaN]]></LINE_NUM_COEFF_1><LINE_NUM_COEFF_21>&amp;1</LINE_NUM_COEFF_21></Inverse_Model>`, 0, 0)
	f.Fuzz(func(t *testing.T, text string, row, column int) {
		if tile, err := rpc.DIMAPTile(text, row, column); (tile == nil) == (err == nil) {
			t.Fatalf("got %v and %v", tile, err)
		}
		checkModel(t, func() (*rpc.Model, error) { return rpc.ParseDIMAP("it", text) })
	})
}

// checkModel reads a model, and places an image by it.
func checkModel(t *testing.T, read func() (*rpc.Model, error)) {
	t.Helper()
	model, err := read()
	if (model == nil) == (err == nil) {
		t.Fatalf("got %v and %v", model, err)
	}
	if model == nil {
		return
	}
	if p, err := sensor.NewPlacement(model.RPC, sensor.Whole(), model.HeightOffset); err == nil {
		p.Place(geo.Point{X: 1, Y: 2})
	}
}
