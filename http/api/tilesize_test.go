package api_test

import (
	"net/http"
	"slices"
	"testing"

	"tileserver/geo"
	"tileserver/http/servertest"
)

// The default side of tiles is that of their own level, even if it differs between levels.
func TestTileSizeInASetOfDifferentSides(t *testing.T) {
	world := geo.WebMercatorQuad()
	set := &geo.TileMatrixSet{ID: "Mixed", Title: "Mixed", CRS: world.CRS, Matrices: slices.Clone(world.Matrices[:2])}
	one := &set.Matrices[1]
	one.TileWidth, one.TileHeight, one.Columns, one.Rows = 512, 512, 1, 1
	server := servertest.New(t, nil)
	s := servertest.Scenes(t)[0]
	s.Config.ID, s.Config.TileSets = "mixed", []*geo.TileMatrixSet{set}
	server.Add(t, s)
	for address, side := range map[string]int{
		"0/0/0.png": 256, "1/0/0.png": 512, "0/0/0.png?tilesize=512": 512, "1/0/0.png?tilesize=512": 512, "1/0/0.png?tilesize=1024": 1024,
		"0/0/0.png?tilesize=1280": 0, "1/0/0.png?tilesize=256": 0, "1/0/0.png?tilesize=0": 0, "0/0/0.png?tilesize=70000": 0,
	} {
		got := server.Get(t, "/tiles/mixed/Mixed/"+address)
		if side == 0 {
			if got.Code != http.StatusBadRequest {
				t.Errorf("%s: status %d", address, got.Code)
			}
			continue
		}
		if img, _ := servertest.DecodeImage(t, got); img.Bounds().Dx() != side || img.Bounds().Dy() != side {
			t.Errorf("%s is %v, want a side of %d", address, img.Bounds(), side)
		}
	}
}
