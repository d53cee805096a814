package tiff

import (
	"fmt"
	"strings"
	"testing"

	"tileserver/decode/tiff/tag"
	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
)

// tagged returns an image of bytes with a text in the tag GDAL_METADATA.
func tagged(bands int, text string) tifftest.Image {
	img := tifftest.Image{Width: 6, Height: 5, Samples: bands, Value: ramp}
	if text != "" {
		img.Tags = []tifftest.Tag{{ID: uint16(tag.GDALMetadata), Value: text}}
	}
	return img
}

func bandsOf(info *raster.Info) string {
	var texts []string
	for _, b := range info.Bands {
		text := fmt.Sprintf("%s %v", b.Name, b.Color)
		if b.HasNoData {
			text += fmt.Sprintf(" nodata %v", b.NoData)
		}
		if b.Scale != 0 {
			text += fmt.Sprintf(" %v*x%+g", b.Scale, b.Offset)
		}
		texts = append(texts, strings.TrimSpace(text+" "+b.Unit))
	}
	return strings.Join(texts, "; ")
}

// TestAnnotations checks what GDAL metadata says of bands, in the file and beside it, and which
// takes precedence.
func TestAnnotations(t *testing.T) {
	const (
		inFile = `<GDALMetadata><Item name="SCALE" sample="0" role="scale">0.5</Item><Item name="OFFSET" sample="0" role="offset">-3</Item>` +
			`<Item name="UNITTYPE" sample="0" role="unittype">m</Item><Item name="DESCRIPTION" sample="1" role="description">depth</Item>` +
			`<Item name="COLORINTERP" sample="1" role="colorinterp">Alpha</Item></GDALMetadata>`
		beside = `<PAMDataset><PAMRasterBand band="1"><Scale>9</Scale><UnitType>km</UnitType><NoDataValue>4</NoDataValue><Description>one</Description></PAMRasterBand>` +
			`<PAMRasterBand band="2"><Offset>7</Offset><Description>two</Description><ColorInterp>Gray</ColorInterp></PAMRasterBand></PAMDataset>`
		palette = `<PAMDataset><PAMRasterBand band="1"><ColorInterp>Palette</ColorInterp><ColorTable><Entry c1="1" c2="2" c3="3" c4="4"/></ColorTable></PAMRasterBand></PAMDataset>`
	)
	withNoData := tagged(2, "")
	withNoData.NoData = "200"
	inks := tagged(4, `<GDALMetadata><Item name="COLORINTERP" sample="0" role="colorinterp">Red</Item></GDALMetadata>`)
	inks.Photometric = tifftest.CMYK
	for _, test := range []struct {
		name   string
		image  tifftest.Image
		beside string
		want   string
	}{
		{"nothing", tagged(2, ""), "", "gray gray; band 2 undefined"},
		{"in the file", tagged(2, inFile), "", "gray gray 0.5*x-3 m; depth alpha"},
		{"beside it", tagged(2, ""), beside, "one gray nodata 4 9*x+0 km; two gray 1*x+7"},
		{"both", tagged(2, inFile), beside, "one gray nodata 4 0.5*x-3 m; depth gray 1*x+7"},
		{"nodata of bands", withNoData, beside, "one gray nodata 4 9*x+0 km; two gray nodata 200 1*x+7"},
		{"a palette beside", tagged(1, ""), palette, "palette palette"},
		{"a palette for one band of two", tagged(2, ""), palette, "gray gray; band 2 undefined"},
		{"inks", inks, "", "band 1 undefined; band 2 undefined; band 3 undefined; band 4 undefined"},
		{"words", tagged(1, "these are words"), "", "gray gray"},
	} {
		files := map[string][]byte{}
		if test.beside != "" {
			files["scene.tif.aux.xml"] = []byte(test.beside)
		}
		m := openIn(t, tifftest.File{Images: []tifftest.Image{test.image}}, &folder{files: files}).Images()[0]
		if got := bandsOf(m.Info()); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
		if noted := len(m.Description().Notes) > 0; noted != (test.name == "words") {
			t.Errorf("%s: notes %q", test.name, m.Description().Notes)
		}
	}
}

// TestNoDataOfEachBand reads pixels with a nodata value that only the side file has, and only for
// some bands.
func TestNoDataOfEachBand(t *testing.T) {
	img := tifftest.Image{Width: 9, Height: 7, Samples: 2, Value: func(x, y, band int) float64 { return float64((x + y) % 5) }}
	img.Sparse, img.Tiled, img.BlockWidth, img.BlockHeight = func(column, _ int) bool { return column == 0 }, true, 16, 16
	stored := img
	stored.Sparse = nil
	beside := &folder{files: map[string][]byte{"scene.tif.aux.xml": []byte(
		`<PAMDataset><PAMRasterBand band="2"><NoDataValue>3</NoDataValue></PAMRasterBand></PAMDataset>`)}}
	for _, sparse := range []bool{false, true} {
		image := stored
		if sparse {
			image = img
		}
		m := openIn(t, tifftest.File{Images: []tifftest.Image{image}}, beside).Images()[0]
		tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, []int{1, 0})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []struct {
			value float64
			valid bool
		}{{3, false}, {float64(map[bool]int{true: 0, false: 3}[sparse]), !sparse}} {
			if v, coverage := tiles[0].At(i, 1, 2); v != want.value || (coverage == raster.Valid) != want.valid {
				t.Errorf("sparse %v, band %d: got %v of coverage %d, want %v, valid %v", sparse, i, v, coverage, want.value, want.valid)
			}
		}
	}
}

// TestMetadataIsBounded opens many images with long texts.
func TestMetadataIsBounded(t *testing.T) {
	text := `<GDALMetadata><Item name="A">` + strings.Repeat("x", 1000) + `</Item></GDALMetadata>`
	images := []tifftest.Image{tagged(1, text), tagged(1, text), tagged(1, text)}
	config := Config{Pool: testPool(), Limits: Limits{MetadataBytes: 2500}}
	f, _ := openCounting(t, tifftest.File{Images: images}, config)
	for i, m := range f.Images() {
		if read := m.group.Metadata().Domains[""]["A"] != ""; read != (i < 2) || (len(m.Description().Notes) == 0) != read {
			t.Errorf("image %d: read %v, notes %q", i, read, m.Description().Notes)
		}
	}
}
