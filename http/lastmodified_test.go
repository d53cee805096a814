package http_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/http/servertest"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/raster"
)

func TestLastModified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := servertest.New(t, nil)
		path := "/layers/map/preview.tif?max_size=20"
		time.Sleep(300 * time.Millisecond)
		if got := server.Get(t, path).Header().Get("Last-Modified"); got != "" {
			t.Errorf("within the second of a change, Last-Modified is %q", got)
		}
		time.Sleep(5 * time.Second)
		first := server.Get(t, path)
		date, etag := first.Header().Get("Last-Modified"), first.Header().Get("ETag")
		if parsed, err := http.ParseTime(date); err != nil || parsed.After(time.Now()) {
			t.Fatalf("Last-Modified is %q: %v", date, err)
		}
		for _, requested := range []string{"bytes=0-9", "bytes=0-9,30-39"} {
			if got := server.Send(http.MethodGet, path, "Range", requested); got.Code != http.StatusPartialContent || got.Header().Get("Last-Modified") != date {
				t.Errorf("%s: status %d, Last-Modified %q, of the whole %q", requested, got.Code, got.Header().Get("Last-Modified"), date)
			}
		}
		later := time.Now().UTC().Format(http.TimeFormat)
		check := func(state string, wantCached int) {
			t.Helper()
			for _, test := range []struct {
				name    string
				headers []string
				want    int
			}{
				{"the date", []string{"If-Modified-Since", date}, wantCached},
				{"the date, and another ETag", []string{"If-Modified-Since", date, "If-None-Match", `"other"`}, http.StatusOK},
				{"another date, and the ETag", []string{"If-Modified-Since", "Sat, 01 Jan 2000 00:00:00 GMT", "If-None-Match", etag}, http.StatusNotModified},
				{"a later date", []string{"If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT"}, http.StatusOK},
				{"no date", []string{"If-Modified-Since", "yesterday"}, http.StatusOK},
			} {
				if got := server.Send(http.MethodGet, path, test.headers...); got.Code != test.want {
					t.Errorf("%s, %s: status %d, want %d", state, test.name, got.Code, test.want)
				}
			}
		}
		check("unchanged", http.StatusNotModified)
		if got := server.Send(http.MethodGet, path, "If-Range", date, "Range", "bytes=0-9"); got.Code != http.StatusPartialContent {
			t.Errorf("If-Range with the date is %d", got.Code)
		}

		// After adding or removing a layer it is unknown which pictures have changed.
		layers := server.Catalog.Layers()
		if err := server.Catalog.Serve(slices.Delete(layers, len(layers)-1, len(layers))); err != nil {
			t.Fatal(err)
		}
		check("just changed", http.StatusOK)
		time.Sleep(3 * time.Second)
		check("changed", http.StatusOK)
		if got := server.Send(http.MethodGet, path, "If-Range", date, "Range", "bytes=0-9"); got.Code != http.StatusOK {
			t.Errorf("If-Range with an old date is %d", got.Code)
		}
		if got := server.Send(http.MethodGet, path, "If-Unmodified-Since", date); got.Code != http.StatusPreconditionFailed {
			t.Errorf("If-Unmodified-Since with an old date is %d", got.Code)
		}
		if got := server.Send(http.MethodGet, path, "If-Unmodified-Since", later); got.Code != http.StatusPreconditionFailed {
			t.Errorf("If-Unmodified-Since with the time of the change is %d", got.Code)
		}
	})
}

// The request that detects a changed file is answered like later ones. The date from before must
// not validate the new file.
func TestDateOfRequestThatDetectsChange(t *testing.T) {
	for _, test := range []struct {
		header string
		want   int
	}{
		{"If-Modified-Since", http.StatusOK},
		{"If-Range", http.StatusOK},
		{"If-Unmodified-Since", http.StatusPreconditionFailed},
	} {
		synctest.Test(t, func(t *testing.T) {
			server := servertest.New(t, nil)
			replace := addReplaceable(t, server)
			time.Sleep(5 * time.Second)
			path := "/layers/replaceable/preview.tif?max_size=20"
			first := server.Get(t, path)
			date := first.Header().Get("Last-Modified")
			replace()
			time.Sleep(5 * time.Second)
			headers := []string{test.header, date}
			if test.header == "If-Range" {
				headers = append(headers, "Range", "bytes=0-9")
			}
			got := server.Send(http.MethodGet, path, headers...)
			if date == "" || got.Code != test.want || got.Header().Get("ETag") == first.Header().Get("ETag") || got.Header().Get("Last-Modified") == date {
				t.Errorf("%s: %q: status %d, want %d; headers %v", test.header, date, got.Code, test.want, got.Header())
			}
		})
	}
}

// addReplaceable adds the layer "replaceable" and returns a function that replaces its file.
func addReplaceable(t *testing.T, server *servertest.Server) (replace func()) {
	t.Helper()
	var version atomic.Int64
	open := func(context.Context) (*layer.Dataset, error) {
		mine := version.Load()
		return &layer.Dataset{
			Provider: servertest.Colors(fmt.Sprint("replaceable@", mine), 600+int(mine), 400), Close: func() error { return nil },
			IsCurrent: func() bool { return version.Load() == mine },
		}, nil
	}
	if err := server.Catalog.Add(t.Context(), layer.Config{ID: "replaceable", Open: open}); err != nil {
		t.Fatal(err)
	}
	return func() { version.Add(1) }
}

// A file may be replaced during rendering. A client that demands the old version must not get the
// new.
func TestIfMatchWhenFileIsReplaced(t *testing.T) {
	server := servertest.New(t, nil)
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
	l, err := server.Catalog.Layer("replaced")
	if err != nil {
		t.Fatal(err)
	}
	composition, err := server.Catalog.Prepare(layer.Request{Layer: l, Area: areas.Preview{MaxSize: 20}, Format: layer.GeoTIFF})
	if err != nil {
		t.Fatal(err)
	}
	got := server.Send(http.MethodGet, "/layers/replaced/preview.tif?max_size=20", "If-Match", `"`+composition.Key()+`"`, "Range", "bytes=0-9")
	if got.Code != http.StatusPreconditionFailed || versions != 2 {
		t.Errorf("status %d of version %d, want %d of version 2: %v", got.Code, versions, http.StatusPreconditionFailed, got.Header())
	}
}
