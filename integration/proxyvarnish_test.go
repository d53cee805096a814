package integration

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// behindVarnish starts replicas behind Varnish with the configuration configs/default.vcl.
func behindVarnish(t *testing.T, options ...string) *front {
	t.Helper()
	varnish := find(t, "varnishd")
	f := behind(t, options...)
	address := f.listen(t)
	replaced := make([]replacement, len(f.replicas))
	for i, port := range []string{"8080", "8090"} {
		_, own, _ := strings.Cut(f.replicaAddress(i), ":")
		replaced[i] = replacement{`.port = "` + port + `"`, 1, `.port = "` + own + `"`}
	}
	vcl := example(t, "default.vcl", replaced...)
	runProgram(t, f.isUp(t), varnish, "-F", "-j", "none", "-n", t.TempDir(), "-a", address, "-f", vcl, "-s", "malloc,64M")
	return f
}

func TestVarnishLinksLeadThroughIt(t *testing.T) {
	testLinks(t, behindVarnish(t))
}

func TestVarnishServesThePathOnly(t *testing.T) {
	testServesThePathOnly(t, behindVarnish(t), http.StatusPermanentRedirect)
}

func TestVarnishCachesPictures(t *testing.T) {
	f := behindVarnish(t)
	tile := "/tiles/colors/" + cornerTile + ".png"
	first := f.get(t, tile)
	wantCacheStatus(t, "the first time", first, 200, "MISS")
	second := f.get(t, tile)
	wantCacheStatus(t, "the second time", second, 200, "HIT")
	if !bytes.Equal(first.body, second.body) {
		t.Error("Varnish caches another picture than it received")
	}
	head := f.ask(t, http.MethodHead, tile, nil)
	wantCacheStatus(t, "HEAD", head, 200, "HIT")
	if got, want := head.header.Get("Content-Length"), fmt.Sprint(len(first.body)); got != want {
		t.Errorf("HEAD promises %s bytes, want %s", got, want)
	}
	if a := f.ask(t, http.MethodGet, tile, http.Header{"If-None-Match": {first.header.Get("ETag")}}); a.status != http.StatusNotModified {
		t.Errorf("revalidation of a picture: status %d, want 304", a.status)
	}
	document := f.get(t, "/layers")
	if a := f.ask(t, http.MethodGet, "/layers", http.Header{"If-None-Match": {document.header.Get("ETag")}}); a.status != http.StatusNotModified {
		t.Errorf("revalidation of a document: status %d, want 304", a.status)
	}
	for path, status := range map[string]int{"/layers": 200, "/tiles/none/0/0/0.png": 404, "/tiles/colors/0/0/0.png?bidx=77": 400} {
		for range 2 {
			wantCacheStatus(t, path, f.ask(t, http.MethodGet, path, nil), status, "MISS")
		}
	}
}

// Of all the Accept headers of browsers, only WebP support selects another picture.
func TestVarnishCachesEachNegotiatedFormat(t *testing.T) {
	f := behindVarnish(t)
	const tile, ogc = "/tiles/colors/" + cornerTile, "/ogc/collections/colors/map/tiles/WebMercatorQuad/12/1340/2200"
	for _, test := range []struct{ path, accept, cache, mime string }{
		{tile + ".auto", "image/avif,image/webp,*/*", "MISS", "image/webp"},
		{tile + ".auto", "image/webp;q=0.8", "HIT", "image/webp"},
		{tile + ".auto", "image/png,*/*", "MISS", "image/jpeg"},
		{tile + ".auto", "image/webp;q=0, */*", "HIT", "image/jpeg"},
		{tile, "image/webp", "MISS", "image/webp"},
		{tile + "?quality=80", "image/webp,*/*", "MISS", "image/webp"},
		{tile + "?quality=80", "image/webp", "HIT", "image/webp"},
		{ogc, "image/webp", "MISS", "image/webp"},
		{ogc, "image/png", "MISS", "image/png"},
		{ogc, "image/png", "HIT", "image/png"},
	} {
		a := f.ask(t, http.MethodGet, test.path, http.Header{"Accept": {test.accept}})
		wantCacheStatus(t, test.path+" "+test.accept, a, 200, test.cache)
		if got := a.header.Get("Content-Type"); got != test.mime {
			t.Errorf("%s with Accept %s is %s, want %s", test.path, test.accept, got, test.mime)
		}
	}
}

func TestVarnishSendsATileToOneReplica(t *testing.T) {
	skipWithoutInterrupt(t)
	f := behindVarnish(t)
	served := make([]int, len(f.replicas))
	for _, path := range placesOfTiles() {
		replica := f.servedBy(t, f.get(t, path))
		served[replica]++
		for _, again := range []string{path + "?resampling=nearest", strings.Replace(path, ".png", "@2x.webp", 1)} {
			if other := f.servedBy(t, f.get(t, again)); other != replica {
				t.Errorf("%s is rendered by replica %d, and %s by %d", path, replica, again, other)
			}
		}
	}
	if served[0] < 5 || served[1] < 5 {
		t.Errorf("the replicas render %v tiles", served)
	}
	if err := f.replicas[0].stop(); err != nil {
		t.Fatal(err)
	}
	for _, path := range placesOfTiles() {
		path += "?resampling=cubic"
		if by := f.servedBy(t, f.get(t, path)); by != 1 {
			t.Errorf("%s comes from replica %d, which has ended", path, by)
		}
	}
}

func TestVarnishServesStalePicturesWithoutReplicas(t *testing.T) {
	t.Parallel() // it waits until a picture is stale
	skipWithoutInterrupt(t)
	f := behindVarnish(t, "--cache-control", "public, max-age=1, stale-while-revalidate=600")
	tile := "/tiles/colors/" + cornerTile + ".png"
	f.get(t, tile)
	eventually(t, "Varnish revalidates by the ETag", func() bool {
		f.get(t, tile)
		return strings.Contains(f.replicas[0].log.String()+f.replicas[1].log.String(), "status=304")
	})
	for _, replica := range f.replicas {
		if err := replica.stop(); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "a stale picture is served", func() bool { return f.get(t, tile).header.Get("Age") > "1" })
}
