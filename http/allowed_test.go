package http_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"

	"tileserver/access"
	tilehttp "tileserver/http"
	"tileserver/http/servertest"
	"tileserver/layer"
)

// restricted serves the layers of Scenes with these rules for strangers.
func restricted(t *testing.T, rules access.Rules) *servertest.Server {
	t.Helper()
	scenes := servertest.ScenesNamed(t, "map", "height", "utm", "plain")
	policy := access.Policy{Strangers: rules}
	for i := range scenes {
		scenes[i].Config.Access = policy
	}
	var server *servertest.Server
	server = servertest.Serve(t, func(c *tilehttp.Config) {
		c.Access = policy
		c.Visit = visiting(&server)
	}, scenes...)
	return server
}

// visiting names the layers of a server by addresses that end with their ids.
func visiting(server **servertest.Server) func(context.Context, string) (*layer.Layer, error) {
	return func(_ context.Context, address string) (*layer.Layer, error) {
		return (*server).Catalog.Layer(path.Base(address))
	}
}

// strict allows little of everything.
func strict() access.Rules {
	return access.Rules{Formats: []string{"png", "jpg"}, Parameters: []string{"bidx"}, Size: access.Size{Width: 300, Height: 300}, HideValues: true}
}

// asks is what requests of a route are answered under strict rules.
type asks struct {
	allowed string
	refused map[string]string // addresses by what is refused
}

const (
	wmtsQuery = "/wmts?service=WMTS&version=1.0.0&layer=map&style=default&TileMatrixSet=WebMercatorQuad&TileMatrix=12&TileRow=1340&TileCol=2200"
	ogcTile   = "/map/tiles/WebMercatorQuad/12/1340/2200"
	dim       = "&expression=b1"
)

// pictureOf returns what a route of pictures is asked. The addresses have a query.
func pictureOf(allowed, format, size string) asks {
	a := asks{allowed, map[string]string{"parameter": allowed + dim}}
	if format != "" {
		a.refused["format"] = format
	}
	if size != "" {
		a.refused["size"] = size
	}
	return a
}

// askedOfRoutes has every public route. Those of documents have no refused requests.
func askedOfRoutes() map[string]asks {
	resource := "/wmts/1.0.0/map/default/WebMercatorQuad/12/1340/2200"
	routes := map[string]asks{
		"/layers/{layer}/view.{ext}":                      pictureOf("/layers/map/view.png?bbox=0,0,9,9&crs=image&width=300", "/layers/map/view.npy?bbox=0,0,9,9&crs=image&width=30", "/layers/map/view.png?bbox=0,0,9,9&crs=image&width=301"),
		"/layers/{layer}/preview.{ext}":                   pictureOf("/layers/map/preview.png?max_size=300", "/layers/map/preview.tif?max_size=300", "/layers/map/preview.png?max_size=301"),
		"/tiles/{layer}/{z}/{x}/{tile}":                   pictureOf("/tiles/map/12/2200/1340.png?", "/tiles/map/12/2200/1340.webp", "/tiles/map/12/2200/1340@2x.png"),
		"/tiles/{layer}/{tms}/{z}/{x}/{tile}":             pictureOf("/tiles/map/WebMercatorQuad/12/2200/1340.jpg?", "/tiles/map/WebMercatorQuad/12/2200/1340.webp", "/tiles/map/WebMercatorQuad/12/2200/1340.png?tilesize=512"),
		"/tms/1.0.0/{map}/{z}/{x}/{tile}":                 pictureOf("/tms/1.0.0/map@WebMercatorQuad/0/0/0.png?", "/tms/1.0.0/map@WebMercatorQuad/0/0/0.webp", "/tms/1.0.0/map@WebMercatorQuad/0/0/0@2x.png"),
		"/dzi/{folder}/{level}/{tile}":                    pictureOf("/dzi/map_files/10/2_1.jpg?", "/dzi/map_files/10/2_1.webp", ""),
		"/zoomify/{layer}/{group}/{tile}":                 pictureOf("/zoomify/map/TileGroup0/0-0-0.jpg?", "/zoomify/map/TileGroup0/0-0-0.webp", ""),
		"/zoomify/{layer}/truncated/{group}/{tile}":       pictureOf("/zoomify/map/truncated/TileGroup0/0-0-0.jpg?", "/zoomify/map/truncated/TileGroup0/0-0-0.webp", ""),
		"/iiif/{layer}/{region}/{size}/{rotation}/{name}": pictureOf("/iiif/map/full/max/0/default.jpg?", "/iiif/map/full/max/0/default.webp", ""),

		"/wmts/1.0.0/{layer}/{style}/{tms}/{z}/{row}/{col}.{ext}":         pictureOf(resource+".png?", resource+".webp", ""),
		"/wmts/1.0.0/{layer}/{style}/{tms}/{z}/{row}/{col}/{j}/{i}.{ext}": {resource + ".png", map[string]string{"values": resource + "/5/5.json"}},
		"/wmts": {wmtsQuery + "&request=GetTile&format=image/png", map[string]string{
			"parameter": wmtsQuery + "&request=GetTile&format=image/png" + dim,
			"format":    wmtsQuery + "&request=GetTile&format=image/webp",
			"values":    wmtsQuery + "&request=GetFeatureInfo&format=image/png&J=7&I=20&InfoFormat=text/plain",
		}},

		"/ogc/map":                     pictureOf("/ogc/map?width=300&height=200&f=png", "/ogc/map?width=30&f=webp", "/ogc/map?width=301&f=png"),
		"/ogc/collections/{layer}/map": pictureOf("/ogc/collections/map/map?width=300&f=png", "/ogc/collections/map/map?width=30&f=webp", "/ogc/collections/map/map?width=301&f=png"),
		"/ogc/collections/{layer}/styles/{style}/map":                             pictureOf("/ogc/collections/map/styles/default/map?width=300&f=png", "/ogc/collections/map/styles/default/map?width=30&f=webp", "/ogc/collections/map/styles/default/map?width=301&f=png"),
		"/ogc/map/tiles/{tms}/{z}/{row}/{col}":                                    pictureOf("/ogc"+ogcTile+"?f=png", "/ogc"+ogcTile+"?f=webp", ""),
		"/ogc/collections/{layer}/map/tiles/{tms}/{z}/{row}/{col}":                pictureOf("/ogc/collections/map"+ogcTile+"?f=png", "/ogc/collections/map"+ogcTile+"?f=webp", ""),
		"/ogc/collections/{layer}/styles/{style}/map/tiles/{tms}/{z}/{row}/{col}": pictureOf("/ogc/collections/map/styles/default"+ogcTile+"?f=png", "/ogc/collections/map/styles/default"+ogcTile+"?f=webp", ""),

		"/layers/{layer}/statistics":    {"/layers", map[string]string{"values": "/layers/map/statistics"}},
		"/layers/{layer}/point/{place}": {"/layers", map[string]string{"values": "/layers/map/point/10,20?crs=image"}},
		"/layers/{layer}/legend.json":   {"/layers/height/legend.json?bidx=1", map[string]string{"parameter": "/layers/height/legend.json?bidx=1&rescale=0,9"}},
		"/layers/{layer}/legend.png": {"/layers/height/legend.png?bidx=1", map[string]string{
			"parameter": "/layers/height/legend.png?bidx=1&rescale=0,9", "size": "/layers/height/legend.png?bidx=1&width=301",
		}},
		"/layers/{layer}/tilejson.json": {"/layers/map/tilejson.json?bidx=1", map[string]string{
			"parameter": "/layers/map/tilejson.json?rescale=0,9", "format": "/layers/map/tilejson.json?format=webp", "size": "/layers/map/tilejson.json?tilesize=512",
		}},
		"/tms/1.0.0/{map}":        {"/tms/1.0.0/map@WebMercatorQuad", map[string]string{"format": "/tms/1.0.0/map@WebMercatorQuad?format=webp"}},
		"/tms/1.0.0/{map}/":       {"/tms/1.0.0/map@WebMercatorQuad/", map[string]string{"format": "/tms/1.0.0/map@WebMercatorQuad/?format=webp"}},
		"/tms/1.0.0/{map}/{z}":    {"/tms/1.0.0/map@WebMercatorQuad/0", map[string]string{"format": "/tms/1.0.0/map@WebMercatorQuad/0?format=webp"}},
		"/dzi/{document}":         {"/dzi/map.dzi", map[string]string{"format": "/dzi/map.dzi?format=webp", "parameter": "/dzi/map.dzi?expression=b1"}},
		"/iiif/{layer}/info.json": {"/iiif/map/info.json", map[string]string{"format": "/iiif/map/info.json?format=webp", "parameter": "/iiif/map/info.json?expression=b1"}},
	}
	for pattern, address := range documentsOfRoutes() {
		routes[pattern] = asks{allowed: address}
	}
	for pattern, of := range maps.Clone(routes) {
		if pattern, ok := byAddress(pattern); ok {
			routes[pattern] = of.byAddress()
		}
	}
	return routes
}

// byAddress returns the route of files that are named by their address, for a route of layers.
func byAddress(pattern string) (of string, ok bool) {
	switch tiles, isTile := strings.CutPrefix(pattern, "/tiles/{layer}"); {
	case isTile:
		return "/url/tiles" + tiles, true
	case strings.HasPrefix(pattern, "/layers/{layer}") && !strings.HasSuffix(pattern, ".xml"):
		return "/url" + strings.TrimPrefix(pattern, "/layers/{layer}"), true
	}
	return "", false
}

// byAddress returns the same requests of files that are named by their address.
func (a asks) byAddress() asks {
	other := asks{allowed: fileAddress(a.allowed), refused: make(map[string]string)}
	for what, address := range a.refused {
		other.refused[what] = fileAddress(address)
	}
	return other
}

// fileAddress returns the address of a file's picture or document, for that of a layer.
func fileAddress(address string) string {
	for _, id := range []string{"map", "height"} {
		for from, to := range map[string]string{"/layers/" + id: "/url", "/tiles/" + id: "/url/tiles"} {
			if rest, ok := strings.CutPrefix(address, from); ok {
				place, query, _ := strings.Cut(rest, "?")
				return to + place + "?url=https%3A%2F%2Fexample.org%2F" + id + "&" + query
			}
		}
	}
	return address
}

// documentsOfRoutes are routes whose documents depend on no parameter of a style.
func documentsOfRoutes() map[string]string {
	documents := map[string]string{
		"/colormaps": "/colormaps", "/layers": "/layers", "/layers/{layer}": "/layers/map",
		"/wmts/1.0.0/WMTSCapabilities.xml": "/wmts/1.0.0/WMTSCapabilities.xml", "/layers/{layer}/WMTSCapabilities.xml": "/layers/map/WMTSCapabilities.xml",
		"/tms": "/tms", "/tms/": "/tms/", "/tms/1.0.0": "/tms/1.0.0", "/tms/1.0.0/": "/tms/1.0.0/",
		"/zoomify/{layer}/ImageProperties.xml": "/zoomify/map/ImageProperties.xml", "/zoomify/{layer}/truncated/ImageProperties.xml": "/zoomify/map/truncated/ImageProperties.xml",
		"/iiif/{layer}": "/iiif/map",
	}
	for pattern, address := range map[string]string{
		"": "", "/": "/", "/api": "/api", "/conformance": "/conformance", "/tileMatrixSets": "/tileMatrixSets",
		"/tileMatrixSets/{tms}": "/tileMatrixSets/WebMercatorQuad", "/collections": "/collections", "/collections/{layer}": "/collections/map",
		"/collections/{layer}/styles": "/collections/map/styles", "/collections/{layer}/styles/{style}": "/collections/map/styles/default",
		"/map/tiles": "/map/tiles", "/map/tiles/{tms}": "/map/tiles/WebMercatorQuad",
		"/collections/{layer}/map/tiles": "/collections/map/map/tiles", "/collections/{layer}/map/tiles/{tms}": "/collections/map/map/tiles/WebMercatorQuad",
		"/collections/{layer}/styles/{style}/map/tiles":       "/collections/map/styles/default/map/tiles",
		"/collections/{layer}/styles/{style}/map/tiles/{tms}": "/collections/map/styles/default/map/tiles/WebMercatorQuad",
	} {
		documents["/ogc"+pattern] = "/ogc" + address
	}
	return documents
}

// Whatever protocol a request uses, it is refused what the rules do not allow.
func TestNothingSlipsPastTheRules(t *testing.T) {
	server := restricted(t, strict())
	asked := askedOfRoutes()
	for _, pattern := range tilehttp.RoutePatterns() {
		isPage := strings.HasPrefix(pattern, "/assets/") || strings.Count(pattern, "/") == 1 && (pattern == "/" || strings.Contains(pattern, "."))
		if isPage || pattern == "/ogc/*" {
			continue
		}
		of, ok := asked[pattern]
		if !ok {
			t.Errorf("the route %s is not tested", pattern)
			continue
		}
		if got := server.Get(t, of.allowed); got.Code >= http.StatusBadRequest {
			t.Errorf("%s: status %d of %s: %s", pattern, got.Code, of.allowed, got.Body)
		}
		for what, address := range of.refused {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				got := server.Send(method, address, "If-None-Match", "*")
				if got.Code != http.StatusForbidden || got.Header().Get("Cache-Control") != "no-store" || got.Header().Get("ETag") != "" {
					t.Errorf("%s: %s %s (%s): status %d, %v", pattern, method, address, what, got.Code, got.Header())
				}
			}
			body := server.Get(t, address).Body.String()
			if !strings.Contains(body, "not allowed: ") || what == "parameter" && !strings.Contains(body, "the parameter expression") && !strings.Contains(body, "the parameter rescale") {
				t.Errorf("%s: the message is %s", address, body)
			}
		}
	}
	if server.Get(t, "/iiif/map/full/301,/0/default.jpg").Code != http.StatusBadRequest { // the standard wants that for sizes
		t.Error("IIIF sends a size that is not allowed")
	}
}

// No parameter that rules may name is forgotten by a route that has some of them.
func TestRoutesRefuseEveryParameter(t *testing.T) {
	rules := strict()
	rules.Parameters = []string{}
	server := restricted(t, rules)
	values := map[string]string{"background": "navy", "subsampling": "420"} // a value that cannot be read is refused as such
	for pattern, of := range askedOfRoutes() {
		if of.refused["parameter"] == "" {
			continue
		}
		path, text, _ := strings.Cut(of.allowed, "?")
		query, err := url.ParseQuery(text)
		if err != nil {
			t.Fatal(err)
		}
		query.Del("bidx")
		for _, name := range access.Parameters() {
			query.Set(name, cmp.Or(values[name], "1"))
			got := server.Get(t, path+"?"+query.Encode())
			if got.Code != http.StatusForbidden || !strings.Contains(got.Body.String(), "not allowed: the parameter "+name+";") {
				t.Errorf("%s: %s: status %d: %s", pattern, name, got.Code, got.Body)
			}
			query.Del(name)
		}
	}
}

// Viewers of images ask for tiles of the side that the document names, which is within the rules.
func TestDocumentsOfImagesOfferAllowedTiles(t *testing.T) {
	for _, test := range []struct {
		blocks     int
		size       access.Size
		side       int
		hasZoomify bool
	}{
		{512, access.Size{}, 512, true},
		{512, access.Size{Width: 600, Height: 511}, 256, true},
		{128, access.Size{Width: 256, Height: 256}, 256, true},
		{128, access.Size{Width: 300, Height: 100}, 64, false},
		{512, access.Size{Pixels: 5000}, 64, false},
	} {
		scene := servertest.ScenesNamed(t, "plain")[0]
		for i := range scene.Provider.Has.Levels {
			level := &scene.Provider.Has.Levels[i]
			level.BlockWidth, level.BlockHeight = test.blocks, test.blocks
		}
		scene.Config.Access.Strangers.Size = test.size
		server := servertest.Serve(t, nil, scene)
		if got := server.Get(t, "/dzi/plain.dzi").Body.String(); !strings.Contains(got, fmt.Sprintf("TileSize=%q", fmt.Sprint(test.side))) {
			t.Errorf("%v: Deep Zoom is %s", test.size, got)
		}
		information := servertest.DecodeJSON[struct{ Tiles []struct{ Width int } }](t, server.Get(t, "/iiif/plain/info.json"))
		if got := information.Tiles[0].Width; got != test.side {
			t.Errorf("%v: tiles of IIIF have a side of %d", test.size, got)
		}
		for _, address := range []string{"/dzi/plain_files/10/0_0.jpg", fmt.Sprintf("/iiif/plain/0,0,%[1]d,%[1]d/%[1]d,%[1]d/0/default.jpg", min(test.side, 400))} {
			if got := server.Get(t, address); got.Code != http.StatusOK {
				t.Errorf("%v: status %d of %s", test.size, got.Code, address)
			}
		}
		links := servertest.DecodeJSON[allowedLayer](t, server.Get(t, "/layers/plain")).Links
		if _, ok := links["zoomify"]; ok != test.hasZoomify {
			t.Errorf("%v: the links are %v", test.size, links)
		}
	}
}

// The document of a layer does not tell a range that follows from values.
func TestRangesOfStatisticsAreHidden(t *testing.T) {
	for _, hides := range []bool{false, true} {
		scenes := servertest.ScenesNamed(t, "height", "styled")
		for i := range scenes {
			scenes[i].Config.Access.Strangers.HideValues = hides
		}
		server := servertest.Serve(t, nil, scenes...)
		for id, isTold := range map[string]bool{"height": !hides, "styled": true} {
			if got := server.Get(t, "/layers/"+id+"/preview.png"); got.Code != http.StatusOK {
				t.Fatalf("status %d", got.Code)
			}
			document := servertest.DecodeJSON[struct {
				Default struct{ Rescale [][2]float64 }
				Styles  []struct {
					Shows struct{ Rescale [][2]float64 }
				}
			}](t, server.Get(t, "/layers/"+id))
			if got, named := document.Default.Rescale, document.Styles[0].Shows.Rescale; (got != nil) != isTold || (named != nil) != isTold {
				t.Errorf("hides: %v: the ranges of %s are %v and %v", hides, id, got, named)
			}
		}
	}
}

// Without rules, all of that is allowed.
func TestWithoutRulesEverythingIsAllowed(t *testing.T) {
	server := restricted(t, access.Rules{})
	for pattern, of := range askedOfRoutes() {
		for what, address := range of.refused {
			if got := server.Get(t, address); got.Code != http.StatusOK {
				t.Errorf("%s: status %d of %s (%s): %s", pattern, got.Code, address, what, got.Body)
			}
		}
	}
}

// Documents offer only what requests are allowed.
func TestDocumentsOfferNothingThatIsRefused(t *testing.T) {
	for _, test := range []struct {
		formats []string
		gone    []string
	}{
		{[]string{"png", "jpg"}, []string{"webp"}},
		{[]string{"png"}, []string{"webp", "jpg", "jpeg", "zoomify"}},
		{[]string{"webp"}, []string{"png?", "image/png", ".png\"", "jpg", "jpeg"}},
		{[]string{"npy"}, []string{"webp", "image/png\"", "jpg", "jpeg", "preview", "f=png"}},
	} {
		rules := strict()
		rules.Formats = test.formats
		server := restricted(t, rules)
		addresses := []string{"/layers/map/tilejson.json", "/tms/1.0.0/map@WebMercatorQuad", "/dzi/map.dzi", "/iiif/map/info.json"}
		for _, address := range documentsOfRoutes() {
			addresses = append(addresses, address)
			if strings.HasPrefix(address, "/ogc") {
				addresses = append(addresses, address+"?f=html")
			}
		}
		for _, address := range addresses {
			body := server.Get(t, address).Body.String()
			body = strings.NewReplacer("legend.png", "", `"Legend`, "", `LegendURL format="image/png"`, "", `allowed formats`, "").Replace(body)
			for _, word := range test.gone {
				if strings.Contains(body, word) && !strings.Contains(body, "not allowed") {
					t.Errorf("with %v, %s offers %q:\n%.1500s", test.formats, address, word, body)
				}
			}
			for _, word := range []string{"statistics\"", "/point/", "FeatureInfo", "InfoFormat", "bgcolor"} {
				if address != "/layers" && strings.Contains(strings.ReplaceAll(body, `"statistics":{`, ""), word) {
					t.Errorf("%s offers %q", address, word)
				}
			}
		}
	}
}

// allowedLayer is what the document of a layer says about access.
type allowedLayer struct {
	Links map[string]string `json:"links"`
	Allow struct {
		Formats    []string `json:"formats"`
		Parameters []string `json:"parameters"`
		MaxWidth   int      `json:"max_width"`
		Values     *bool    `json:"values"`
	} `json:"allow"`
}

// Links of a layer lead to pictures that strangers may have.
func TestLinksLeadToAllowedPictures(t *testing.T) {
	for _, format := range []string{"png", "jpg", "webp"} {
		rules := strict()
		rules.Formats = []string{format}
		server := restricted(t, rules)
		document := servertest.DecodeJSON[allowedLayer](t, server.Get(t, "/layers/map"))
		if a := document.Allow; !slices.Equal(a.Formats, []string{format}) || !slices.Equal(a.Parameters, []string{"bidx"}) || a.MaxWidth != 300 || a.Values == nil || *a.Values {
			t.Errorf("the layer says that it allows %+v", a)
		}
		if got := server.Get(t, document.Links["preview"]+"?max_size=200"); got.Code != http.StatusOK || !strings.HasSuffix(got.Header().Get("Content-Type"), strings.Replace(format, "jpg", "jpeg", 1)) {
			t.Errorf("%s: status %d", document.Links["preview"], got.Code)
		}
		for _, address := range []string{"/ogc/map?width=30", "/ogc/collections/map/map?width=30", "/ogc/collections/map/map/tiles/WebMercatorQuad/12/1340/2200"} {
			if got := server.Get(t, address); got.Code != http.StatusOK || !strings.Contains(got.Header().Get("Content-Type"), strings.Replace(format, "jpg", "jpeg", 1)) {
				t.Errorf("%s with %s: status %d, %v", address, format, got.Code, got.Header())
			}
		}
	}
}

// The server chooses only formats that are allowed.
func TestAutomaticFormatsAreAllowed(t *testing.T) {
	rules := strict()
	server := restricted(t, rules)
	if got := server.GetAs("/tiles/map/12/2200/1340", "image/webp"); got.Code != http.StatusOK || got.Header().Get("Content-Type") == "image/webp" {
		t.Errorf("status %d, %v", got.Code, got.Header())
	}
	rules.Formats = []string{"png", "webp"}
	server = restricted(t, rules)
	if got := server.GetAs("/tiles/map/12/2200/1340", "image/webp"); got.Code != http.StatusOK || got.Header().Get("Content-Type") != "image/webp" {
		t.Errorf("status %d, %v", got.Code, got.Header())
	}
	if got := server.GetAs("/tiles/map/12/2200/1340", ""); got.Code != http.StatusForbidden {
		t.Errorf("status %d, %v", got.Code, got.Header())
	}
}

// A map of all layers leaves out those that do not allow it.
func TestStacksLeaveOutWhatIsNotAllowed(t *testing.T) {
	scenes := servertest.ScenesNamed(t, "map", "utm")
	scenes[0].Config.Access.Strangers = strict()
	server := servertest.Serve(t, nil, scenes...)
	if got := server.Get(t, "/ogc/map?width=500&f=png"); got.Code != http.StatusOK {
		t.Errorf("status %d: %s", got.Code, got.Body)
	}
	if got := server.Get(t, "/ogc/map?width=500&f=png&collections=map,utm"); got.Code != http.StatusForbidden {
		t.Errorf("status %d: %s", got.Code, got.Body)
	}
	all := restricted(t, strict())
	for _, address := range []string{"/ogc/map?bbox=-10,-60,-9,-59&width=500&f=png", "/ogc/map?bbox=-10,-60,-9,-59&width=50&f=webp", "/ogc/map?bbox=-10,-60,-9,-59&width=50&f=png&rescale=0,9"} {
		if got := all.Get(t, address); got.Code != http.StatusForbidden {
			t.Errorf("%s, where no layer is: status %d", address, got.Code)
		}
	}
}
