package http_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tileserver/http/servertest"
)

// Addresses of WMTS: the capabilities, and the corner tile and a pixel of it as queries.
const (
	capabilitiesPath = "/wmts/1.0.0/WMTSCapabilities.xml"

	wmtsTile = "/wmts?service=WMTS&request=GetTile&version=1.0.0&layer=map&style=default&format=image/png" +
		"&TileMatrixSet=WebMercatorQuad&TileMatrix=12&TileRow=1340&TileCol=2200"
	wmtsInfo = "/wmts?service=WMTS&request=GetFeatureInfo&version=1.0.0&layer=map&style=default&format=image/png" +
		"&TileMatrixSet=WebMercatorQuad&TileMatrix=12&TileRow=1340&TileCol=2200&J=7&I=20&InfoFormat=text/plain"
)

var publicRoutes = []struct{ path, mime string }{
	{"/", "text/html; charset=utf-8"},
	{"/colormaps", "application/json"},
	{"/layers", "application/json"},
	{"/layers/map", "application/json"},
	{"/layers/map/tilejson.json", "application/json"},
	{"/layers/map/statistics", "application/json"},
	{"/layers/map/point/10,20?crs=image", "application/json"},
	{"/layers/map/view.png?bbox=0,0,100,50&crs=image", "image/png"},
	{"/layers/map/preview.jpeg", "image/jpeg"},
	{"/layers/map/preview.auto", "image/jpeg"},
	{"/layers/map/preview.npy", "application/x-binary"},
	{"/layers/map/preview.tif", "image/tiff; application=geotiff"},
	{"/layers/map/legend.png", "image/png"},
	{"/layers/map/legend.json", "application/json"},
	{"/tiles/map/" + servertest.CornerTile + ".png", "image/png"},
	{"/tiles/map/WebMercatorQuad/" + servertest.CornerTile + ".webp", "image/webp"},
	{"/tiles/map/WorldCRS84Quad/0/0/0.jpg", "image/jpeg"},
	{"/tiles/plain/image/0/0/0@2x.png", "image/png"},
	{"/tms", "text/xml; charset=utf-8"},
	{"/tms/1.0.0/", "text/xml; charset=utf-8"},
	{"/tms/1.0.0/map@WebMercatorQuad", "text/xml; charset=utf-8"},
	{"/tms/1.0.0/map@image/0", "text/xml; charset=utf-8"},
	{"/tms/1.0.0/map@WebMercatorQuad/0/0/0.png", "image/png"},
	{"/dzi/map.dzi", "application/xml"},
	{"/dzi/map_files/10/2_1.jpg", "image/jpeg"},
	{"/iiif/map/info.json", `application/ld+json;profile="http://iiif.io/api/image/3/context.json"`},
	{"/iiif/map/pct:10,20,30,40/!100,50/!90/gray.webp", "image/webp"},
	{"/ogc", "application/json"},
	{"/ogc/", "application/json"},
	{"/ogc/?f=html", "text/html; charset=utf-8"},
	{"/ogc/api", "application/vnd.oai.openapi+json;version=3.0"},
	{"/ogc/conformance", "application/json"},
	{"/ogc/collections?limit=2&offset=1", "application/json"},
	{"/ogc/collections/utm", "application/json"},
	{"/ogc/collections/utm/styles/default?f=html", "text/html; charset=utf-8"},
	{"/ogc/collections/map/map/tiles/WebMercatorQuad", "application/json"},
	{"/ogc/collections/map/styles/default/map/tiles/WebMercatorQuad/12/1340/2200?f=webp", "image/webp"},
	{"/ogc/collections/map/map?subset=Lat(50:52),Lon(13:14)&crs=[EPSG:3857]&width=20&bgcolor=navy", "image/png"},
	{"/ogc/map/tiles/WebMercatorQuad/12/1340/2200?f=jpeg&collections=height,map", "image/jpeg"},
	{"/ogc/map?f=png&bbox=50,13,52,14&bbox-crs=[EPSG:4326]&collections=map,utm&height=9", "image/png"},
	{"/ogc/tileMatrixSets", "application/json"},
	{"/ogc/tileMatrixSets/WorldCRS84Quad?version=1.0", "application/json"},
	{"/zoomify/map/ImageProperties.xml", "application/xml"},
	{"/zoomify/map/TileGroup0/1-1-0.jpg", "image/jpeg"},
	{"/zoomify/map/truncated/TileGroup0/1-1-0.jpg", "image/jpeg"},
	{"/wmts?service=WMTS&request=GetCapabilities", "application/xml"},
	{wmtsTile, "image/png"},
	{wmtsInfo, "text/plain; charset=utf-8"},
	{capabilitiesPath, "application/xml"},
	{"/layers/map/WMTSCapabilities.xml", "application/xml"},
	{"/wmts/1.0.0/map/default/WebMercatorQuad/12/1340/2200.webp", "image/webp"},
	{"/wmts/1.0.0/map/default/WebMercatorQuad/12/1340/2200/7/20.html", "text/html; charset=utf-8"},
}

func TestEveryRouteAnswersGetAndHead(t *testing.T) {
	server := servertest.New(t, nil)
	listening := httptest.NewServer(server.Handler)
	defer listening.Close()
	plain := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	for _, route := range publicRoutes {
		t.Run(route.path, func(t *testing.T) {
			get, err := plain.Get(listening.URL + route.path)
			if err != nil {
				t.Fatal(err)
			}
			defer get.Body.Close()
			head, err := plain.Head(listening.URL + route.path)
			if err != nil {
				t.Fatal(err)
			}
			defer head.Body.Close()
			for _, response := range []*http.Response{get, head} {
				if response.StatusCode != http.StatusOK {
					t.Fatalf("%s is %s", response.Request.Method, response.Status)
				}
				if got := response.Header.Get("Content-Type"); got != route.mime {
					t.Errorf("%s has the type %q, want %q", response.Request.Method, got, route.mime)
				}
				if response.Header.Get("ETag") == "" || response.Header.Get("Cache-Control") == "" {
					t.Errorf("%s lacks ETag or Cache-Control: %v", response.Request.Method, response.Header)
				}
			}
			if get.ContentLength <= 0 || head.ContentLength != get.ContentLength {
				t.Errorf("HEAD promises %d bytes, GET %d", head.ContentLength, get.ContentLength)
			}
		})
	}
}

func TestOtherMethodsAreRejected(t *testing.T) {
	server := servertest.New(t, nil)
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, "BREW"} {
		got := server.Do(httptest.NewRequest(method, "/layers", nil))
		if got.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s is %d, want 405", method, got.Code)
		}
		if allow := got.Header().Get("Allow"); allow != "GET, HEAD, OPTIONS" {
			t.Errorf("Allow for %s is %q", method, allow)
		}
		if code, _ := servertest.ErrorOf(t, got); code != "method_not_allowed" {
			t.Errorf("%s gets the code %q", method, code)
		}
	}
}

func TestPreflightAndOrigins(t *testing.T) {
	server := servertest.New(t, nil)
	preflight := server.Do(httptest.NewRequest(http.MethodOptions, "/tiles/map/"+servertest.CornerTile+".png", nil))
	if preflight.Code != http.StatusNoContent || preflight.Body.Len() != 0 {
		t.Errorf("preflight: status %d, %d bytes", preflight.Code, preflight.Body.Len())
	}
	if got := preflight.Header().Get("Access-Control-Allow-Methods"); got != "GET, HEAD, OPTIONS" {
		t.Errorf("a preflight allows %q", got)
	}
	for _, path := range []string{"/layers", "/tiles/map/" + servertest.CornerTile + ".png", "/nothing"} {
		h := server.Get(t, path).Header()
		if h.Get("Access-Control-Allow-Origin") != "*" || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s has the headers %v", path, h)
		}
		for _, name := range []string{"ETag", "Server-Timing", "X-Cache"} {
			if !strings.Contains(h.Get("Access-Control-Expose-Headers"), name) {
				t.Errorf("%s does not expose %s", path, name)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	long := "/layers/map/preview.png?x=" + strings.Repeat("a", 9000)
	tile := "/tiles/map/" + servertest.CornerTile + ".png"
	tests := []struct {
		name, path string
		status     int
		code       string
		message    string // a part of it
	}{
		{"unknown address", "/nothing", 404, "not_found", "no such address"},
		{"unknown layer", "/layers/nope", 404, "not_found", `no layer "nope"`},
		{"a tile of an unknown layer", "/tiles/nope/0/0/0.png", 404, "not_found", `no layer "nope"`},
		{"statistics of an unknown layer", "/layers/nope/statistics", 404, "not_found", `no layer "nope"`},
		{"a point of an unknown layer", "/layers/nope/point/1,2", 404, "not_found", `no layer "nope"`},
		{"unknown format", "/tiles/map/0/0/0.gif", 404, "not_found", `"gif"`},
		{"a view of an unknown format", "/layers/map/view.bmp?bbox=0,0,1,1", 404, "not_found", `"bmp"`},
		{"unknown grid", "/tiles/map/Moon/0/0/0.png", 404, "not_found", `"Moon"`},
		{"a level too deep", "/tiles/map/99/0/0.png", 404, "not_found", "99/0/0"},
		{"a row too far", "/tiles/map/1/0/2.png", 404, "not_found", "1/0/2"},
		{"a negative column", "/tiles/map/1/-1/0.png", 404, "not_found", "1/-1/0"},
		{"text for numbers", "/tiles/map/a/b/c.png", 400, "invalid", "whole numbers"},
		{"a number too large", "/tiles/map/1/99999999999999999999/0.png", 400, "invalid", "whole numbers"},
		{"a number with a sign", "/tiles/map/+1/0/0.png", 400, "invalid", "leading zeros"},
		{"a number with leading zeros", "/tiles/map/12/02200/1340.png", 400, "invalid", "leading zeros"},
		{"a row with leading zeros", "/tiles/map/12/2200/001340.png", 400, "invalid", "leading zeros"},
		{"zero with a sign", "/tiles/map/0/-0/0@2x.png", 400, "invalid", "leading zeros"},
		{"@3x", "/tiles/map/0/0/0@3x.png", 400, "invalid", "@2x"},
		{"a map of a layer without a position", "/tiles/plain/0/0/0.png", 404, "not_found", `"image"`},
		{"TileJSON of a layer without a position", "/layers/plain/tilejson.json", 404, "not_found", `"image"`},
		{"TileJSON of an unknown grid", "/layers/map/tilejson.json?tms=Moon", 404, "not_found", `"Moon"`},
		{"TileJSON of an unknown format", "/layers/map/tilejson.json?format=gif", 400, "invalid", "format"},
		{"TileJSON of an unknown color map", "/layers/map/tilejson.json?bidx=1&colormap_name=mud", 400, "invalid", `"mud"`},
		{"bidx 0", tile + "?bidx=0", 400, "invalid", "bidx"},
		{"bidx is text", tile + "?bidx=red", 400, "invalid", "bidx"},
		{"unknown band", tile + "?bidx=4", 400, "invalid", "band 4"},
		{"two bands", tile + "?bidx=1,2", 400, "invalid", "one band or three"},
		{"too many bands", tile + "?bidx=1" + strings.Repeat(",1", 100), 400, "invalid", "bidx"},
		{"rescale of one number", tile + "?rescale=1", 400, "invalid", "rescale"},
		{"rescale of three numbers", tile + "?rescale=1,2,3", 400, "invalid", "rescale"},
		{"rescale to infinity", tile + "?rescale=0,inf", 400, "invalid", "rescale"},
		{"rescale of NaN", tile + "?rescale=nan,1", 400, "invalid", "rescale"},
		{"rescale backwards", tile + "?rescale=2,1", 400, "invalid", "ascend"},
		{"two ranges for three bands", tile + "?rescale=0,1&rescale=0,2", 400, "invalid", "2 ranges"},
		{"rescale and stretch", tile + "?rescale=0,1&stretch=dra", 400, "invalid", "exclude"},
		{"unknown stretch", tile + "?stretch=odd", 400, "invalid", "stretch"},
		{"unknown color map", tile + "?bidx=1&colormap_name=mud", 400, "invalid", `"mud"`},
		{"colors for three bands", tile + "?bidx=1,2,3&colormap_name=viridis", 400, "invalid", "one band"},
		{"nodata is text", tile + "?nodata=none", 400, "invalid", "nodata"},
		{"nodata of infinity", tile + "?nodata=-inf", 400, "invalid", "nodata"},
		{"unknown resampling", tile + "?resampling=magic", 400, "invalid", "resampling"},
		{"quality 0", tile + "?quality=0", 400, "invalid", "quality"},
		{"quality 101", tile + "?quality=101", 400, "invalid", "quality"},
		{"a parameter twice", tile + "?stretch=dra&stretch=none", 400, "invalid", "stretch is given 2 times"},
		{"a malformed query", tile + "?bidx=%zz", 400, "invalid", "malformed"},
		{"a long query", long, 414, "uri_too_long", "8192"},
		{"a long path", "/layers/" + strings.Repeat("a", 2048), 414, "uri_too_long", "the path has 2056 bytes; the limit is 2048"},
		{"a path that is long when escaped", "/layers/" + strings.Repeat("%2F", 700), 414, "uri_too_long", "2108"},
		{"a view without a bbox", "/layers/map/view.png", 400, "invalid", "bbox"},
		{"a view of three numbers", "/layers/map/view.png?bbox=1,2,3", 400, "invalid", "bbox"},
		{"a view of NaN", "/layers/map/view.png?bbox=nan,0,1,1", 400, "invalid", "bbox"},
		{"a view with minx > maxx", "/layers/map/view.png?bbox=1,0,0,1", 400, "invalid", "bbox"},
		{"an infinite view", "/layers/map/view.png?bbox=-1e308,0,1e308,1", 400, "invalid", "bbox"},
		{"a view of width 0", "/layers/map/view.png?bbox=0,0,1,1&width=0", 400, "invalid", "width"},
		{"a view too large", "/layers/map/view.png?bbox=0,0,1,1&width=9000&height=9000", 413, "too_large", "81000000"},
		{"unknown CRS", "/layers/map/view.png?bbox=0,0,1,1&crs=EPSG:1", 400, "invalid", "EPSG:1"},
		{"the CRS is text", "/layers/map/view.png?bbox=0,0,1,1&crs=flat", 400, "invalid", `"flat"`},
		{"a bbox of pixels in a map", "/layers/map/view.png?bbox=0,0,1,1&crs=EPSG:3857&bbox-crs=image", 400, "invalid", "image and EPSG:3857"},
		{"meters without a CRS", "/layers/utm/view.png?bbox=500000,5297000,507000,5300000", 400, "invalid", "crs="},
		{"a point in meters without a CRS", "/layers/utm/point/500000,5297000", 400, "invalid", "crs="},
		{"a tile of an odd size", "/tiles/map/0/0/0.png?tilesize=300", 400, "invalid", "tilesize"},
		{"tilesize and @2x", "/tiles/map/0/0/0@2x.png?tilesize=512", 400, "invalid", "tilesize"},
		{"TileJSON of tiles of an odd size", "/layers/map/tilejson.json?tilesize=100", 400, "invalid", "tilesize"},
		{"a tile of a size in an unknown grid", "/tiles/map/Moon/0/0/0.png?tilesize=512", 404, "not_found", "Moon"},
		{"a preview too large", "/layers/map/preview.png?max_size=2049", 400, "invalid", "max_size"},
		{"a preview too wide", "/layers/map/preview.png?width=2049", 400, "invalid", "width must be a whole number from 1 to 2048"},
		{"a preview too high", "/layers/map/preview.png?width=9&height=2049", 400, "invalid", "height must be a whole number from 1 to 2048"},
		{"pixels without a CRS", "/layers/plain/view.png?bbox=0,0,500,500", 400, "invalid", "crs=image"},
		{"a pixel without a CRS", "/layers/plain/point/100,100", 400, "invalid", "crs=image"},
		{"a box with latitudes first", "/layers/map/view.png?bbox=-49,-123.6,-48.8,-123.3", 400, "invalid", "latitude comes second, and is from -90 to 90; did you mean bbox=-123.6,-49,-123.3,-48.8?"},
		{"a box far east with latitudes first", "/layers/map/view.png?bbox=-42,146,-41,147.5", 400, "invalid", "did you mean bbox=146,-42,147.5,-41?"},
		{"a box with the last longitude first", "/layers/map/view.png?bbox=-18,178,-17,182", 400, "invalid", "did you mean bbox=178,-18,182,-17?"},
		{"a box beyond the pole", "/layers/map/view.png?bbox=100,90.5,120,95", 400, "invalid", "not longitudes and latitudes"},
		{"a point with its latitude first", "/layers/map/point/-48.9,-123.4", 400, "invalid", "did you mean -123.4,-48.9?"},
		{"a point beyond the pole", "/layers/map/point/120,-91", 400, "invalid", "not longitudes and latitudes"},
		{"degrees in a CRS in meters", "/layers/map/view.png?bbox=-123.6,48.8,-123.3,49&crs=3857", 400, "invalid", "are these degrees? Then leave crs out"},
		{"far less than a pixel", "/layers/map/view.png?bbox=10,10,10.001,10.001&crs=image", 400, "invalid", "far smaller than a pixel of the image"},
		{"a point outside", "/layers/map/point/0,0", 404, "not_found", "has nothing there"},
		{"half a point", "/layers/map/point/1", 400, "invalid", "a point"},
		{"a point is text", "/layers/map/point/a,b", 400, "invalid", "a point"},
		{"a point of a layer without a position", "/layers/plain/point/1,2", 404, "not_found", "use crs=image"},
		{"statistics of an unknown band", "/layers/map/statistics?bidx=9", 400, "invalid", "there is no band 9; the bands are 1 to 3"},
	}
	server := servertest.New(t, nil)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := server.Get(t, test.path)
			if got.Code != test.status {
				t.Errorf("status %d, want %d: %s", got.Code, test.status, got.Body)
			}
			if mime := got.Header().Get("Content-Type"); mime != "application/json" {
				t.Errorf("the type is %q", mime)
			}
			code, message := servertest.ErrorOf(t, got)
			if code != test.code || !strings.Contains(message, test.message) {
				t.Errorf("got %s: %q, want %s: …%s…", code, message, test.code, test.message)
			}
			if got.Header().Get("ETag") != "" {
				t.Error("an error has an ETag")
			}
		})
	}
	if server.Reads() != 0 {
		t.Errorf("invalid requests caused %d reads", server.Reads())
	}
}
