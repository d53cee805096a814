package tilesets_test

import (
	"fmt"
	"strings"
	"testing"

	"tileserver/geo"
	"tileserver/layer/tilesets"
)

func TestTileSetIDsMustBeUnique(t *testing.T) {
	named := func(id string) *geo.TileMatrixSet {
		set := *unevenSet(t)
		set.ID = id
		return &set
	}
	for _, test := range []struct {
		name string
		sets []*geo.TileMatrixSet
		want string // in the error; "" for none
	}{
		{"two", []*geo.TileMatrixSet{named("a"), named("b")}, ""},
		{"a registered one", []*geo.TileMatrixSet{named("UTM33WGS84Quad")}, "duplicate tile matrix set id"},
		{"one that is there already", []*geo.TileMatrixSet{named("a"), named("a")}, "duplicate tile matrix set id"},
		{"one of an image", []*geo.TileMatrixSet{named("image")}, "duplicate tile matrix set id"},
		{"one of a layer", []*geo.TileMatrixSet{named("native-x")}, "duplicate tile matrix set id"},
		{"one that is no part of an address", []*geo.TileMatrixSet{named("a b")}, "needs a valid id, a CRS and matrices"},
		{"one without levels", []*geo.TileMatrixSet{{ID: "a", CRS: geo.CRS84()}}, "needs a valid id, a CRS and matrices"},
		{"one without a system", []*geo.TileMatrixSet{{ID: "a", Matrices: unevenSet(t).Matrices}}, "needs a valid id, a CRS and matrices"},
	} {
		err := tilesets.Check(test.sets)
		if got := fmt.Sprint(err); test.want == "" && err != nil || !strings.Contains(got, test.want) {
			t.Errorf("%s: got %v", test.name, err)
		}
	}
}
