package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"tileserver/access"
	tilehttp "tileserver/http"
	"tileserver/http/servertest"
	"tileserver/layer"
)

// address is that of a file, with what must be escaped.
const address = "https://example.org/a b.tif?sig=1+2&x=%2F"

// visitable serves layers, and the layer map at the address.
func visitable(t *testing.T) *servertest.Server {
	t.Helper()
	var server *servertest.Server
	server = servertest.Serve(t, func(c *tilehttp.Config) {
		c.Visit = func(_ context.Context, asked string) (*layer.Layer, error) {
			if asked != address {
				return nil, access.RefuseAddress("the address is not permitted")
			}
			return server.Catalog.Layer("map")
		}
	}, servertest.ScenesNamed(t, "map")...)
	return server
}

var inQuery = url.QueryEscape(address)

func TestAFileIsNamedByItsAddress(t *testing.T) {
	server := visitable(t)
	for of, same := range map[string]string{
		"/url/preview.png?url=" + inQuery:                            "/layers/map/preview.png",
		"/url/tiles/12/2200/1340.png?url=" + inQuery:                 "/tiles/map/12/2200/1340.png",
		"/url/tiles/WebMercatorQuad/12/2200/1340.jpg?url=" + inQuery: "/tiles/map/WebMercatorQuad/12/2200/1340.jpg",
		"/url/view.png?bbox=0,0,9,9&crs=image&url=" + inQuery:        "/layers/map/view.png?bbox=0,0,9,9&crs=image",
		"/url/point/10,20?crs=image&url=" + inQuery:                  "/layers/map/point/10,20?crs=image",
		"/url/statistics?url=" + inQuery:                             "/layers/map/statistics",
	} {
		got, want := server.Get(t, of), server.Get(t, same)
		if got.Code != http.StatusOK || got.Body.String() != want.Body.String() || got.Header().Get("ETag") != want.Header().Get("ETag") {
			t.Errorf("%s: status %d, and not what %s answers", of, got.Code, same)
		}
	}
}

// Every address in the documents of a file must lead back to it.
func TestDocumentsOfAFileNameIt(t *testing.T) {
	server := visitable(t)
	document := servertest.DecodeJSON[struct {
		Links map[string]string `json:"links"`
		Sets  []struct {
			Tiles string `json:"tiles"`
		} `json:"tile_matrix_sets"`
		Styles []struct {
			Legend string `json:"legend"`
		} `json:"styles"`
	}](t, server.Get(t, "/url?url="+inQuery))
	tileJSON := servertest.DecodeJSON[struct{ Tiles []string }](t, server.Get(t, "/url/tilejson.json?bidx=1&url="+inQuery))
	found := append([]string{document.Sets[0].Tiles, document.Styles[0].Legend}, tileJSON.Tiles...)
	for _, link := range document.Links {
		found = append(found, link)
	}
	fill := strings.NewReplacer("{z}", "12", "{x}", "2200", "{y}", "1340", "{minx}", "0", "{miny}", "0", "{maxx}", "9", "{maxy}", "9", "{crs}", "image", "{width}", "10", "{height}", "10")
	for _, link := range found {
		u, err := url.Parse(fill.Replace(strings.Replace(link, "{x},{y}", "10,20", 1)))
		if err != nil || u.Query().Get("url") != address {
			t.Errorf("%s does not name the file (%v)", link, err)
			continue
		}
		if got := server.Get(t, u.RequestURI()); got.Code != http.StatusOK && !strings.Contains(link, "legend") {
			t.Errorf("%s: status %d: %s", link, got.Code, got.Body)
		}
	}
	if _, has := document.Links["iiif"]; has {
		t.Errorf("other protocols cannot name it, and links are %v", document.Links)
	}
	if len(found) < 8 {
		t.Errorf("only %d addresses: %s", len(found), asJSON(found))
	}
}

func asJSON(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

func TestAddressesThatAreNotVisited(t *testing.T) {
	server := visitable(t)
	for of, want := range map[string]struct {
		status int
		text   string
	}{
		"/url":                              {http.StatusBadRequest, "url is missing"},
		"/url/tilejson.json?url=":           {http.StatusBadRequest, "url is missing"},
		"/url?url=" + inQuery + "&url=x":    {http.StatusBadRequest, "more than once"},
		"/url?url=https://example.org/none": {http.StatusForbidden, "not permitted"},
	} {
		if got := server.Get(t, of); got.Code != want.status || !strings.Contains(got.Body.String(), want.text) {
			t.Errorf("%s: status %d: %s", of, got.Code, got.Body)
		}
	}
	plain := servertest.Serve(t, nil, servertest.ScenesNamed(t, "map")...)
	if got := plain.Get(t, "/url?url="+inQuery); got.Code != http.StatusForbidden || !strings.Contains(got.Body.String(), "url.allow") {
		t.Errorf("without a list: status %d: %s", got.Code, got.Body)
	}
}
