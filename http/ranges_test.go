package http_test

import (
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"tileserver/cache"
	tilehttp "tileserver/http"
	"tileserver/http/servertest"
	"tileserver/layer"
)

// rangedPaths are data, pictures, tiles and an empty tile.
var rangedPaths = []string{
	"/layers/map/preview.tif?max_size=101",
	"/layers/height/view.npy?bbox=15,47.8,15.1,47.9&width=33&height=27",
	"/tiles/map/" + servertest.CornerTile + ".tif",
	"/tiles/map/" + servertest.CornerTile + ".png",
	"/tiles/map/12/0/0.png",
	"/ogc/map/tiles/WebMercatorQuad/12/1340/2200?f=png&collections=map,styled",
}

func TestRanges(t *testing.T) {
	server := servertest.New(t, nil)
	for _, path := range rangedPaths {
		whole := server.Get(t, path)
		body, etag := whole.Body.String(), whole.Header().Get("ETag")
		size := strconv.Itoa(len(body))
		if whole.Code != http.StatusOK || len(body) < 100 || whole.Header().Get("Accept-Ranges") != "bytes" {
			t.Fatalf("%s is %d, of %d bytes, Accept-Ranges %q", path, whole.Code, len(body), whole.Header().Get("Accept-Ranges"))
		}
		reads := server.Reads()
		for _, test := range []struct {
			name, requested, ifRange string
			status                   int
			body, contentRange       string
		}{
			{"the first bytes", "bytes=0-15", "", 206, body[:16], "bytes 0-15/" + size},
			{"one byte", "bytes=7-7", "", 206, body[7:8], "bytes 7-7/" + size},
			{"all from a byte on", "bytes=50-", "", 206, body[50:], "bytes 50-" + strconv.Itoa(len(body)-1) + "/" + size},
			{"beyond the end", "bytes=50-99999999", "", 206, body[50:], "bytes 50-" + strconv.Itoa(len(body)-1) + "/" + size},
			{"the last bytes", "bytes=-9", "", 206, body[len(body)-9:], ""},
			{"more last bytes than there are", "bytes=-99999999", "", 206, body, ""},
			{"of the same version", "bytes=0-15", etag, 206, body[:16], ""},
			{"of another version", "bytes=0-15", `"other"`, 200, body, ""},
			{"of a weak version", "bytes=0-15", "W/" + etag, 200, body, ""},
			{"of an unknown date", "bytes=0-15", "Sat, 01 Jan 2000 00:00:00 GMT", 200, body, ""},
			{"two, of which one is beyond the end", "bytes=0-15,99999999-", "", 206, body[:16], ""},
			{"with blanks and empty ones", "bytes= , 0-15 ,", "", 206, body[:16], ""},
			{"a number of too many digits", "bytes=50-99999999999999999999999", "", 206, body[50:], ""},
			{"another unit", "pixels=0-15", "", 200, body, ""},
			{"more than the whole", "bytes=0-,0-,0-", "", 200, body, ""},
			{"too many", "bytes=" + strings.Repeat("1-1,", 65), "", 200, body, ""},
		} {
			headers := []string{"Range", test.requested}
			if test.ifRange != "" {
				headers = append(headers, "If-Range", test.ifRange)
			}
			got := server.Send(http.MethodGet, path, headers...)
			if got.Code != test.status || got.Body.String() != test.body || got.Header().Get("Content-Length") != strconv.Itoa(len(test.body)) {
				t.Errorf("%s, %s: status %d, %d bytes, Content-Length %s; want %d, %d bytes", path, test.name, got.Code, got.Body.Len(), got.Header().Get("Content-Length"), test.status, len(test.body))
			}
			if test.contentRange != "" && got.Header().Get("Content-Range") != test.contentRange {
				t.Errorf("%s, %s: Content-Range is %q", path, test.name, got.Header().Get("Content-Range"))
			}
			for _, name := range []string{"ETag", "Content-Type", "Cache-Control"} {
				if got.Header().Get(name) != whole.Header().Get(name) {
					t.Errorf("%s, %s: %s is %q, of the whole %q", path, test.name, name, got.Header().Get(name), whole.Header().Get(name))
				}
			}
		}
		if server.Reads() != reads {
			t.Errorf("%s: ranges caused %d reads", path, server.Reads()-reads)
		}
	}
}

func TestUnsatisfiableRanges(t *testing.T) {
	server := servertest.New(t, nil)
	for path, wantType := range map[string]string{
		"/layers/map/preview.tif?max_size=101":                          "application/json",
		"/ogc/collections/map/map?f=png&width=101":                      "application/problem+json",
		"/wmts/1.0.0/map/default/WebMercatorQuad/" + "12/1340/2200.png": "application/json",
	} {
		size := server.Get(t, path).Body.Len()
		for _, requested := range []string{"bytes=99999999-", "bytes=-0", "bytes=5-2", "bytes=x-y", "bytes=", "bytes=-", "bytes=7", "bytes=0-3,?", "bytes=--4", "bytes=99999999-,88888888-"} {
			got := server.Send(http.MethodGet, path, "Range", requested)
			if got.Code != http.StatusRequestedRangeNotSatisfiable || got.Header().Get("Content-Type") != wantType || !strings.Contains(got.Body.String(), "range_not_satisfiable") {
				t.Errorf("%s, %s: %d %s %s", path, requested, got.Code, got.Header().Get("Content-Type"), got.Body)
			}
			if got.Header().Get("ETag") != "" || got.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("%s, %s: the error has the headers %v", path, requested, got.Header())
			}
			if beyond := requested == "bytes=99999999-"; beyond && got.Header().Get("Content-Range") != "bytes */"+strconv.Itoa(size) {
				t.Errorf("%s, %s: Content-Range is %q", path, requested, got.Header().Get("Content-Range"))
			}
		}
	}
}

func TestSeveralRanges(t *testing.T) {
	server := servertest.New(t, nil)
	path := rangedPaths[0]
	whole := server.Get(t, path).Body.String()
	got := server.Send(http.MethodGet, path, "Range", "bytes=3-9, 20-29,-5")
	kind, parameters, err := mime.ParseMediaType(got.Header().Get("Content-Type"))
	if got.Code != http.StatusPartialContent || kind != "multipart/byteranges" || err != nil {
		t.Fatalf("status %d, %s, %v", got.Code, kind, err)
	}
	parts := multipart.NewReader(got.Body, parameters["boundary"])
	for _, want := range []string{whole[3:10], whole[20:30], whole[len(whole)-5:]} {
		part, err := parts.NextPart()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(part)
		if err != nil || string(body) != want || part.Header.Get("Content-Type") != "image/tiff; application=geotiff" || part.Header.Get("Content-Range") == "" {
			t.Errorf("a part is %q with %v, want %q: %v", body, part.Header, want, err)
		}
	}
}

// The headers of many small parts would be longer than a small picture.
func TestSmallRangesOfASmallPicture(t *testing.T) {
	server := servertest.New(t, nil)
	path := "/tiles/map/12/0/0.png"
	whole := server.Get(t, path).Body.Len()
	if got := server.Send(http.MethodGet, path, "Range", "bytes=0-1,5-6,9-9"); got.Code != http.StatusOK || got.Body.Len() != whole {
		t.Errorf("status %d with %d bytes, of a picture of %d", got.Code, got.Body.Len(), whole)
	}
}

func TestHEADWithRanges(t *testing.T) {
	server := servertest.New(t, nil)
	for _, path := range rangedPaths {
		whole, head := server.Get(t, path), server.Send(http.MethodHead, path, "Range", "bytes=0-15")
		if head.Code != http.StatusOK || head.Body.Len() != 0 {
			t.Errorf("HEAD %s: status %d, %d bytes", path, head.Code, head.Body.Len())
		}
		for _, name := range []string{"Content-Length", "Accept-Ranges", "ETag"} {
			if got, want := head.Header().Get(name), whole.Header().Get(name); got != want || want == "" {
				t.Errorf("%s: %s is %q of HEAD, %q of GET", path, name, got, want)
			}
		}
	}
}

// A picture that does not fit into the cache would be rendered again for each range.
func TestUncachedPictureHasNoRanges(t *testing.T) {
	server := servertest.New(t, func(catalog *layer.CatalogConfig, _ *tilehttp.Config) { catalog.Cache = cache.New(256 << 10) })
	for path, isKept := range map[string]bool{"/layers/map/preview.npy?max_size=600": false, "/layers/map/preview.npy?max_size=50": true} {
		got := server.Send(http.MethodGet, path, "Range", "bytes=0-15")
		if isPart := got.Code == http.StatusPartialContent; isPart != isKept || isPart != (got.Header().Get("Accept-Ranges") == "bytes") {
			t.Errorf("%s is %d with %d bytes, Accept-Ranges %q", path, got.Code, got.Body.Len(), got.Header().Get("Accept-Ranges"))
		}
	}
}

func TestIfMatch(t *testing.T) {
	server := servertest.New(t, nil)
	path := rangedPaths[0]
	etag := server.Get(t, path).Header().Get("ETag")
	for header, want := range map[string]int{
		etag:               http.StatusPartialContent,
		`"other", ` + etag: http.StatusPartialContent,
		"*":                http.StatusPartialContent,
		`"other"`:          http.StatusPreconditionFailed,
		"W/" + etag:        http.StatusPreconditionFailed,
	} {
		if got := server.Send(http.MethodGet, path, "If-Match", header, "Range", "bytes=0-15"); got.Code != want {
			t.Errorf("If-Match: %s is %d, want %d", header, got.Code, want)
		}
	}
}
