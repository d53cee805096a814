package tiff

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
	"tileserver/geo"
	"tileserver/raster"
)

// tagged is an image of bytes with a text in the tag GDAL_METADATA.
func tagged(bands int, text string) tifftest.Image {
	img := tifftest.Image{Width: 6, Height: 5, Samples: bands, Value: ramp}
	if text != "" {
		img.Tags = []tifftest.Tag{{ID: uint16(tagGDALMetadata), Value: text}}
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

// TestAnnotations is about what the metadata of GDAL says of bands, in the file and
// beside it, and which goes before which.
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
		{"no data of bands", withNoData, beside, "one gray nodata 4 9*x+0 km; two gray nodata 200 1*x+7"},
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

// TestNoDataOfEachBand reads pixels with a sample for no data that only the side
// file tells, and not for all bands.
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

// TestMetadataIsBounded is about long texts in many images.
func TestMetadataIsBounded(t *testing.T) {
	text := `<GDALMetadata><Item name="A">` + strings.Repeat("x", 1000) + `</Item></GDALMetadata>`
	images := []tifftest.Image{tagged(1, text), tagged(1, text), tagged(1, text)}
	config := Config{Pool: testPool(), Limits: Limits{MetadataBytes: 2500}}
	f, _ := openCounting(t, tifftest.File{Images: images}, config)
	for i, m := range f.Images() {
		if read := m.Metadata().Domains[""]["A"] != ""; read != (i < 2) || (len(m.Description().Notes) == 0) != read {
			t.Errorf("image %d: read %v, notes %q", i, read, m.Description().Notes)
		}
	}
}

// TestReferenceSystemsInWords holds systems that side files write down against those
// of the registry, by where they put a point.
func TestReferenceSystemsInWords(t *testing.T) {
	const (
		wgs84 = `GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`
		nad83 = `GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`
		meter = `UNIT["Meter",1.0]`
	)
	for _, test := range []struct {
		name, text string
		code       int // 0: none
	}{
		{"a code", utmWKT, 32633},
		{"a code of the second kind", `PROJCRS["WGS 84 / UTM zone 33N",BASEGEOGCRS["WGS 84",ID["EPSG",4326]],CONVERSION["UTM zone 33N",ID["EPSG",16033]],ID["EPSG",32633]]`, 32633},
		{"with heights", `COMPD_CS["a",` + utmWKT + `,VERT_CS["h",VERT_DATUM["h",2005],AUTHORITY["EPSG","5773"]],AUTHORITY["EPSG","99999"]]`, 32633},
		{"bound to another", `BOUNDCRS[SOURCECRS[` + utmWKT + `],TARGETCRS[GEOGCRS["x",ID["EPSG",4326]]]]`, 32633},
		{"degrees", wgs84, 4326},
		{"UTM", `PROJCS["WGS_1984_UTM_Zone_33N",` + wgs84 + `,PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",15.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],` + meter + `]`, 32633},
		{"Web Mercator", `PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",` + wgs84 + `,PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],` + meter + `]`, 3857},
		{"Albers", `PROJCS["USA_Contiguous_Albers_Equal_Area_Conic",` + nad83 + `,PROJECTION["Albers"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["central_meridian",-96.0],PARAMETER["Standard_Parallel_1",29.5],PARAMETER["Standard_Parallel_2",45.5],PARAMETER["latitude_of_origin",23.0],` + meter + `]`, 5070},
		{"Lambert", `PROJCS["RGF_1993_Lambert_93",GEOGCS["GCS_RGF_1993",DATUM["D_RGF_1993",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",700000.0],PARAMETER["False_Northing",6600000.0],PARAMETER["Central_Meridian",3.0],PARAMETER["Standard_Parallel_1",44.0],PARAMETER["Standard_Parallel_2",49.0],PARAMETER["Latitude_Of_Origin",46.5],` + meter + `]`, 2154},
		{"feet", `PROJCS["NAD_1983_StatePlane_California_III_FIPS_0403_Feet",` + nad83 + `,PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",6561666.666666666],PARAMETER["False_Northing",1640416.666666667],PARAMETER["Central_Meridian",-120.5],PARAMETER["Standard_Parallel_1",37.06666666666667],PARAMETER["Standard_Parallel_2",38.43333333333333],PARAMETER["Latitude_Of_Origin",36.5],UNIT["Foot_US",0.3048006096012192]]`, 2227},
		{"the north pole", `PROJCS["WGS_84_NSIDC_Sea_Ice_Polar_Stereographic_North",` + wgs84 + `,PROJECTION["Stereographic_North_Pole"],PARAMETER["false_easting",0],PARAMETER["false_northing",0],PARAMETER["central_meridian",-45],PARAMETER["standard_parallel_1",70],` + meter + `]`, 3413},
		{"a shape of the earth", `PROJCS["x",GEOGCS["x",DATUM["x",SPHEROID["WGS 84",6378137,298.257223563],TOWGS84[0,0,0]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["false_easting",500000],PARAMETER["central_meridian",15],PARAMETER["scale_factor",0.9996],` + meter + `]`, 32633},
		{"a code that nobody knows", `PROJCS["x",AUTHORITY["EPSG","1"]]`, 0},
		{"a projection that nobody knows", `PROJCS["x",` + wgs84 + `,PROJECTION["Peirce_Quincuncial"],` + meter + `]`, 0},
		{"a local system", `LOCAL_CS["x"]`, 0},
		{"no unit", `PROJCS["x",` + wgs84 + `,PROJECTION["Transverse_Mercator"]]`, 0},
		{"an axis that is no number", `GEOGCS["x",DATUM["x",SPHEROID["x",long,1]]]`, 0},
		{"words", "these are words", 0},
	} {
		got, err := crsOfWKT(test.text)
		if test.code == 0 {
			if err == nil {
				t.Errorf("%s: got %v, want an error", test.name, got.Name())
			}
			continue
		}
		want, wantErr := geo.ByCode(test.code)
		if err != nil || wantErr != nil {
			t.Errorf("%s: %v, %v", test.name, err, wantErr)
			continue
		}
		for _, p := range []geo.Point{{X: 14.5, Y: 48.25}, {X: -97.5, Y: 40}, {X: -121, Y: 37.5}} {
			a, b := got.FromLonLat(p), want.FromLonLat(p)
			if math.IsNaN(a.X) && math.IsNaN(b.X) {
				continue
			}
			if !(math.Hypot(a.X-b.X, a.Y-b.Y)*want.MetersPerUnit() < 1e-3) {
				t.Errorf("%s: %v is at %v, want %v", test.name, p, a, b)
			}
		}
	}
}
