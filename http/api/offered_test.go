package api_test

import (
	"net/http"
	"strings"
	"testing"

	"tileserver/http/servertest"
	"tileserver/layer"
)

// offering serves the layer map, and offers utm and height.
func offering(t *testing.T) *servertest.Server {
	t.Helper()
	server := servertest.Serve(t, nil, servertest.ScenesNamed(t, "map")...)
	configOf := func(id string) layer.Config { return servertest.ScenesNamed(t, id)[0].Openable() }
	offered := []layer.Offered{{ID: "utm", Title: "First"}, {ID: "height", Title: "Second"}}
	if err := server.Catalog.Offer(layer.Offers{Layers: offered, ConfigOf: configOf}); err != nil {
		t.Fatal(err)
	}
	return server
}

type listedLayer struct {
	ID, Title string
	Offered   bool
	Width     int
	Links     map[string]string
}

func TestOfferedLayersAreListed(t *testing.T) {
	server := offering(t)
	list := servertest.DecodeJSON[struct {
		Layers []listedLayer
		Total  int
		Next   string
	}](t, server.Get(t, "/layers?limit=2"))
	if len(list.Layers) != 2 || list.Total != 3 || list.Next == "" {
		t.Fatalf("%+v", list)
	}
	if first, a := list.Layers[0], list.Layers[1]; first.Offered || !a.Offered || a.ID != "utm" || a.Title != "First" || a.Width != 0 || a.Links["self"] == "" {
		t.Errorf("%+v", list)
	}
	if _, err := server.Catalog.Layer("utm"); err == nil {
		t.Error("a list has opened it")
	}
}

// A document of all layers opens no file. A search that finds few opens what it finds.
func TestDocumentsOfAllLayersHaveTheOfferedOnesThatASearchFinds(t *testing.T) {
	for _, address := range []string{"/wmts/1.0.0/WMTSCapabilities.xml", "/wmts?SERVICE=WMTS&REQUEST=GetCapabilities", "/tms/1.0.0"} {
		server := offering(t)
		search := func(words string) string {
			separator := "?"
			if strings.Contains(address, "?") {
				separator = "&"
			}
			return server.Get(t, address+separator+"q="+words).Body.String()
		}
		all := server.Get(t, address).Body.String()
		if strings.Contains(all, "/utm/") || !strings.Contains(all, "does not have 2 layers whose files are opened when somebody asks for them") {
			t.Errorf("%s has offered layers, or does not say that it has not: %s", address, all)
		}
		if _, err := server.Catalog.Layer("utm"); err == nil {
			t.Errorf("%s has opened a layer", address)
		}
		if found := search("first"); !strings.Contains(found, "/utm") || strings.Contains(found, "/height") || strings.Contains(found, "whose files are opened") {
			t.Errorf("a search in %s finds %s", address, found)
		}
		if found := search("nothing"); strings.Contains(found, "/utm") {
			t.Errorf("a search in %s finds %s", address, found)
		}
	}
}

func TestEveryProtocolOpensAnOfferedLayer(t *testing.T) {
	server := offering(t)
	for _, address := range []string{
		"/layers/utm", "/layers/height/statistics", "/layers/utm/tilejson.json", "/layers/utm/preview.png", "/tiles/utm/0/0/0.png", "/layers/utm/WMTSCapabilities.xml",
		"/ogc/collections/utm", "/iiif/utm/info.json", "/dzi/utm.dzi", "/zoomify/height/ImageProperties.xml", "/tms/1.0.0/utm@WebMercatorQuad",
		"/wmts/1.0.0/utm/default/WebMercatorQuad/0/0/0.png",
	} {
		if got := server.Get(t, address); got.Code != http.StatusOK {
			t.Errorf("%s: status %d: %s", address, got.Code, got.Body)
		}
	}
}
