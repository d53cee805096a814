package http_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"tileserver/http/servertest"
)

// No address causes an internal error.
func FuzzAddresses(f *testing.F) {
	for _, route := range publicRoutes {
		path, query, _ := strings.Cut(route.path, "?")
		f.Add(path, query)
	}
	f.Add("/tiles/map/12/2200/1340@2x.png", "bidx=1&rescale=0,1&stretch=&colormap_name=viridis_r&nodata=0&resampling=cubic&quality=3")
	f.Add("/layers/utm/view.png", "bbox=15,47.8,15.1,47.9&crs=EPSG:3035&width=3&height=5")
	for _, query := range []string{
		"expression=where(b1>3,sqrt(b2),b3**2)&color_formula=gamma+R+2,+saturation+2", "algorithm=hillshade&algorithm_params={\"azimuth\":10}",
		"colormap={\"1\":\"red\"}&bidx=1&colormap_type=linear", "colormap=[[0,\"%23fff\"],[9,[1,2,3]]]&bands=b2&unscale=true&depth=16",
		"stretch=tile&complex=magnitude&background=navy&style=default&statistics=file&subsampling=444&lossless=true",
		"width=40&height=20&vertical=true&max_size=30",
	} {
		for _, path := range []string{"/layers/map/preview.auto", "/layers/height/legend.png", "/layers/map/statistics", "/tiles/height/12/2200/1340.tif"} {
			f.Add(path, query)
		}
	}
	server := servertest.New(f, nil)
	f.Fuzz(func(t *testing.T, path, query string) {
		if strings.Contains(path, "broken") || strings.Contains(path, "panicking") || strings.HasPrefix(path, "/ogc/map") {
			return // of layers that fail on purpose, and of maps that contain them
		}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL = &url.URL{Path: path, RawQuery: query}
		if got := server.Do(r); got.Code >= http.StatusInternalServerError {
			t.Errorf("%d: %s", got.Code, got.Body)
		}
	})
}

// Any Range gets ranges of the body, the whole body or a client error.
func FuzzRanges(f *testing.F) {
	for _, text := range []string{"bytes=0-9", "bytes=9-", "bytes=-9", "bytes=-0", "bytes=5-2", "bytes=1-2,4-5", "bytes=,", "bytes=0-,0-", "items=1-2", "bytes=99999999999999999999-"} {
		f.Add(text)
	}
	server := servertest.New(f, nil)
	path := "/layers/map/preview.npy?max_size=5"
	whole := server.Get(f, path).Body.String()
	f.Fuzz(func(t *testing.T, text string) {
		got := server.Send(http.MethodGet, path, "Range", text)
		var first, last, size int
		switch {
		case got.Code == http.StatusOK && got.Body.String() == whole, got.Code == http.StatusRequestedRangeNotSatisfiable:
		case got.Code == http.StatusPartialContent && strings.HasPrefix(got.Header().Get("Content-Type"), "multipart/byteranges"):
			if got.Header().Get("Content-Length") != strconv.Itoa(got.Body.Len()) {
				t.Errorf("%q: %d bytes of %s", text, got.Body.Len(), got.Header().Get("Content-Length"))
			}
		case got.Code == http.StatusPartialContent:
			_, err := fmt.Sscanf(got.Header().Get("Content-Range"), "bytes %d-%d/%d", &first, &last, &size)
			if err != nil || size != len(whole) || got.Body.String() != whole[first:last+1] {
				t.Errorf("%q: %d bytes are those of %q", text, got.Body.Len(), got.Header().Get("Content-Range"))
			}
		default:
			t.Errorf("%q is %d with %d bytes", text, got.Code, got.Body.Len())
		}
	})
}

// Whatever the headers of proxies contain, links have a valid host.
func FuzzForwarded(f *testing.F) {
	f.Add(`for=203.0.113.7;host="maps.example:8443";proto=https`, "", "")
	f.Add(`host="a,b";proto="`, "maps.example, inner.local", "203.0.113.7, 10.0.0.1:99")
	f.Add(",;=", "[::1]:80", "[fd00::1], ::1, ,")
	server := servertest.New(f, nil)
	f.Fuzz(func(t *testing.T, forwarded, host, addresses string) {
		got := server.GetThrough("127.0.0.1:1", "/layers/map", map[string]string{"Forwarded": forwarded, "X-Forwarded-Host": host, "X-Forwarded-For": addresses})
		self, err := url.Parse(servertest.DecodeJSON[servertest.LayerDocument](t, got).Links.Self)
		if err != nil || self.Host == "" || self.Path != "/layers/map" || strings.ContainsAny(self.Host, "/@\"'<> ") {
			t.Errorf("%q, %q and %q make %s: %v", forwarded, host, addresses, self, err)
		}
	})
}
