package http_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"tileserver/http/servertest"
)

// A picture without the effect of the parameter would look like a correct response.
func TestMisspelledParametersAreRejected(t *testing.T) {
	server := servertest.New(t, nil)
	const tile, preview, view = "/tiles/map/" + servertest.CornerTile + ".png", "/layers/map/preview.png", "/layers/utm/view.png?bbox=" + servertest.UTMBox
	for _, test := range []struct{ address, query, means string }{
		{tile, "rescal=0,1", "rescale"},
		{tile, "Rescale=0,1", "rescale"},
		{tile, "colourmap_name=viridis", "colormap_name"},
		{tile, "colormap-name=viridis", "colormap_name"},
		{tile, "tileSize=512", "tilesize"},
		{tile, "emtpy=404", "empty"},
		{tile, "_=1&bixd=1", "bidx"},
		{preview, "expresion=b1", "expression"},
		{preview, "maxsize=100", "max_size"},
		{view, "heigth=100", "height"},
		{view, "bbox_crs=EPSG:3857", "bbox-crs"},
		{"/layers/map/statistics", "band=1", "bands"},
		{"/layers/map/statistics", "histogram_bin=1", "histogram_bins"},
		{"/layers/map/point/0,0", "no_data=1", "nodata"},
		{"/layers/map/tilejson.json", "formt=webp", "format"},
		{"/layers/height/legend.json", "rescalee=0,1", "rescale"},
		{"/layers/height/legend.png", "verticl=true", "vertical"},
		{"/layers/map", "band=3", "bands"},
		{"/colormaps", "colormap_nam=x", "colormap_name"},
		{"/layers", "limt=3", "limit"},
		{"/layers", "ofset=3", "offset"},
	} {
		separator := "?"
		if strings.Contains(test.address, "?") {
			separator = "&"
		}
		got := server.Get(t, test.address+separator+test.query)
		if want := `; did you mean \"` + test.means + `\"?`; got.Code != http.StatusBadRequest || !strings.Contains(got.Body.String(), want) {
			t.Errorf("%s with %s is %d %.200s, want a 400 that says %q", test.address, test.query, got.Code, got.Body, want)
		}
	}
}

// Map clients, caches, proxies, signers and counters add parameters of their own.
func TestUnknownClientParametersAreIgnored(t *testing.T) {
	names := strings.Fields(`
		_ _t t ts v ver version rev r rand rnd random nocache no_cache cache cb cachebuster cacheKey refresh reload fresh timestamp date time time_stamp epoch
		foo bar s z x y i n id uid uuid sid session session_id sessionid ref referer source src origin
		key apikey api_key api-key apiKey app_id appid app_code client client_id access_token accessToken token auth authorization signature sig sign
		exp expire expires expiry Expires Signature Key-Pair-Id Policy policy hash hmac nonce user username ticket role secret
		X-Amz-Algorithm X-Amz-Credential X-Amz-Date X-Amz-Expires X-Amz-Signature X-Amz-SignedHeaders X-Goog-Signature GoogleAccessId
		sv st se sr sp spr skoid sktid skt ske sks skv
		blankTile dpi DPI dpiMode MAP_RESOLUTION FORMAT_OPTIONS map_resolution format_options tilePixelRatio pixelRatio pixel_ratio ratio scale scaleFactor
		SERVICE REQUEST VERSION LAYERS LAYER STYLES styles layers layer SRS srs EPSG TRANSPARENT transparent EXCEPTIONS TILED tiled TILEMATRIX TILEMATRIXSET
		TILEROW TILECOL INFO_FORMAT QUERY_LAYERS FEATURE_COUNT I J BGCOLOR bgcolor TIME ELEVATION elevation DIM_BAND map MAP map_id mapId
		type zmin zmax zoom minzoom maxzoom min_zoom max_zoom tms scheme url_template tileset tile tiles tilematrix
		lang language hl gl locale culture region country lyrs mt mapType maptype mode theme state status event action
		utm_source utm_medium utm_campaign utm_term utm_content gclid fbclid msclkid sku debug trace verbose test preview download filename name title
		f format callback jsonp output size dim sort order page per_page count index level depths_m area shape geometry where query search filter filters
	`)
	server := servertest.New(t, nil)
	for _, address := range []string{
		"/tiles/map/" + servertest.CornerTile + ".png", "/layers/map/preview.png?max_size=20", "/layers/utm/view.png?width=20&bbox=" + servertest.UTMBox,
		"/layers/map/tilejson.json", "/layers/map/statistics", "/layers/height/legend.png",
		"/ogc/collections/map/map/tiles/WebMercatorQuad/12/1340/2200?f=png", "/iiif/map/full/60,/0/default.png", "/tms/1.0.0/map@WebMercatorQuad/0/0/0.png",
	} {
		separator := "?"
		if strings.Contains(address, "?") {
			separator = "&"
		}
		for _, name := range names {
			if strings.Contains(address, "tilejson") && slices.Contains([]string{"format", "tms", "minzoom", "maxzoom"}, name) || strings.Contains(address, "/ogc/") && name == "f" {
				continue // which handles these parameters itself
			}
			if got := server.Get(t, address+separator+url.QueryEscape(name)+"=1"); got.Code != http.StatusOK {
				t.Errorf("%s with %s is %d %.200s", address, name, got.Code, got.Body)
			}
		}
	}
	if got := server.Get(t, "/layers/map/preview.png?rescal="); got.Code != http.StatusOK {
		t.Errorf("an empty parameter: status %d", got.Code)
	}
}
