package ogc_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"tileserver/http/servertest"
)

func TestNegotiation(t *testing.T) {
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
	tile := "/collections/flat/map/tiles/WorldCRS84Quad/0/0/1"
	tests := []struct {
		path, accept string
		mime         string
		vary         bool
	}{
		{"/", "", "application/json", true},
		{"/", "*/*", "application/json", true},
		{"/", browser, "text/html; charset=utf-8", true},
		{"/?f=json", browser, "application/json", false},
		{"/?f=html", "application/json", "text/html; charset=utf-8", false},
		{"/api", "", "application/vnd.oai.openapi+json;version=3.0", true},
		{"/api?f=json", browser, "application/vnd.oai.openapi+json;version=3.0", false},
		{"/api", browser, "text/html; charset=utf-8", true},
		{"/collections/flat", "application/json", "application/json", true},
		{tile, "", "image/png", true},
		{tile, "image/jpeg", "image/jpeg", true},
		{tile, browser, "image/webp", true},
		{tile + "?f=png", browser, "image/png", false},
		{tile + "?f=jpeg", "", "image/jpeg", false},
		{tile + "?f=webp", "", "image/webp", false},
		{"/map?f=jpg&width=50", browser, "image/jpeg", false},
	}
	server := newServer(t)
	for _, test := range tests {
		t.Run(test.path+" "+test.accept, func(t *testing.T) {
			got := server.GetAs(root+test.path, test.accept)
			if got.Code != http.StatusOK || got.Header().Get("Content-Type") != test.mime {
				t.Errorf("got %d, %s, want %s", got.Code, got.Header().Get("Content-Type"), test.mime)
			}
			if vary := slices.Contains(got.Header().Values("Vary"), "Accept"); vary != test.vary {
				t.Errorf("Vary is %q", got.Header().Values("Vary"))
			}
			if isPage := strings.HasPrefix(test.mime, "text/html"); isPage && !strings.Contains(got.Header().Get("Content-Security-Policy"), "default-src 'none'") {
				t.Error("a page has no Content-Security-Policy")
			}
		})
	}
}

func TestProblems(t *testing.T) {
	tests := []struct {
		name, path, accept string
		status             int
		detail             string // a part of the text
	}{
		{"nothing", "/nothing", "", 404, "no such address"},
		{"an unknown path below a collection", "/collections/flat/nothing", "", 404, "no such address"},
		{"unknown collection", "/collections/nope", "", 404, `"nope"`},
		{"a layer without a position", "/collections/plain", "", 404, "no known place"},
		{"tiles of an unknown collection", "/collections/nope/map/tiles", "", 404, `"nope"`},
		{"unknown style", "/collections/flat/styles/loud", "", 404, `"loud"`},
		{"tiles in an unknown style", "/collections/flat/styles/loud/map/tiles", "", 404, `"loud"`},
		{"a map in an unknown style", "/collections/flat/styles/loud/map", "", 404, `"loud"`},
		{"unknown set", "/tileMatrixSets/Moon", "", 404, `"Moon"`},
		{"a tileset in an unknown set", "/collections/flat/map/tiles/Moon", "", 404, `"Moon"`},
		{"a tileset in the image's own pixels", "/collections/flat/map/tiles/image", "", 404, `"image"`},
		{"a tile in an unknown set", "/collections/flat/map/tiles/Moon/0/0/0", "", 404, `"Moon"`},
		{"a tile of an unknown matrix", "/collections/flat/map/tiles/WebMercatorQuad/99/0/0", "", 404, `"99"`},
		{"the row is text", "/collections/flat/map/tiles/WebMercatorQuad/0/a/0", "", 400, "whole numbers"},
		{"a row with leading zeros", "/collections/flat/map/tiles/WebMercatorQuad/0/00/0", "", 400, "whole numbers"},
		{"too large a column", "/collections/flat/map/tiles/WebMercatorQuad/0/0/99999999999999999999", "", 400, "whole numbers"},
		{"a tile of the dataset in an unknown set", "/map/tiles/Moon/0/0/0", "", 404, `"Moon"`},
		{"a selection of an unknown collection", "/map/tiles?collections=nope", "", 404, `"nope"`},
		{"an empty id in a selection", "/map?collections=flat,,map", "", 400, "collections"},
		{"unknown format", "/?f=xml", "", 400, `"xml"`},
		{"a document as a picture", "/?f=png", "", 400, `"png"`},
		{"a map as a document", "/map?f=json", "", 400, `"json"`},
		{"two formats", "/?f=json&f=html", "", 400, "f is given 2 times"},
		{"nothing acceptable", "/", "application/xml", 406, "accepted"},
		{"no acceptable picture", "/map", "application/json", 406, "accepted"},
		{"the limit is text", "/collections?limit=all", "", 400, "limit"},
		{"a limit of 0", "/collections?limit=0", "", 400, "limit"},
		{"a negative offset", "/collections?offset=-1", "", 400, "offset"},
		{"a malformed query", "/collections?limit=%zz", "", 400, "malformed"},
		{"an unknown version of a tile matrix set", "/tileMatrixSets/WebMercatorQuad?version=3", "", 400, "version"},
		{"an unknown empty answer", "/map/tiles/WebMercatorQuad/0/0/0?empty=loud", "", 400, "empty"},
	}
	server := newServer(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := server.GetAs(root+test.path, test.accept)
			if got.Code != test.status || got.Header().Get("Content-Type") != "application/problem+json" {
				t.Fatalf("got %d, %s, want %d", got.Code, got.Header().Get("Content-Type"), test.status)
			}
			problem := decodeProblem(t, got)
			if problem.Status != test.status || problem.Type != "about:blank" || problem.Title != http.StatusText(test.status) || !strings.Contains(problem.Detail, test.detail) {
				t.Errorf("got %+v, want …%s…", problem, test.detail)
			}
			if got.Header().Get("ETag") != "" || got.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("a problem has the headers %v", got.Header())
			}
		})
	}
	if server.Reads() != 0 {
		t.Errorf("invalid requests caused %d reads", server.Reads())
	}
}

// problem is an error document as clients parse it.
type problem struct {
	Type, Title, Detail, Code string
	Status                    int
}

func decodeProblem(t testing.TB, got *httptest.ResponseRecorder) (p problem) {
	t.Helper()
	if err := json.Unmarshal(got.Body.Bytes(), &p); err != nil {
		t.Fatalf("%v in %s", err, got.Body)
	}
	return p
}

func TestProblemsHideFiles(t *testing.T) {
	server := servertest.New(t, nil)
	for path, status := range map[string]int{
		"/collections/broken/map/tiles/WebMercatorQuad/12/1340/2200": 500, "/collections/broken/map": 500, "/map/tiles/WebMercatorQuad/12/1340/2200": 500,
	} {
		got := server.GetAs(root+path, "")
		if got.Code != status || strings.Contains(got.Body.String(), "secret") || got.Header().Get("Content-Crs") != "" {
			t.Errorf("%s is %d: %s, %v", path, got.Code, got.Body, got.Header())
		}
	}
}
