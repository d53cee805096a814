package api_test

import (
	"testing"

	"tileserver/http/servertest"
)

func TestLayerDocumentListsKnownDamage(t *testing.T) {
	server := servertest.NewDamaged(t)
	type document struct {
		Damage *struct {
			Parts map[string]int
			Notes []string
			More  bool
		}
	}
	if d := servertest.DecodeJSON[document](t, server.Get(t, "/layers/damaged")); d.Damage != nil {
		t.Errorf("before any read, the damage is %+v", d.Damage)
	}
	server.Get(t, "/layers/damaged/view.png?crs=image&bbox=140,10,200,50&width=60&height=40&rescale=0,255")
	server.Get(t, "/layers/damaged/view.npy?crs=image&bbox=10,10,60,50&width=50&height=40")
	d := servertest.DecodeJSON[document](t, server.Get(t, "/layers/damaged")).Damage
	if d == nil || d.Parts["code-blocks"] != 1 || d.Parts["missing-tiles"] != 1 || d.More || len(d.Notes) != 2 || d.Notes[0] != "code-block 7: damaged" {
		t.Errorf("the damage is %+v", d)
	}
	if d := servertest.DecodeJSON[document](t, server.Get(t, "/layers/plain")); d.Damage != nil {
		t.Errorf("the damage of another layer is %+v", d.Damage)
	}
}
