package rpc_test

import (
	"strings"
	"testing"

	"tileserver/decode/rpc"
	"tileserver/decode/rpc/rpctest"
)

func TestNotations(t *testing.T) {
	text, rpb, dimap := rpctest.Text(), rpctest.RPB(), rpctest.DIMAP()
	for _, test := range []struct {
		name    string
		read    func() (*rpc.Model, error)
		message string // of the error; empty for the model
	}{
		{"numbers", func() (*rpc.Model, error) { return rpc.FromNumbers("it", rpctest.Numbers()) }, ""},
		{"too few numbers", func() (*rpc.Model, error) { return rpc.FromNumbers("it", rpctest.Numbers()[:91]) },
			"RPC of it: SAMP_DEN_COEFF_20 is no number or missing"},
		{"metadata", func() (*rpc.Model, error) { return rpc.FromMetadata("it", rpctest.Metadata()) }, ""},
		{"no metadata", func() (*rpc.Model, error) { return rpc.FromMetadata("it", nil) },
			"RPC of it: LINE_OFF is no number or missing"},
		{"lines", func() (*rpc.Model, error) { return rpc.ParseText("it", text) }, ""},
		{"a line that is missing", func() (*rpc.Model, error) {
			return rpc.ParseText("it", strings.Replace(text, "SAMP_DEN_COEFF_20", "X", 1))
		}, "RPC of it: SAMP_DEN_COEFF_20 is no number or missing"},
		{"a number that is not finite", func() (*rpc.Model, error) {
			return rpc.ParseText("it", strings.Replace(text, "+2.25", "inf", 1))
		}, "RPC of it: LINE_OFF is no number or missing"},
		{"words", func() (*rpc.Model, error) { return rpc.ParseText("it", "these are words") },
			"RPC of it: LINE_OFF is no number or missing"},
		{"statements", func() (*rpc.Model, error) { return rpc.ParseRPB("it", rpb) }, ""},
		{"a list that is short", func() (*rpc.Model, error) {
			return rpc.ParseRPB("it", strings.Replace(rpb, ",\n\t91.25", "", 1))
		}, "RPC of it: SAMP_DEN_COEFF_20 is no number or missing"},
		{"a group without a name", func() (*rpc.Model, error) { return rpc.ParseRPB("it", "a = = 1;") },
			"RPC of it: LINE_OFF is no number or missing"},
		{"DIMAP", func() (*rpc.Model, error) { return rpc.ParseDIMAP("it", dimap) }, ""},
		{"DIMAP 3, whose pixels count from 0", func() (*rpc.Model, error) {
			return rpc.ParseDIMAP("it", strings.NewReplacer("Inverse_Model", "GroundtoImage_Values", "Direct_Model", "ImagetoGround",
				"_ROW>1", "_ROW>0", "_COL>1", "_COL>0", "_OFF>3.25", "_OFF>2.25", "_OFF>4.25</SAMP", "_OFF>3.25</SAMP").Replace(dimap))
		}, ""},
		{"DIMAP without an inverse", func() (*rpc.Model, error) {
			return rpc.ParseDIMAP("it", strings.ReplaceAll(dimap, "Inverse_Model", "Other"))
		}, "RPC of it: LINE_NUM_COEFF_1 is no number or missing"},
		{"DIMAP that ends", func() (*rpc.Model, error) { return rpc.ParseDIMAP("it", dimap[:len(dimap)/2]) },
			"RPC of it: XML syntax error on line 89: unexpected EOF"},
	} {
		got, err := test.read()
		switch {
		case test.message != "":
			if got != nil || err == nil || err.Error() != test.message {
				t.Errorf("%s: got %v and %v, want %q", test.name, got, err, test.message)
			}
		case err != nil || *got != rpctest.Model("it"):
			t.Errorf("%s: got %+v and %v, want %+v", test.name, got, err, rpctest.Model("it"))
		}
	}
}
