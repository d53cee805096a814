package georeference

import (
	"errors"
	"strings"
	"testing"

	"tileserver/decode/rpc/rpctest"
	"tileserver/geo"
	"tileserver/source"
)

// A tile of Pléiades has its model in files that are named after the whole image.
func TestModelsOfDIMAP(t *testing.T) {
	const (
		whole = "PHR1A_P_201202250025599_SEN_IPU_20120509_001-1"
		tiles = `<Dimap_Document><Raster_Data><Raster_Dimensions><Tile_Set><Regular_Tiling><NTILES_SIZE nrows="2048" ncols="4096"/>` +
			`<OVERLAP_COL>0</OVERLAP_COL><OVERLAP_ROW>0</OVERLAP_ROW></Regular_Tiling></Tile_Set></Raster_Dimensions></Raster_Data></Dimap_Document>`
	)
	model := rpctest.DIMAP()
	overlapping := strings.Replace(tiles, "COL>0<", "COL>8<", 1)
	third := &geo.Affine{A: 1, C: 2 * 4096, E: 1, F: 2048}
	for _, test := range []struct {
		name  string // of the image
		files map[string]string
		from  string // empty if there is no model
		chip  *geo.Affine
		err   string
	}{
		{name: "IMG_" + whole + "_R1C1.JP2"},
		{name: "IMG_" + whole + "_R1C1.JP2", files: map[string]string{"RPC_" + whole + ".XML": model}, from: "RPC_" + whole + ".XML"},
		{name: "IMG_" + whole + "_R1C1.TIF", files: map[string]string{"RPC_" + whole + "_R1C1.XML": model, "RPC_" + whole + ".XML": "other"}, from: "RPC_" + whole + "_R1C1.XML"},
		{name: whole + "_R1C1.TIF", files: map[string]string{"RPC_" + whole + ".XML": model}},
		{name: "IMG_" + whole + ".TIF", files: map[string]string{"RPC_" + whole + ".XML": model}},
		{name: "IMG_.TIF"},
		{name: "IMG_" + whole + "_R0C1.TIF", files: map[string]string{"RPC_" + whole + ".XML": model}},
		{name: "IMG_" + whole + "_R2C3.TIF", files: map[string]string{"RPC_" + whole + ".XML": model, "DIM_" + whole + ".XML": tiles}, from: "RPC_" + whole + ".XML", chip: third},
		{name: "IMG_" + whole + "_R2C3.TIF", files: map[string]string{"RPC_" + whole + ".XML": model}, err: "where the tile lies is not told: there is no DIM_"},
		{name: "IMG_" + whole + "_R2C3.TIF", files: map[string]string{"RPC_" + whole + ".XML": model, "DIM_" + whole + ".XML": overlapping}, err: "its tiles overlap"},
		{name: "IMG_" + whole + "_R2C3.TIF", files: map[string]string{"RPC_" + whole + ".XML": model, "DIM_" + whole + ".XML": "<a/>"}, err: "it does not tell the size of tiles"},
		{name: "IMG_" + whole + "_R1C1.TIF", files: map[string]string{"RPC_" + whole + ".XML": "<a"}, err: "XML syntax error"},
	} {
		beside := NewSideFiles(source.NewBytes("in/"+test.name, nil), (&folder{files: test.files}).Open)
		got, err := beside.RPC(t.Context(), nil)
		if test.err != "" {
			if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: got %v, want %q", test.name, err, test.err)
			}
			continue
		}
		if err != nil || (got == nil) != (test.from == "") {
			t.Errorf("%s: got %v and %v", test.name, got, err)
			continue
		}
		if got == nil {
			continue
		}
		if (got.Chip == nil) != (test.chip == nil) || got.Chip != nil && *got.Chip != *test.chip {
			t.Errorf("%s: the tile is at %v, want %v", test.name, got.Chip, test.chip)
		}
		got.Chip = nil
		if want := rpctest.Model(test.from); *got != want {
			t.Errorf("%s: got %+v, want %+v", test.name, *got, want)
		}
	}
}
