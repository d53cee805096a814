package integration

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// schemasOfMapProxy is the folder in which Debian's python3-mapproxy installs the OGC schemas. This
// repository must not redistribute them.
const schemasOfMapProxy = "/usr/share/python3-mapproxy/test/schemas"

// wmtsSchemas holds the path of xmllint and of the schemas of capabilities and exception reports.
type wmtsSchemas struct{ xmllint, capabilities, report string }

func findWMTSSchemas(t *testing.T) wmtsSchemas {
	t.Helper()
	xmllint := find(t, "xmllint")
	folder := os.Getenv("TILESERVER_OGC_SCHEMAS")
	if folder == "" {
		folder = schemasOfMapProxy
	}
	if _, err := os.Stat(folder); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("the schemas of the OGC are not installed: %v", err)
		}
		t.Skipf("NOT TESTED: the schemas of the OGC are not installed: %v", err)
	}
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	s := wmtsSchemas{
		xmllint, filepath.Join(copied, "wmts", "1.0", "wmtsGetCapabilities_response.xsd"),
		filepath.Join(copied, "ows", "1.1.0", "owsExceptionReport.xsd"),
	}
	countFromZero(t, s.capabilities)
	return s
}

// limitOfTiles is the definition in the first edition of the schema by which rows and columns count
// from 1. The standard and later editions count from 0.
var limitOfTiles = regexp.MustCompile(`(<element name="M(?:in|ax)Tile(?:Row|Col)" type=")positiveInteger"`)

func countFromZero(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	corrected := limitOfTiles.ReplaceAll(text, []byte(`${1}nonNegativeInteger"`))
	if !bytes.Contains(corrected, []byte(`<element name="MinTileRow" type="nonNegativeInteger"`)) {
		t.Fatal("the schema has no limit of rows and columns")
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, corrected, fs.FileMode(0o644)); err != nil {
		t.Fatal(err)
	}
}

// complaint returns the schema's error for a document, or "" if the document is valid.
func (s *wmtsSchemas) complaint(schema string, document []byte) string {
	validate := exec.Command(s.xmllint, "--nonet", "--noout", "--schema", schema, "-")
	validate.Stdin = bytes.NewReader(document)
	if output, err := validate.CombinedOutput(); err != nil {
		return strings.TrimSpace(string(output))
	}
	return ""
}

// serveWMTSWorld serves layers in coordinate systems with both axis orders, and titles with special
// characters.
func serveWMTSWorld(t *testing.T) *server {
	t.Helper()
	folder := t.TempDir()
	for name, place := range map[string]tifftest.Georeference{
		"mercator":               {EPSG: 3857, OriginX: cornerX, OriginY: cornerY, PixelX: resolution, PixelY: resolution},
		"latitudes first":        {EPSG: 4326, Geographic: true, OriginX: 10, OriginY: 50, PixelX: 0.01, PixelY: 0.01},
		"northings first & <b>'": {EPSG: 3035, OriginX: 4321000, OriginY: 3210000, PixelX: 100, PixelY: 100},
		"zone":                   {EPSG: 32633, OriginX: 500000, OriginY: 5300000, PixelX: 10, PixelY: 10},
	} {
		img := colors()
		img.Tags = tifftest.GeoTIFF(place)
		writeTIFF(t, folder, name+".tif", fileOf(img))
	}
	writeTIFF(t, folder, "heights.tif", fileOf(heights()))
	writeTIFF(t, folder, "nowhere.tif", fileOf(plain()))
	return start(t, "serve", folder)
}

func TestWMTSDocumentsAreValid(t *testing.T) {
	skipWithoutProgram(t)
	schemas := findWMTSSchemas(t)
	s := serveWMTSWorld(t)
	const query = "/wmts?service=WMTS&request=GetCapabilities"
	paths := []string{
		"/wmts/1.0.0/WMTSCapabilities.xml", "/layers/heights/WMTSCapabilities.xml", query, query + "&sections=All", query + "&sections=Themes", query + "&sections=Contents,Themes",
		query + "&sections=ServiceIdentification,ServiceProvider", query + "&sections=OperationsMetadata", query + "&AcceptFormats=text/xml",
	}
	whole := get(t, s.maps+paths[0]).body
	sequence := regexp.MustCompile(`updateSequence="([^"]+)"`).FindSubmatch(whole)
	if sequence == nil {
		t.Fatalf("no update sequence in %.500s", whole)
	}
	paths = append(paths, query+"&updateSequence="+string(sequence[1]))
	for _, path := range paths {
		if complaint := schemas.complaint(schemas.capabilities, get(t, s.maps+path).body); complaint != "" {
			t.Errorf("%s is not valid: %s", path, complaint)
		}
	}
	if layers := bytes.Count(whole, []byte("<Layer>")); layers != 5 {
		t.Errorf("%d layers, want 5", layers)
	}
	for _, path := range []string{"/wmts", query + "&sections=", query + "&AcceptVersions=9.9.9", "/wmts?service=WMTS&request=GetTile&version=1.0.0&layer=%3C%22%00%FF"} {
		report := ask(t, http.MethodGet, s.maps+path, nil)
		if report.status != http.StatusBadRequest {
			t.Errorf("%s has status %d", path, report.status)
		}
		if complaint := schemas.complaint(schemas.report, report.body); complaint != "" {
			t.Errorf("%s is not valid: %s", path, complaint)
		}
	}
}

// Layers beyond the limit get a short description.
func TestWMTSDocumentOfManyLayersIsValid(t *testing.T) {
	skipWithoutProgram(t)
	schemas := findWMTSSchemas(t)
	folder := t.TempDir()
	img := colors()
	img.Tags = tifftest.GeoTIFF(tifftest.Georeference{EPSG: 32633, OriginX: 500000, OriginY: 5300000, PixelX: 10, PixelY: 10})
	file, err := fileOf(img).Encode()
	if err != nil {
		t.Fatal(err)
	}
	const layers = 70
	for i := range layers {
		writeFile(t, folder, fmt.Sprintf("sheet %d.tif", i), file)
	}
	s := start(t, "serve", folder)
	document := get(t, s.maps+"/wmts/1.0.0/WMTSCapabilities.xml").body
	if complaint := schemas.complaint(schemas.capabilities, document); complaint != "" {
		t.Errorf("the document is not valid: %s", complaint)
	}
	if listed := bytes.Count(document, []byte("<Layer>")); listed != layers || !bytes.Contains(document, []byte("This document has 70 of 70 layers.")) {
		t.Errorf("%d layers are described in full, or too few in short", listed)
	}
}

// This test makes sure that the check above detects invalid documents.
func TestWrongWMTSDocumentsAreDetected(t *testing.T) {
	schemas := findWMTSSchemas(t)
	for _, wrong := range []string{
		`<Capabilities xmlns="http://www.opengis.net/wmts/1.0"/>`,
		`<Capabilities xmlns="http://www.opengis.net/wmts/1.0" version="1.0.0"><Contents><Layer/></Contents></Capabilities>`,
	} {
		if schemas.complaint(schemas.capabilities, []byte(wrong)) == "" {
			t.Errorf("the schema accepts %s", wrong)
		}
	}
}
