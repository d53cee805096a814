package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/cache/disk"
	tilehttp "tileserver/http"
	"tileserver/http/admin"
	"tileserver/http/answer"
	"tileserver/http/serve"
	"tileserver/http/servertest"
	"tileserver/layer"
	"tileserver/raster"
)

// newSlowlyReadCatalog returns a catalog with layer "large", which has no overviews, and whose blocks
// each take a time. It saves overviews; nil does not.
func newSlowlyReadCatalog(t *testing.T, width, height int, perBlock time.Duration, saved *disk.Groups) *layer.Catalog {
	t.Helper()
	source := servertest.Colors("large@1", width, height)
	source.Before = func(_ context.Context, _ int, ids []raster.BlockID, _ []int) error {
		time.Sleep(time.Duration(len(ids)) * perBlock)
		return nil
	}
	catalog := layer.NewCatalog(layer.CatalogConfig{
		Cache: cache.New(64 << 20), SavedOverviews: saved, Gate: admission.New(admission.Config{Cheap: 2, Dear: 2, Queue: 10}),
	})
	err := catalog.Add(t.Context(), layer.Config{ID: "large", MaxInlineOverviewBytes: 1000, Open: func(context.Context) (*layer.Dataset, error) {
		return &layer.Dataset{Provider: source, Identity: "identity", Close: func() error { return nil }}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return catalog
}

// While the overviews of a layer are built, clients get a Retry-After and operators the progress.
func TestOverviewsBeingBuilt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		catalog := newSlowlyReadCatalog(t, 700, 520, 5*time.Second, nil)
		defer catalog.Close()
		metrics := tilehttp.NewMetrics(tilehttp.MetricsConfig{Registry: prometheus.NewRegistry(), Catalog: catalog})
		server := &servertest.Server{Catalog: catalog, Handler: tilehttp.NewHandler(tilehttp.Config{Config: serve.Config{Catalog: catalog}})}
		admin := tilehttp.NewAdminHandler(tilehttp.AdminConfig{Config: admin.Config{Catalog: catalog}, Metrics: metrics, Hosts: []string{"example.com"}})

		got := server.Get(t, "/layers/large/preview.png?max_size=100")
		if code, message := servertest.ErrorOf(t, got); got.Code != http.StatusServiceUnavailable || code != "busy" || !strings.Contains(message, "overviews") {
			t.Errorf("a picture is %d %s: %s", got.Code, code, message)
		}
		if after := got.Header().Get("Retry-After"); after == "" || after == "0" {
			t.Errorf("Retry-After is %q", after)
		}
		progress := func() *struct{ Progress float64 } {
			return servertest.DecodeJSON[struct {
				Overviews *struct{ Progress float64 }
			}](t, server.Get(t, "/layers/large")).Overviews
		}
		if p := progress(); p == nil || p.Progress < 0 || p.Progress > 1 {
			t.Errorf("the layer's progress is %v", p)
		}
		scrape := httptest.NewRecorder()
		admin.ServeHTTP(scrape, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		for _, line := range []string{"tileserver_overviews_building 1", `tileserver_overviews_progress_ratio{layer="large"}`} {
			if !strings.Contains(scrape.Body.String(), line) {
				t.Errorf("the metrics lack %s", line)
			}
		}
		time.Sleep(time.Hour)
		if got := server.Get(t, "/layers/large/preview.png?max_size=100"); got.Code != http.StatusOK {
			t.Errorf("afterwards, a picture: status %d: %s", got.Code, got.Body)
		}
		if p := progress(); p != nil {
			t.Errorf("afterwards, the layer's progress is %v", p)
		}
	})
}

// A large answer takes its bytes when the overviews are there, and a client that wants to wait for
// longer than a request may is told the progress.
func TestWaitingForOverviewsTakesNoBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		catalog := newSlowlyReadCatalog(t, 5000, 4000, time.Second/5, nil)
		defer catalog.Close()
		sending := answer.NewSending(answer.SendingConfig{MaxBytes: 12 << 20})
		server := &servertest.Server{Catalog: catalog, Handler: tilehttp.NewHandler(tilehttp.Config{
			Config: serve.Config{Catalog: catalog}, Sending: sending, RequestTimeout: 30 * time.Second,
		})}
		began := time.Now()
		const view = "/layers/large/view.png?crs=image&bbox=0,0,5000,4000"
		if got := server.Get(t, view+"&width=2000&height=1600"); got.Code != http.StatusRequestEntityTooLarge || len(catalog.OverviewProgress()) > 0 {
			t.Errorf("an answer that is too large has status %d and starts %v", got.Code, catalog.OverviewProgress())
		}
		var asked sync.WaitGroup
		for query, want := range map[string]time.Duration{"": 20 * time.Second, "&wait=3600": 27 * time.Second} {
			asked.Go(func() {
				got := server.Get(t, view+"&width=1000&height=800"+query)
				if code, message := servertest.ErrorOf(t, got); code != "busy" || !strings.Contains(message, "are being built") || time.Since(began) != want {
					t.Errorf("%q: after %v: status %d %s: %s", query, time.Since(began), got.Code, code, message)
				}
			})
		}
		synctest.Wait()
		if got := sending.Stats(); got.UsedBytes != 0 || len(catalog.OverviewProgress()) != 1 {
			t.Errorf("while overviews are built, %+v", got)
		}
		asked.Wait()
		time.Sleep(time.Hour) // the build ends
	})
}

// Nor do bytes wait after a restart, when only loading the saved overviews shows that a nodata value
// needs some of its own. The client waits as long as it wants to.
func TestWaitingForOverviewsTakesNoBytesAfterARestart(t *testing.T) {
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		openGroups := func() *disk.Groups {
			saved, err := disk.OpenGroups(disk.GroupsConfig{Folder: folder, MaxBytes: 256 << 20, OnFailure: func(err error) { t.Error(err) }})
			if err != nil {
				t.Fatal(err)
			}
			return saved
		}
		const view = "/layers/large/view.png?crs=image&bbox=0,0,5000,4000"
		before := newSlowlyReadCatalog(t, 5000, 4000, time.Second/5, openGroups())
		server := &servertest.Server{Catalog: before, Handler: tilehttp.NewHandler(tilehttp.Config{Config: serve.Config{Catalog: before}})}
		sizes := []string{"&width=600&height=480", "&width=100&height=80"}
		for _, size := range sizes {
			server.Get(t, view+size)
			time.Sleep(time.Hour) // the build ends
		}
		before.Close()

		catalog := newSlowlyReadCatalog(t, 5000, 4000, time.Second/5, openGroups())
		defer catalog.Close()
		sending := answer.NewSending(answer.SendingConfig{MaxBytes: 12 << 20})
		server = &servertest.Server{Catalog: catalog, Handler: tilehttp.NewHandler(tilehttp.Config{
			Config: serve.Config{Catalog: catalog}, Sending: sending, RequestTimeout: 30 * time.Second,
		})}
		began := time.Now()
		var asked sync.WaitGroup
		for _, size := range sizes {
			asked.Go(func() {
				got := server.Get(t, view+size+"&nodata=60&wait=3600")
				if code, message := servertest.ErrorOf(t, got); code != "busy" || !strings.Contains(message, "are being built") || time.Since(began) != 27*time.Second {
					t.Errorf("%s: after %v: status %d %s: %s", size, time.Since(began), got.Code, code, message)
				}
			})
		}
		synctest.Wait()
		if got := sending.Stats(); got.UsedBytes != 0 || len(catalog.OverviewProgress()) != 1 {
			t.Errorf("while overviews are built, %+v", got)
		}
		asked.Wait()
		time.Sleep(time.Hour) // the build ends
	})
}

// A client that does not wait gets a response at once, as do requests for the layer and the list.
func TestWaitForOverviews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		catalog := newSlowlyReadCatalog(t, 1500, 1100, time.Second, nil)
		defer catalog.Close()
		server := &servertest.Server{Catalog: catalog, Handler: tilehttp.NewHandler(tilehttp.Config{Config: serve.Config{Catalog: catalog}})}
		type state struct {
			Making   bool
			Progress float64
		}
		ofLayer := func() *state {
			return servertest.DecodeJSON[struct{ Overviews *state }](t, server.Get(t, "/layers/large")).Overviews
		}
		ofList := func() *state {
			return servertest.DecodeJSON[struct{ Layers []struct{ Overviews *state } }](t, server.Get(t, "/layers")).Layers[0].Overviews
		}
		if s := ofLayer(); s == nil || s.Making || s.Progress != 0 {
			t.Errorf("before any picture, the overview state is %+v", s)
		}
		if s := ofList(); s != nil {
			t.Errorf("before any picture, the list says %+v", s)
		}
		const preview = "/layers/large/preview.png?max_size=100"
		for _, test := range []struct {
			wait string
			took time.Duration
		}{{"0", 0}, {"3", 3 * time.Second}} {
			begun := time.Now()
			got := server.Get(t, preview+"&wait="+test.wait)
			if code, _ := servertest.ErrorOf(t, got); got.Code != http.StatusServiceUnavailable || code != "busy" || got.Header().Get("Retry-After") == "" || time.Since(begun) != test.took {
				t.Errorf("wait=%s: status %d after %v", test.wait, got.Code, time.Since(begun))
			}
		}
		first := ofList()
		if s := ofLayer(); s == nil || !s.Making || first == nil || !first.Making {
			t.Fatalf("during building, the overview state is %+v, in the list %+v", s, first)
		}
		time.Sleep(time.Minute)
		if s := ofList(); s == nil || s.Progress <= first.Progress {
			t.Errorf("after %+v the list says %+v", first, s)
		}
		if got := server.Get(t, "/layers/large/view.png?crs=image&bbox=0,0,90,60&width=90&height=60&wait=0"); got.Code != http.StatusOK {
			t.Errorf("a picture without overviews: status %d: %s", got.Code, got.Body)
		}
		time.Sleep(time.Hour)
		if got := server.Get(t, preview+"&wait=0"); got.Code != http.StatusOK {
			t.Errorf("afterwards, a picture: status %d: %s", got.Code, got.Body)
		}
		if s := ofLayer(); s != nil {
			t.Errorf("afterwards, the overviews are %+v", s)
		}
		for _, wait := range []string{"-1", "soon", "1e9", "1.5"} {
			if got := server.Get(t, preview+"&wait="+wait); got.Code != http.StatusBadRequest {
				t.Errorf("wait=%s: status %d", wait, got.Code)
			}
		}
	})
}
