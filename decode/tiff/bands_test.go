package tiff

import (
	"fmt"
	"slices"
	"testing"

	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
)

func besideBand(text string) string {
	return `<PAMDataset><PAMRasterBand band="1">` + text + `</PAMRasterBand></PAMDataset>`
}

func taggedItems(text string) string { return `<GDALMetadata>` + text + `</GDALMetadata>` }

// openNoted opens an image of one band with GDAL metadata in the file and beside it.
func openNoted(t *testing.T, img tifftest.Image, beside string) *raster.Info {
	t.Helper()
	files := map[string][]byte{}
	if beside != "" {
		files["scene.tif.aux.xml"] = []byte(beside)
	}
	return openIn(t, tifftest.File{Images: []tifftest.Image{img}}, &folder{files: files}).Images()[0].Info()
}

func TestWavelengths(t *testing.T) {
	const micrometers = `<Item name="CENTRAL_WAVELENGTH_UM" sample="0" domain="IMAGERY">%s</Item>`
	envi := func(value, units string) string {
		return fmt.Sprintf(`<Item name="wavelength" sample="0">%s</Item><Item name="wavelength_units" sample="0">%s</Item>`, value, units)
	}
	described := func(name string) string {
		return `<Item name="DESCRIPTION" sample="0" role="description">` + name + `</Item>`
	}
	for _, test := range []struct {
		name, tagged, beside string
		want                 float64
	}{
		{"nothing", "", "", 0},
		{"GDAL", fmt.Sprintf(micrometers, "0.665"), "", 665},
		{"GDAL, beside the file", "", besideBand(`<Metadata domain="IMAGERY"><MDI key="CENTRAL_WAVELENGTH_UM">1.61</MDI></Metadata>`), 1610},
		{"GDAL, not a number", fmt.Sprintf(micrometers, "red"), "", 0},
		{"GDAL, no light", fmt.Sprintf(micrometers, "-1"), "", 0},
		{"ENVI in nanometers", envi("842.5", "Nanometers"), "", 842.5},
		{"ENVI in micrometers", envi("0.49", "Micrometers"), "", 490},
		{"ENVI in no unit", envi("490", "Unknown"), "", 0},
		{"ENVI in indices", envi("490", "Index"), "", 0},
		{"a name", described("B4, central wavelength 665 nm"), "", 665},
		{"a name with the unit at the number", described("red (665.5nm)"), "", 665.5},
		{"a name in micrometers", described("swir_1.61_µm"), "", 1610},
		{"a name with two", described("B4, central wavelength 665 nm, bandwidth 131 nm"), "", 0},
		{"a name with a small other", described("B4, 665 nm, bandwidth 31 nm"), "", 665},
		{"a name of miles", described("visibility 10 nm"), "", 0},
		{"a name with a number", described("Band 665"), "", 0},
		{"metadata goes before names", described("red 600 nm") + fmt.Sprintf(micrometers, "0.665"), "", 665},
	} {
		text := ""
		if test.tagged != "" {
			text = taggedItems(test.tagged)
		}
		got := openNoted(t, tagged(1, text), test.beside).Bands[0].Wavelength
		if got < test.want-1e-6 || got > test.want+1e-6 {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

func TestStoredStatistics(t *testing.T) {
	items := func(low, high, mean, deviation string) string {
		return fmt.Sprintf(`<Item name="STATISTICS_MINIMUM" sample="0">%s</Item><Item name="STATISTICS_MAXIMUM" sample="0">%s</Item>`+
			`<Item name="STATISTICS_MEAN" sample="0">%s</Item><Item name="STATISTICS_STDDEV" sample="0">%s</Item>`, low, high, mean, deviation)
	}
	beside := besideBand(`<Metadata><MDI key="STATISTICS_MINIMUM">-1</MDI><MDI key="STATISTICS_MAXIMUM">7</MDI><MDI key="STATISTICS_MEAN">2.5</MDI><MDI key="STATISTICS_STDDEV">0.5</MDI></Metadata>`)
	partial := besideBand(`<Metadata><MDI key="STATISTICS_MINIMUM">-1</MDI><MDI key="STATISTICS_MAXIMUM">7</MDI></Metadata>`)
	inFile := &raster.StoredStatistics{Min: 1, Max: 200, Mean: 100.5, StdDev: 20}
	for _, test := range []struct {
		name, tagged, beside string
		want                 *raster.StoredStatistics
	}{
		{"nothing", "", "", nil},
		{"in the file", items("1", "200", "100.5", "2e1"), "", inFile},
		{"beside it", "", beside, &raster.StoredStatistics{Min: -1, Max: 7, Mean: 2.5, StdDev: 0.5}},
		{"both", items("1", "200", "100.5", "20"), beside, &raster.StoredStatistics{Min: -1, Max: 7, Mean: 2.5, StdDev: 0.5}},
		{"other columns", items("1", "200", "100.5", "20"), partial, inFile},
		{"a part", "", partial, nil},
		{"no number", items("1", "200", "nan", "20"), "", nil},
		{"no end", items("1", "inf", "100", "20"), "", nil},
		{"upside down", items("200", "1", "100", "20"), "", nil},
		{"less than no deviation", items("1", "200", "100", "-20"), "", nil},
	} {
		text := ""
		if test.tagged != "" {
			text = taggedItems(test.tagged)
		}
		got := openNoted(t, tagged(1, text), test.beside).Bands[0].Stored
		if (got == nil) != (test.want == nil) || got != nil && *got != *test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

func TestPalettesBeside(t *testing.T) {
	const colors = `<ColorTable><Entry c1="1" c2="2" c3="3" c4="4"/><Entry c1="5" c2="6" c3="7"/></ColorTable>`
	const categories = `<CategoryNames><Category>water</Category><Category/><Category>wood</Category></CategoryNames>`
	named := `<ColorInterp>Palette</ColorInterp>`
	gray := tagged(1, "")
	indexed := gray
	indexed.Bits, indexed.Palette = 2, [][3]uint16{{0, 0, 0}, {9 << 8, 9 << 8, 9 << 8}, {0, 0, 0}, {0, 0, 0}}
	wide := gray
	wide.Bits = 16
	float := gray
	float.Bits, float.Format = 32, tifftest.Float
	first, second := raster.RGBA{R: 1, G: 2, B: 3, A: 4}, raster.RGBA{R: 5, G: 6, B: 7, A: 255}
	for _, test := range []struct {
		name   string
		image  tifftest.Image
		beside string
		color  raster.Color
		count  int
	}{
		{"of grays, by name", gray, named + colors, raster.PaletteIndex, 256},
		{"of grays, which stay gray", gray, colors, raster.Gray, 0},
		{"in place of the file's", indexed, colors, raster.PaletteIndex, 256},
		{"of 16 bits", wide, named + colors, raster.PaletteIndex, 65536},
		{"of floats", float, named + colors, raster.Gray, 0},
	} {
		info := openNoted(t, test.image, besideBand(test.beside+categories))
		if info.Bands[0].Color != test.color || len(info.Palette) != test.count {
			t.Errorf("%s: %d colors of a %v band, want %d of %v", test.name, len(info.Palette), info.Bands[0].Color, test.count, test.color)
			continue
		}
		if test.count > 0 && (info.Palette[0] != first || info.Palette[1] != second || info.Palette[2] != raster.RGBA{}) {
			t.Errorf("%s: the colors begin with %v", test.name, info.Palette[:3])
		}
		if got, want := info.Bands[0].Categories, []string{"water", "", "wood"}; !slices.Equal(got, want) {
			t.Errorf("%s: the categories are %q, want %q", test.name, got, want)
		}
	}
	const nameless = `<CategoryNames><Category/><Category></Category></CategoryNames>`
	if info := openNoted(t, gray, besideBand(nameless)); info.Bands[0].Categories != nil {
		t.Errorf("names that are all empty: %q", info.Bands[0].Categories)
	}
	if info := openNoted(t, indexed, ""); len(info.Palette) != 4 || info.Palette[1] != (raster.RGBA{R: 9, G: 9, B: 9, A: 255}) {
		t.Errorf("without a side file: %v", info.Palette)
	}
}
