package jp2k

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"math"
	"strings"
	"testing"

	"tileserver/decode/georeference"
	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/boxes/boxestest"
	"tileserver/decode/pam"
	"tileserver/decode/tiff"
	"tileserver/decode/tiff/tifftest"
	"tileserver/geo"
	"tileserver/source"
)

// besideOf returns side files of scene.jp2, by name.
func besideOf(files map[string]string) *georeference.SideFiles {
	return georeference.NewSideFiles(source.NewBytes("in/scene.jp2", nil), openerOf(files))
}

func openerOf(files map[string]string) georeference.OpenFunc {
	return func(_ context.Context, name string) (source.Source, error) {
		text, ok := files[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return source.NewBytes(name, []byte(text)), nil
	}
}

func containerOf(t *testing.T, following ...[]byte) *boxes.Container {
	t.Helper()
	file := boxestest.File(boxestest.Header(boxestest.ImageHeader(7, 5, 1, 8), boxestest.EnumeratedColor(17)), append(following, boxestest.Codestream())...)
	c, err := boxes.Read(&boxestest.Bytes{Content: file}, boxes.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// geoJP2 returns a GeoJP2 box.
func geoJP2(t *testing.T, g tifftest.Georeference) []byte {
	t.Helper()
	file := tifftest.File{Images: []tifftest.Image{{
		Width: 1, Height: 1, Value: func(_, _, _ int) float64 { return 0 }, Tags: tifftest.GeoTIFF(g),
	}}}
	content, err := file.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return boxestest.UUID(string(boxes.GeoJP2), content)
}

// gmlJP2 returns the boxes of a GMLJP2 grid whose reference system has its own axis order.
func gmlJP2(crs string, x, y, byColumn, byRow string) []byte {
	return boxestest.GML(`<g:FeatureCollection xmlns:g="g"><g:RectifiedGrid><g:origin><g:Point srsName="` + crs + `"><g:pos>` + x + " " + y +
		`</g:pos></g:Point></g:origin><g:offsetVector>` + byColumn + `</g:offsetVector><g:offsetVector>` + byRow + `</g:offsetVector></g:RectifiedGrid></g:FeatureCollection>`)
}

// msig returns the box of a world file.
func msig(numbers ...float64) []byte {
	content := append([]byte("MSIG/"), make([]byte, 17)...)
	for _, v := range numbers {
		content = binary.LittleEndian.AppendUint64(content, math.Float64bits(v))
	}
	return boxestest.UUID(string(boxes.WorldFile), content)
}

func TestGeoreferenceOf(t *testing.T) {
	utm := geoJP2(t, tifftest.Georeference{EPSG: 32633, OriginX: 500000, OriginY: 4000000, PixelX: 10, PixelY: 20})
	inUTM := geo.Affine{A: 10, C: 500000, E: -20, F: 4000000}
	world := map[string]string{"scene.j2w": "2\n0\n0\n-4\n101\n198\n"}
	byWorld := geo.Affine{A: 2, C: 100, E: -4, F: 200}
	noted := &pam.Document{CRS: "EPSG:3857", GeoTransform: &[6]float64{1, 2, 0, 3, 0, -4}}
	dictionary := boxestest.Labeled("gml.data", boxestest.Labeled("CRS.xml", boxestest.XML(`<d:Dictionary xmlns:d="d"><d:C d:id="one"><d:identifier codeSpace="EPSG">32633</d:identifier></d:C></d:Dictionary>`)))
	for _, test := range []struct {
		name   string
		boxes  []byte
		noted  *pam.Document
		beside map[string]string
		affine geo.Affine
		crs    string
		notes  []string
	}{
		{name: "nothing"},
		{name: "GeoJP2", boxes: utm, affine: inUTM, crs: "EPSG:32633"},
		{name: "GeoJP2 before all but notes", boxes: join(utm, gmlJP2("EPSG:3857", "1", "2", "1 0", "0 -1"), msig(1, 0, 0, -1, 0, 0)), beside: world, affine: inUTM, crs: "EPSG:32633"},
		{name: "notes before GeoJP2", boxes: utm, noted: noted, affine: geo.Affine{A: 2, C: 1, E: -4, F: 3}, crs: "EPSG:3857"},
		{name: "notes of a CRS alone", boxes: utm, noted: &pam.Document{CRS: "EPSG:32634"}, affine: inUTM, crs: "EPSG:32634"},
		{name: "GMLJP2, easting first", boxes: gmlJP2("EPSG:4326", "10.5", "49.5", "1 0", "0 -1"), affine: geo.Affine{A: 1, C: 10, E: -1, F: 50}, crs: "EPSG:4326"},
		{name: "GMLJP2, northing first", boxes: gmlJP2("urn:ogc:def:crs:EPSG::4326", "49.5", "10.5", "0 1", "-1 0"), affine: geo.Affine{A: 1, C: 10, E: -1, F: 50}, crs: "EPSG:4326"},
		{name: "GMLJP2 before a world file", boxes: gmlJP2("EPSG:3857", "0.5", "-0.5", "1 0", "0 -1"), beside: world, affine: geo.Affine{A: 1, E: -1}, crs: "EPSG:3857"},
		{name: "GMLJP2 on its side", boxes: gmlJP2("urn:ogc:def:crs:EPSG::4326", "10", "50", "1 0", "0 -1"), affine: geo.Affine{B: -1, C: 50.5, D: 1, F: 9.5}, crs: "EPSG:4326", notes: []string{"on its side"}},
		{name: "GMLJP2 with a dictionary", boxes: join(gmlJP2("urn:jp2k:xml:CRS.xml#one", "5", "6", "10 0", "0 -4"), dictionary), affine: geo.Affine{A: 10, E: -4, F: 8}, crs: "EPSG:32633"},
		{name: "GMLJP2 with an unknown name, and a world file box", boxes: join(gmlJP2("mine", "5", "6", "10 0", "0 -4"), msig(1, 0, 0, -1, 0, 0)), affine: geo.Affine{A: 10, E: -4, F: 8}},
		{name: "GMLJP2 of nothing", boxes: boxestest.GML("<a/>"), beside: world, affine: byWorld, notes: []string{"no rectified grid"}},
		{name: "GMLJP2 without a label", boxes: boxestest.XML(`<RectifiedGrid srsName="EPSG:3857"><origin><Point><pos>0 0</pos></Point></origin><offsetVector>2 0</offsetVector><offsetVector>0 -2</offsetVector></RectifiedGrid>`), affine: geo.Affine{A: 2, C: -1, E: -2, F: 1}, crs: "EPSG:3857"},
		{name: "a grid of no size", boxes: gmlJP2("EPSG:3857", "0", "0", "1 0", "2 0"), notes: []string{"without a size"}},
		{name: "a world file box", boxes: msig(2, 0, 0, -4, 101, 198), affine: byWorld},
		{name: "a world file", beside: world, affine: byWorld},
		{name: "a world file of a raw codestream's name", beside: map[string]string{"scene.wld": world["scene.j2w"]}, affine: byWorld},
		{name: "a world file and a CRS of GeoJP2", boxes: geoJP2(t, tifftest.Georeference{EPSG: 32633}), beside: world, affine: byWorld, crs: "EPSG:32633"},
		{name: "an empty GeoJP2 box, then another", boxes: join(geoJP2(t, tifftest.Georeference{}), utm), affine: inUTM, crs: "EPSG:32633"},
		{name: "an invalid GeoJP2 box", boxes: join(boxestest.UUID(string(boxes.GeoJP2), []byte("II*\x00what?")), gmlJP2("EPSG:3857", "0.5", "-0.5", "1 0", "0 -1")), affine: geo.Affine{A: 1, E: -1}, crs: "EPSG:3857", notes: []string{"GeoJP2 box 1"}},
		{name: "a world file of words", beside: map[string]string{"scene.j2w": "here"}, notes: []string{"scene.j2w is skipped"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, notes, err := georeferenceOf(t.Context(), Config{GeoTIFF: tiff.ReadGeoreference}, containerOf(t, test.boxes), test.noted, besideOf(test.beside))
			if err != nil {
				t.Fatal(err)
			}
			crs := ""
			if g.CRS != nil {
				crs = g.CRS.Code()
			}
			if g.Affine != test.affine || g.HasAffine != (test.affine != geo.Affine{}) || crs != test.crs {
				t.Errorf("got %+v in %q, want %+v in %q", g.Affine, crs, test.affine, test.crs)
			}
			if (g.CRS == nil) != (g.CRSError != nil) {
				t.Errorf("the CRS %v has the error %v", g.CRS, g.CRSError)
			}
			if len(notes) != len(test.notes) || len(notes) > 0 && !strings.Contains(notes[0], test.notes[0]) {
				t.Errorf("notes %q, want %q", notes, test.notes)
			}
		})
	}
}

func join(all ...[]byte) []byte { return bytes.Join(all, nil) }

func TestGeoreferenceOfEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	cancel(gone)
	if _, _, err := georeferenceOf(ctx, Config{}, containerOf(t), nil, besideOf(map[string]string{"scene.j2w": "here"})); !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
}
