package integration

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// behindNginx starts replicas behind nginx with the configuration configs/nginx.conf.
func behindNginx(t *testing.T, options ...string) *front {
	t.Helper()
	return behindNginxWith(t, nil, options...)
}

// behindNginxWith starts replicas behind nginx with changes in that configuration.
func behindNginxWith(t *testing.T, changes []replacement, options ...string) *front {
	t.Helper()
	nginx := find(t, "nginx")
	f := behind(t, options...)
	address, cache := f.listen(t), t.TempDir()
	site := example(t, "nginx.conf", append(changes,
		replacement{"listen 80;", 1, "listen " + address + ";"},
		replacement{"/var/cache/nginx/tileserver", 1, filepath.Join(cache, "pictures")},
		replacement{"server 127.0.0.1:8080 ", 1, "server " + f.replicaAddress(0) + " "},
		replacement{"server 127.0.0.1:8090 ", 1, "server " + f.replicaAddress(1) + " "},
	)...)
	f.runNginx(t, nginx, nginxMain(cache, site))
	return f
}

// runNginx runs nginx with a complete configuration.
func (f *front) runNginx(t *testing.T, nginx, configuration string) {
	t.Helper()
	main := writeFile(t, t.TempDir(), "main.conf", []byte(configuration))
	if output, err := exec.Command(nginx, "-t", "-c", main).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	runProgram(t, f.isUp(t), nginx, "-c", main)
}

// nginxMain is the configuration around the files in conf.d, as distributions install it, including
// the compression that they turn on.
func nginxMain(folder, site string) string {
	user := ""
	if os.Geteuid() == 0 {
		user = "user root;" // another user may not read the folders of a test
	}
	text := fmt.Sprintf("daemon off; error_log stderr; pid %s; %s\nevents {}\nhttp {\n  access_log off; gzip on; gzip_types *; gzip_proxied any;\n",
		filepath.Join(folder, "nginx.pid"), user)
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		text += fmt.Sprintf("  %s_temp_path %s;\n", kind, filepath.Join(folder, kind))
	}
	return text + "  include " + site + ";\n}\n"
}

const cacheStatus = "X-Cache-Status"

func wantCacheStatus(t *testing.T, what string, a answer, status int, cache string) {
	t.Helper()
	if got := a.header.Get(cacheStatus); a.status != status || got != cache {
		t.Errorf("%s: status %d, %s of the cache, want %d, %s: %.200s", what, a.status, got, status, cache, a.body)
	}
}

func TestNginxLinksLeadThroughIt(t *testing.T) {
	testLinks(t, behindNginx(t))
}

func TestNginxAnswersThePathOnly(t *testing.T) {
	f := behindNginx(t)
	if a := f.ask(t, http.MethodGet, "", nil); a.status != http.StatusMovedPermanently || a.header.Get("Location") != publicPath+"/" {
		t.Errorf("the path without its slash: status %d to %q", a.status, a.header.Get("Location"))
	}
	for _, path := range []string{"/metrics", "/healthz", "/debug/cache", "/debug/pprof/"} {
		if a := f.ask(t, http.MethodGet, path, nil); a.status != http.StatusNotFound {
			t.Errorf("%s: status %d; clients must not see it", path, a.status)
		}
	}
	for _, path := range []string{"/", "/layers", "/imagerie/layers"} {
		a, err := askWith(f.client, t, http.MethodGet, "http://"+publicName+path, nil)
		if err != nil || a.status != http.StatusNotFound {
			t.Errorf("%s outside of the path: status %d, %v", path, a.status, err)
		}
	}
}

func TestNginxCachesPictures(t *testing.T) {
	f := behindNginx(t)
	tile := "/tiles/colors/" + cornerTile + ".png"
	first := f.get(t, tile)
	wantCacheStatus(t, "the first time", first, 200, "MISS")
	second := f.get(t, tile)
	wantCacheStatus(t, "the second time", second, 200, "HIT")
	if !bytes.Equal(first.body, second.body) || second.header.Get("ETag") != first.header.Get("ETag") {
		t.Error("nginx caches another picture than it received")
	}
	head := f.ask(t, http.MethodHead, tile, nil)
	wantCacheStatus(t, "HEAD", head, 200, "HIT")
	if got, want := head.header.Get("Content-Length"), fmt.Sprint(len(first.body)); got != want || len(head.body) != 0 {
		t.Errorf("HEAD promises %s bytes, want %s, and sends %d", got, want, len(head.body))
	}
	if a := f.ask(t, http.MethodGet, tile, http.Header{"If-None-Match": {first.header.Get("ETag")}}); a.status != http.StatusNotModified {
		t.Errorf("revalidation: status %d, want 304", a.status)
	}
	other := "/tiles/heights/" + cornerTile + ".png"
	wantCacheStatus(t, "HEAD before anyone asks", f.ask(t, http.MethodHead, other, nil), 200, "MISS")
	wantCacheStatus(t, "GET after it", f.get(t, other), 200, "HIT")
}

// Caches may store a picture without limit if its address contains the version.
func TestNginxCachesVersionsOfPictures(t *testing.T) {
	f := behindNginx(t, "--caching", "versioned")
	var document struct{ Tiles []string }
	if err := json.Unmarshal(f.get(t, "/layers/colors/tilejson.json").body, &document); err != nil {
		t.Fatal(err)
	}
	tile := strings.TrimPrefix(strings.Replace(document.Tiles[0], "{z}/{x}/{y}", cornerTile, 1), publicRoot)
	if !strings.Contains(tile, "?v=") {
		t.Fatalf("tiles are at %s", document.Tiles[0])
	}
	for _, cache := range []string{"MISS", "HIT"} {
		a := f.get(t, tile)
		wantCacheStatus(t, tile, a, 200, cache)
		if got := a.header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("Cache-Control is %q", got)
		}
	}
}

func TestNginxCachesNeitherErrorsNorDocuments(t *testing.T) {
	f := behindNginx(t)
	for path, status := range map[string]int{
		"/wmts/1.0.0/WMTSCapabilities.xml": 200, "/iiif/plain/info.json": 200, "/ogc/collections/colors/map/tiles?f=json": 200,
		"/tiles/none/0/0/0.png": 404, "/tiles/colors/0/0/0.png?bidx=77": 400, "/nothing.png": 404,
		"/layers/colors/view.png?bbox=0,0,1,1&width=9000&height=9000": 413,
	} {
		for range 2 {
			wantCacheStatus(t, path, f.ask(t, http.MethodGet, path, nil), status, "MISS")
		}
	}
}

func TestNginxCachesEachNegotiatedFormat(t *testing.T) {
	f := behindNginx(t)
	const auto, ogc = "/tiles/colors/" + cornerTile + ".auto", "/ogc/collections/colors/map/tiles/WebMercatorQuad/12/1340/2200"
	for _, cache := range []string{"MISS", "HIT"} {
		for _, test := range []struct{ path, accept, mime string }{
			{auto, "image/avif,image/webp,*/*", "image/webp"},
			{auto, "image/png,*/*", "image/jpeg"},
			{ogc, "image/webp", "image/webp"},
			{ogc, "image/png", "image/png"},
		} {
			a := f.ask(t, http.MethodGet, test.path, http.Header{"Accept": {test.accept}})
			wantCacheStatus(t, test.accept, a, 200, cache)
			if got := a.header.Get("Content-Type"); got != test.mime || http.DetectContentType(a.body) != test.mime {
				t.Errorf("%s: with Accept %s the body is %s, the Content-Type %s, want %s", test.path, test.accept, http.DetectContentType(a.body), got, test.mime)
			}
			if !a.varies("Accept") {
				t.Errorf("%s: Vary is %q", test.path, a.header.Values("Vary"))
			}
		}
	}
}

func TestNginxSendsTextAsItWasCompressed(t *testing.T) {
	const document = "/layers/colors"
	f := behindNginx(t)
	zipped := http.Header{"Accept-Encoding": {"gzip"}}
	plain, packed := f.get(t, document), f.ask(t, http.MethodGet, document, zipped)
	if got := packed.header.Values("Content-Encoding"); !slices.Equal(got, []string{"gzip"}) || plain.header.Get("Content-Encoding") != "" {
		t.Fatalf("Content-Encoding is %q, and %q without being requested", got, plain.header.Get("Content-Encoding"))
	}
	reader, err := gzip.NewReader(bytes.NewReader(packed.body))
	if err != nil {
		t.Fatal(err)
	}
	if unpacked, err := io.ReadAll(reader); err != nil || !bytes.Equal(unpacked, plain.body) {
		t.Errorf("the unpacked body differs: %v", err)
	}
	zipped.Set("If-None-Match", packed.header.Get("ETag"))
	if a := f.ask(t, http.MethodGet, document, zipped); a.status != http.StatusNotModified {
		t.Errorf("revalidation of the compressed answer: status %d, want 304", a.status)
	}
	if a := f.ask(t, http.MethodGet, "/tiles/colors/"+cornerTile+".png", http.Header{"Accept-Encoding": {"gzip"}}); a.header.Get("Content-Encoding") != "" {
		t.Errorf("a picture has the Content-Encoding %q", a.header.Get("Content-Encoding"))
	}
}

// The limits that the configuration shows in comments hold for views, and not for tiles.
func TestNginxLimitsTheViewsOfAClient(t *testing.T) {
	f := behindNginxWith(t, []replacement{
		{"#   map $uri $viewer", 1, "map $uri $viewer"}, {"#   limit_", 4, "limit_"},
		{"# limit_req zone", 1, "limit_req zone"}, {"# limit_conn clients", 1, "limit_conn clients"},
	})
	statuses := make(map[int]int)
	for i := range 30 {
		statuses[f.ask(t, http.MethodGet, fmt.Sprintf("/layers/colors/preview.png?max_size=%d", 9+i), nil).status]++
	}
	if statuses[200] < 11 || statuses[429] < 1 || statuses[200]+statuses[429] != 30 {
		t.Errorf("the statuses of 30 previews are %v", statuses)
	}
	for range 20 {
		if a := f.ask(t, http.MethodGet, "/tiles/colors/"+cornerTile+".png", nil); a.status != http.StatusOK {
			t.Errorf("a tile has status %d", a.status)
		}
	}
}
