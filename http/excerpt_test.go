package http_test

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	tilehttp "tileserver/http"
	"tileserver/http/servertest"
)

// maxDocument is the maximum size of a document of all layers.
const maxDocument = 500_000

// more matches the address of the next document.
var more = regexp.MustCompile(`More follow at http://example\.com(\S+)\.`)

// listing is the parsed content of a document of all layers.
type listing struct {
	abstract string
	ids      []string
}

// listedCapabilities is what a listing needs of the capabilities of WMTS.
type listedCapabilities struct {
	Abstract string `xml:"ServiceIdentification>Abstract"`
	Layers   []struct {
		ID    string `xml:"Identifier"`
		Links []struct {
			Limits *struct{} `xml:"TileMatrixSetLimits"`
		} `xml:"TileMatrixSetLink"`
	} `xml:"Contents>Layer"`
}

func wmtsListing(t *testing.T, got *httptest.ResponseRecorder) (l listing) {
	d := servertest.DecodeXML[listedCapabilities](t, got)
	l.abstract = d.Abstract
	for _, of := range d.Layers {
		l.ids = append(l.ids, of.ID)
	}
	return l
}

func tmsListing(t *testing.T, got *httptest.ResponseRecorder) (l listing) {
	var d struct {
		Abstract string
		Maps     []struct {
			Href string `xml:"href,attr"`
		} `xml:"TileMaps>TileMap"`
	}
	if err := xml.Unmarshal(got.Body.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	l.abstract = d.Abstract
	for _, of := range d.Maps {
		name, err := url.PathUnescape(of.Href[strings.LastIndex(of.Href, "/")+1:])
		if err != nil {
			t.Fatal(err)
		}
		l.ids = append(l.ids, strings.Split(name, "@")[0])
	}
	return l
}

// Documents of thousands of layers are bounded, and lead to all layers.
func TestDocumentsOfThousandsOfLayersAreBounded(t *testing.T) {
	const layers = 5000
	server := servertest.ServeMany(t, layers, func(c *tilehttp.Config) {
		c.Service.Abstract = strings.Repeat("<&\">", 600) // as long as it can become by escaping
	})
	for path, of := range map[string]struct {
		list   func(*testing.T, *httptest.ResponseRecorder) listing
		layers int
		enough int // minimum number of layers in a document
	}{
		capabilitiesPath: {wmtsListing, layers - layers/3, 150},
		"/tms/1.0.0/":    {tmsListing, layers, 1000},
	} {
		met, documents := make(map[string]int), 0
		for next := path; next != ""; documents++ {
			got := server.Get(t, next)
			if got.Code != http.StatusOK || got.Body.Len() > maxDocument {
				t.Fatalf("%s is %d with %d bytes", next, got.Code, got.Body.Len())
			}
			found := of.list(t, got)
			for _, id := range found.ids {
				met[id]++
			}
			if want := fmt.Sprintf("This document has %d of %d layers.", len(found.ids), of.layers); !strings.Contains(found.abstract, want) {
				t.Fatalf("%s says %q, and not %q", next, found.abstract[2000:], want)
			}
			if documents == 0 && len(found.ids) < of.enough {
				t.Errorf("%s has %d layers only", path, len(found.ids))
			}
			next = ""
			if match := more.FindStringSubmatch(found.abstract); match != nil {
				next = match[1]
			}
			if documents > layers/of.enough+2 {
				t.Fatalf("%s: the documents do not end", path)
			}
		}
		if len(met) != of.layers {
			t.Errorf("%d documents from %s on have %d of %d layers", documents, path, len(met), of.layers)
		}
		for id, times := range met {
			if times != 1 {
				t.Errorf("%s is listed %d times", id, times)
			}
		}
	}
}

func TestDocumentsOfSearches(t *testing.T) {
	server := servertest.ServeMany(t, 1200, nil)
	few := wmtsListing(t, server.Get(t, capabilitiesPath+"?q=Sheet+0008+ortho"))
	if len(few.ids) != 3 || few.abstract != "" {
		t.Errorf("found %v, remark %q", few.ids, few.abstract)
	}
	query := wmtsListing(t, server.Get(t, "/wmts?SERVICE=WMTS&REQUEST=GetCapabilities&q=dem"))
	if !strings.Contains(query.abstract, "of 400 layers") || !strings.Contains(query.abstract, "q=dem") {
		t.Errorf("a search that finds many says %q", query.abstract)
	}
	full := servertest.DecodeXML[listedCapabilities](t, server.Get(t, "/layers/dem-00001/WMTSCapabilities.xml")).Layers[0]
	short := servertest.DecodeXML[listedCapabilities](t, server.Get(t, "/wmts?SERVICE=WMTS&REQUEST=GetCapabilities&q=dem")).Layers[0]
	if len(short.Links) != 1 || len(full.Links) < 3 || full.Links[0].Limits == nil {
		t.Errorf("in its own document the layer has %d grids, and %d in that of all", len(full.Links), len(short.Links))
	}
	if maps := tmsListing(t, server.Get(t, "/tms/1.0.0/?q=00123")).ids; len(maps) < 3 || maps[0] != "ortho-00123" {
		t.Errorf("maps of one layer are %v", maps)
	}
	for _, query := range []string{"?q=%FF", "?after=none", "?q=a&q=b"} {
		for _, path := range []string{capabilitiesPath, "/tms/1.0.0/"} {
			if got := server.Get(t, path+query); got.Code != http.StatusBadRequest {
				t.Errorf("%s%s: status %d", path, query, got.Code)
			}
		}
	}
}
