package http_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tilehttp "tileserver/http"
	"tileserver/http/serve"
	"tileserver/http/servertest"
	"tileserver/layer"
	"tileserver/raster"
)

// Documents of all layers are written once for all clients until something changes.
func TestDocumentsOfAllLayersAreWrittenOnce(t *testing.T) {
	for _, path := range []string{"/layers", capabilitiesPath, "/tms/1.0.0/", "/wmts?service=WMTS&request=GetCapabilities"} {
		server := servertest.New(t, nil)
		first := server.Get(t, path)
		other := path + "?other=1"
		if strings.Contains(path, "?") {
			other = path + "&other=1"
		}
		for _, again := range []*httptest.ResponseRecorder{server.Get(t, path), server.Get(t, other), server.GetEncoded(path, "gzip", ""), server.GetEncoded(path, "", first.Header().Get("ETag"))} {
			if again.Code != http.StatusOK && again.Code != http.StatusNotModified {
				t.Errorf("revalidation of %s: status %d", path, again.Code)
			}
		}
		if made := server.WrittenDocuments(t); made != 1 {
			t.Errorf("%s was written %d times", path, made)
		}
		s := servertest.Scenes(t)[0]
		s.Config.ID = "another"
		server.Add(t, s)
		if got := server.Get(t, path); !strings.Contains(got.Body.String(), "another") || got.Header().Get("ETag") == first.Header().Get("ETag") {
			t.Errorf("%s lacks a new layer", path)
		}
	}
}

// Documents for different hosts, queries and media types are cached separately.
func TestCachedDocumentsAreNotMixedUp(t *testing.T) {
	server := servertest.New(t, nil)
	for _, path := range []string{"/layers", capabilitiesPath, "/tms/1.0.0/"} {
		for _, host := range []string{"one.example", "other.example", "one.example"} {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.Host = host
			got := server.Do(r).Body.String()
			if !strings.Contains(got, "http://"+host+"/") || strings.Count(got, ".example/") != strings.Count(got, "http://"+host+"/") {
				t.Errorf("%s at %s: addresses of another host", path, host)
			}
		}
	}
	whole, part := server.Get(t, "/wmts?service=WMTS&request=GetCapabilities"), server.Get(t, "/wmts?service=WMTS&request=GetCapabilities&sections=ServiceProvider")
	if !strings.Contains(whole.Body.String(), "<Layer>") || strings.Contains(part.Body.String(), "<Layer>") {
		t.Error("a search and the whole list share a document")
	}
	xml, text := server.GetAs(capabilitiesPath, "application/xml"), server.GetAs(capabilitiesPath, "text/xml")
	if text.Header().Get("Content-Type") != "text/xml" || xml.Header().Get("ETag") == text.Header().Get("ETag") {
		t.Errorf("type %s: validator %s", text.Header().Get("Content-Type"), text.Header().Get("ETag"))
	}
}

// Handlers with different configurations may share a catalog and its documents.
func TestDocumentsFollowTheConfiguration(t *testing.T) {
	server := servertest.New(t, nil)
	server.Get(t, "/layers")
	for _, title := range []string{"First", "Second"} {
		server.Handler = tilehttp.NewHandler(tilehttp.Config{Config: serve.Config{Catalog: server.Catalog, Documents: server.Documents, Service: serve.Service{Title: title}}})
		for _, path := range []string{capabilitiesPath, "/tms/1.0.0/"} {
			if body := server.Get(t, path).Body.String(); !strings.Contains(body, "Title>"+title+"</") {
				t.Errorf("%s is not titled %s: %.600s", path, title, body)
			}
		}
	}
	server.Handler = tilehttp.NewHandler(tilehttp.Config{Config: serve.Config{Catalog: server.Catalog, Documents: server.Documents, Versioned: true}})
	if body := server.Get(t, "/layers").Body.String(); !strings.Contains(body, "{y}.png?v=") {
		t.Errorf("the addresses of tiles have no version: %.600s", body)
	}
}

// A request for a document alone detects that a file has changed.
func TestDocumentRequestDetectsChangedFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := servertest.New(t, nil)
		var version atomic.Int64
		open := func(context.Context) (*layer.Dataset, error) {
			mine := version.Load()
			return &layer.Dataset{
				Provider: servertest.Colors(fmt.Sprint("changing@", mine), 600+int(mine), 400), Close: func() error { return nil },
				IsCurrent: func() bool { return version.Load() == mine },
			}, nil
		}
		if err := server.Catalog.Add(t.Context(), layer.Config{ID: "changing", Open: open}); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/layers", capabilitiesPath, "/tms/1.0.0/", "http://example.com/ogc/map?width=5", "http://example.com/ogc/tileMatrixSets"} {
			server.Get(t, path)
			before := server.Catalog.ChangedAt()
			version.Add(1)
			time.Sleep(2 * time.Second)
			server.Get(t, path)
			if !server.Catalog.ChangedAt().After(before) {
				t.Errorf("%s does not show the changed file", path)
			}
		}
	})
}

// A picture that turns out to be of the next version must not be immutable at the old address.
func TestPictureOfTheNextVersionIsNotImmutable(t *testing.T) {
	server := servertest.New(t, versioned)
	versions := 0
	open := func(context.Context) (*layer.Dataset, error) {
		versions++
		provider := servertest.Colors(fmt.Sprint("replaced@", versions), 601, 499)
		if versions == 1 {
			provider = servertest.Failing("replaced@1", func() error { return raster.ErrChanged })
		}
		return &layer.Dataset{Provider: provider, Close: func() error { return nil }}, nil
	}
	if err := server.Catalog.Add(t.Context(), layer.Config{ID: "replaced", Open: open}); err != nil {
		t.Fatal(err)
	}
	tiles := func() string {
		address := servertest.DecodeJSON[servertest.LayerDocument](t, server.Get(t, "/layers/replaced")).Links.Tiles
		return strings.NewReplacer("{z}", "0", "{x}", "0", "{y}", "0").Replace(strings.TrimPrefix(address, "http://example.com"))
	}
	address := tiles()
	if got := server.Get(t, address); got.Code != http.StatusOK || got.Header().Get("Cache-Control") != servertest.CacheControl || versions != 2 {
		t.Errorf("%s: status %d, Cache-Control %q", address, got.Code, got.Header().Get("Cache-Control"))
	}
	if next := tiles(); next == address || !strings.Contains(server.Get(t, next).Header().Get("Cache-Control"), "immutable") {
		t.Errorf("the next version is at %s", next)
	}
}
