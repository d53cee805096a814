package rpc_test

import (
	"strings"
	"testing"

	"tileserver/decode/rpc"
	"tileserver/decode/rpc/rpctest"
)

func TestNotations(t *testing.T) {
	text, rpb := rpctest.Text(), rpctest.RPB()
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
