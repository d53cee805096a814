package jp2k

import (
	"testing"

	"tileserver/decode/jp2k/components"
	"tileserver/decode/pool"
	"tileserver/raster"
	"tileserver/source"
)

// Band metadata beside a file changes its pixels, and so its key.
func TestNotesBesideChangeTheKey(t *testing.T) {
	data := grayImage().Codestream()
	keys := make(map[string]string)
	for name, beside := range map[string]map[string]string{
		"nothing": {},
		"seven":   {"scene.j2k.aux.xml": `<PAMDataset><PAMRasterBand band="1"><NoDataValue>7</NoDataValue></PAMRasterBand></PAMDataset>`},
		"eight":   {"scene.j2k.aux.xml": `<PAMDataset><PAMRasterBand band="1"><NoDataValue>8</NoDataValue></PAMRasterBand></PAMDataset>`},
	} {
		f, err := Open(t.Context(), source.NewBytes("in/scene.j2k", data), Config{
			Config: components.Config{Key: "scene", Pool: pool.New(pool.Config{})}, Beside: openerOf(beside),
		})
		if err != nil {
			t.Fatal(err)
		}
		m := f.Images()[0]
		if other, ok := keys[m.Key()]; ok {
			t.Errorf("%s and %s beside the file: the key is %q", name, other, m.Key())
		}
		keys[m.Key()] = name
		noData := map[string]float64{"seven": 7, "eight": 8}
		tile := blocks(t, m, 0, []raster.BlockID{{}}, nil)[0]
		for at := range tile.Width() * tile.Height() {
			got, validity := tile.At(0, at%tile.Width(), at/tile.Width())
			if value, ok := noData[name]; (validity == raster.Invalid) != (ok && got == value) {
				t.Fatalf("%s beside the file: sample %v has validity %d", name, got, validity)
			}
		}
	}
}
