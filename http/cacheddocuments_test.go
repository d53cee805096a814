package http_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tilehttp "tileserver/http"
	"tileserver/http/serve"
	"tileserver/layer"
	"tileserver/raster"
)

// writtenDocuments returns how many documents were written because none was cached.
func writtenDocuments(t testing.TB, w *world) int {
	t.Helper()
	for _, space := range w.catalog.Stats().Cache.Spaces {
		if space.Name == "documents" {
			return int(space.Misses)
		}
	}
	t.Fatal("no cache space for documents")
	return 0
}

// Documents of all layers are written once for all clients until something changes.
func TestDocumentsOfAllLayersAreWrittenOnce(t *testing.T) {
	for _, path := range []string{"/layers", metadataPath, "/tms/1.0.0/", "/wmts?service=WMTS&request=GetCapabilities"} {
		w := newWorld(t, nil)
		first := w.get(t, path)
		other := path + "?other=1"
		if strings.Contains(path, "?") {
			other = path + "&other=1"
		}
		for _, again := range []*httptest.ResponseRecorder{w.get(t, path), w.get(t, other), w.getEncoded(path, "gzip", ""), w.getEncoded(path, "", first.Header().Get("ETag"))} {
			if again.Code != http.StatusOK && again.Code != http.StatusNotModified {
				t.Errorf("revalidation of %s: status %d", path, again.Code)
			}
		}
		if made := writtenDocuments(t, w); made != 1 {
			t.Errorf("%s was written %d times", path, made)
		}
		s := scenes(t)[0]
		s.config.ID = "another"
		w.add(t, s)
		if got := w.get(t, path); !strings.Contains(got.Body.String(), "another") || got.Header().Get("ETag") == first.Header().Get("ETag") {
			t.Errorf("%s lacks a new layer", path)
		}
	}
}

// Documents for different hosts, queries and media types are cached separately.
func TestCachedDocumentsAreNotMixedUp(t *testing.T) {
	w := newWorld(t, nil)
	for _, path := range []string{"/layers", metadataPath, "/tms/1.0.0/"} {
		for _, host := range []string{"one.example", "other.example", "one.example"} {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.Host = host
			got := w.do(r).Body.String()
			if !strings.Contains(got, "http://"+host+"/") || strings.Count(got, ".example/") != strings.Count(got, "http://"+host+"/") {
				t.Errorf("%s at %s: addresses of another host", path, host)
			}
		}
	}
	whole, part := w.get(t, "/wmts?service=WMTS&request=GetCapabilities"), w.get(t, "/wmts?service=WMTS&request=GetCapabilities&sections=ServiceProvider")
	if !strings.Contains(whole.Body.String(), "<Layer>") || strings.Contains(part.Body.String(), "<Layer>") {
		t.Error("a search and the whole list share a document")
	}
	xml, text := w.ask(metadataPath, "application/xml"), w.ask(metadataPath, "text/xml")
	if text.Header().Get("Content-Type") != "text/xml" || xml.Header().Get("ETag") == text.Header().Get("ETag") {
		t.Errorf("type %s: validator %s", text.Header().Get("Content-Type"), text.Header().Get("ETag"))
	}
}

// Handlers with different configurations may share a catalog and its documents.
func TestDocumentsFollowTheConfiguration(t *testing.T) {
	w := newWorld(t, nil)
	w.get(t, "/layers")
	for _, title := range []string{"First", "Second"} {
		w.handler = tilehttp.NewHandler(tilehttp.Config{Config: serve.Config{Catalog: w.catalog, Documents: w.documents, Service: serve.Service{Title: title}}})
		for _, path := range []string{metadataPath, "/tms/1.0.0/"} {
			if body := w.get(t, path).Body.String(); !strings.Contains(body, "Title>"+title+"</") {
				t.Errorf("%s is not titled %s: %.600s", path, title, body)
			}
		}
	}
	w.handler = tilehttp.NewHandler(tilehttp.Config{Config: serve.Config{Catalog: w.catalog, Documents: w.documents, Versioned: true}})
	if body := w.get(t, "/layers").Body.String(); !strings.Contains(body, "{y}.png?v=") {
		t.Errorf("the addresses of tiles have no version: %.600s", body)
	}
}

// A request for a document alone detects that a file has changed.
func TestDocumentRequestDetectsChangedFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		var version atomic.Int64
		open := func(context.Context) (*layer.Dataset, error) {
			mine := version.Load()
			return &layer.Dataset{
				Provider: colors(fmt.Sprint("changing@", mine), 600+int(mine), 400), Close: func() error { return nil },
				IsCurrent: func() bool { return version.Load() == mine },
			}, nil
		}
		if err := w.catalog.Add(t.Context(), layer.Config{ID: "changing", Open: open}); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/layers", metadataPath, "/tms/1.0.0/", ogcRoot + "/map?width=5", ogcRoot + "/tileMatrixSets"} {
			w.get(t, path)
			before := w.catalog.ChangedAt()
			version.Add(1)
			time.Sleep(2 * time.Second)
			w.get(t, path)
			if !w.catalog.ChangedAt().After(before) {
				t.Errorf("%s does not show the changed file", path)
			}
		}
	})
}

// A picture that turns out to be of the next version must not be immutable at the old address.
func TestPictureOfTheNextVersionIsNotImmutable(t *testing.T) {
	w := newWorld(t, versioned)
	versions := 0
	open := func(context.Context) (*layer.Dataset, error) {
		versions++
		provider := colors(fmt.Sprint("replaced@", versions), 601, 499)
		if versions == 1 {
			provider = failing("replaced@1", func() error { return raster.ErrChanged })
		}
		return &layer.Dataset{Provider: provider, Close: func() error { return nil }}, nil
	}
	if err := w.catalog.Add(t.Context(), layer.Config{ID: "replaced", Open: open}); err != nil {
		t.Fatal(err)
	}
	tiles := func() string {
		address := decodeJSON[layerDocument](t, w.get(t, "/layers/replaced")).Links.Tiles
		return strings.NewReplacer("{z}", "0", "{x}", "0", "{y}", "0").Replace(strings.TrimPrefix(address, "http://example.com"))
	}
	address := tiles()
	if got := w.get(t, address); got.Code != http.StatusOK || got.Header().Get("Cache-Control") != serve.DefaultCacheControl || versions != 2 {
		t.Errorf("%s: status %d, Cache-Control %q", address, got.Code, got.Header().Get("Cache-Control"))
	}
	if next := tiles(); next == address || !strings.Contains(w.get(t, next).Header().Get("Cache-Control"), "immutable") {
		t.Errorf("the next version is at %s", next)
	}
}

// The memory for a tile of the dataset does not grow with the number of layers.
func TestTilesOfALargeDatasetAllocateLittle(t *testing.T) {
	w := crowd(t, 400)
	const path, requests, most = ogcRoot + "/map/tiles/WebMercatorQuad/12/0/0?f=png", 20, 32 << 10
	if got := w.ask(path, ""); got.Code != http.StatusNotFound {
		t.Fatalf("got %d", got.Code)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range requests {
		w.ask(path, "")
	}
	runtime.ReadMemStats(&after)
	if bytes := (after.TotalAlloc - before.TotalAlloc) / requests; bytes > most {
		t.Errorf("a missing tile allocates %d bytes", bytes)
	}
}
