// Package servertest runs the server over synthetic layers, for the tests of package http and of
// the protocols below it. A test builds a Server, asks it by Get or another of its methods, and
// parses the response with a function such as DecodeJSON. The package owns the layers that these
// tests share. It must never know what a protocol answers; the tests of the protocol do.
package servertest

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/display/picture"
	"tileserver/geo"
	"tileserver/gpu/gather"
	"tileserver/gpu/route"
	tilehttp "tileserver/http"
	"tileserver/http/admin"
	"tileserver/http/documents"
	"tileserver/http/serve"
	"tileserver/layer"
	"tileserver/raster/rastertest"
)

// Server is a catalog of synthetic layers with its handler.
type Server struct {
	Catalog   *layer.Catalog
	Documents *documents.Cache
	Handler   http.Handler
	Providers map[string]*rastertest.Synthetic // by the ids of their layers
}

// CacheControl is sent with pictures, unless a test configures another value.
const CacheControl = "public, max-age=300"

// New serves the layers of Scenes. change may modify the configurations.
func New(t testing.TB, change func(*layer.CatalogConfig, *tilehttp.Config)) *Server {
	t.Helper()
	shared := layer.CatalogConfig{Cache: cache.New(64 << 20), Gate: admission.New(admission.Config{Cheap: 2, Dear: 2, Queue: 100}), Encoder: new(picture.Encoder)}
	var config tilehttp.Config
	if change != nil {
		change(&shared, &config)
	}
	return newServer(t, shared, config, Scenes(t))
}

// Serve serves the given scenes only. change may modify the configuration.
func Serve(t testing.TB, change func(*tilehttp.Config), scenes ...Scene) *Server {
	t.Helper()
	shared := layer.CatalogConfig{Cache: cache.New(64 << 20), Gate: admission.New(admission.Config{Cheap: 2, Dear: 2, Queue: 100})}
	var config tilehttp.Config
	if change != nil {
		change(&config)
	}
	return newServer(t, shared, config, scenes)
}

func newServer(t testing.TB, shared layer.CatalogConfig, config tilehttp.Config, scenes []Scene) *Server {
	t.Helper()
	s := &Server{
		Catalog:   layer.NewCatalog(shared),
		Documents: documents.NewCache(shared.Cache, shared.Gate),
		Providers: make(map[string]*rastertest.Synthetic),
	}
	for _, scene := range scenes {
		s.Add(t, scene)
	}
	config.Catalog, config.Documents = s.Catalog, s.Documents
	config.CacheControl = cmp.Or(config.CacheControl, CacheControl)
	s.Handler = tilehttp.NewHandler(config)
	return s
}

// NewDamaged serves the layers of Scenes and the damaged one.
func NewDamaged(t testing.TB) *Server {
	t.Helper()
	s := New(t, nil)
	s.Add(t, Damaged())
	return s
}

// NewObserved returns a server with metrics, and its listener for operators.
func NewObserved(t testing.TB, ready func(context.Context) error) (public, operators *Server) {
	t.Helper()
	public = New(t, nil)
	device := func() admin.DeviceStats {
		return admin.DeviceStats{
			IsReady: true, Starts: 2, Failures: 1,
			Gathered: gather.Stats{
				Offers: map[gather.Outcome]int64{{Place: route.Device, Why: route.Faster}: 5, {Place: route.Cores, Why: route.Slower}: 6},
				Work:   map[string]gather.Work{"test": {Batches: 4, Failed: 1, Jobs: 4000}},
			},
			Estimates: []route.Estimate{{Kernel: "test", Work: 100, OnDevice: time.Second, OnCores: 3 * time.Second, BreakEven: 20}},
		}
	}
	metrics := tilehttp.NewMetrics(tilehttp.MetricsConfig{
		Registry: prometheus.NewRegistry(), Catalog: public.Catalog, Device: device,
		Origins: func() []tilehttp.OriginStats {
			return []tilehttp.OriginStats{{Origin: "https://example.org", Requests: 9, Retries: 2, Hedges: 1, Slowdowns: 3, Bytes: 7000, Limit: 16}}
		},
		Decoding: func() tilehttp.DecodingStats {
			return tilehttp.DecodingStats{Decoded: 42, Workers: 3, CodeBlocks: 17, DamagedCodeBlocks: 1}
		},
	})
	public.Handler = tilehttp.NewHandler(tilehttp.Config{Config: serve.Config{Catalog: public.Catalog}, Metrics: metrics})
	config := admin.Config{Catalog: public.Catalog, Ready: ready, Version: "1.2.3", Device: device}
	return public, &Server{Handler: tilehttp.NewAdminHandler(tilehttp.AdminConfig{Config: config, Metrics: metrics, Hosts: []string{"example.com"}})}
}

// ServeMany serves many layers of a few shared datasets. Every third has no position.
func ServeMany(t testing.TB, layers int, change func(*tilehttp.Config)) *Server {
	t.Helper()
	s, datasets := Serve(t, change), manyDatasets(t)
	var all []*layer.Layer
	for i := range layers {
		kind := []string{"ortho", "dem", "scan"}[i%3]
		open := func(context.Context) (*layer.Dataset, error) {
			d := datasets[i%3]
			d.Close = func() error { return nil }
			return &d, nil
		}
		l, err := s.Catalog.Open(t.Context(), layer.Config{ID: fmt.Sprintf("%s-%05d", kind, i), Title: fmt.Sprintf("Sheet %05d of the %s", i, kind), Open: open})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	if err := s.Catalog.Serve(all); err != nil {
		t.Fatal(err)
	}
	return s
}

// manyDatasets returns the datasets of ServeMany.
func manyDatasets(t testing.TB) []layer.Dataset {
	t.Helper()
	utm, err := geo.ByCode(32633)
	if err != nil {
		t.Fatal(err)
	}
	placement, err := geo.NewAffinePlacement(geo.Affine{A: 10, C: 500000, E: -10, F: 5300000})
	if err != nil {
		t.Fatal(err)
	}
	return []layer.Dataset{
		{Provider: Colors("many@1", 700, 300), CRS: utm, Placement: placement},
		{Provider: Heights(), CRS: utm, Placement: placement},
		{Provider: Colors("nowhere@1", 60, 40)},
	}
}

// Add serves one more layer.
func (s *Server) Add(t testing.TB, scene Scene) {
	t.Helper()
	s.Providers[scene.Config.ID] = scene.Provider
	if err := s.Catalog.Add(context.Background(), scene.Openable()); err != nil {
		t.Fatal(err)
	}
}

// Openable returns the configuration of a layer that shows the scene.
func (s Scene) Openable() layer.Config {
	c := s.Config
	c.Open = func(context.Context) (*layer.Dataset, error) {
		d := &layer.Dataset{Provider: s.Provider, CRS: s.CRS, CRSError: s.CRSError, Close: func() error { return nil }}
		var err error
		if s.CRS != nil {
			d.Placement, err = geo.NewAffinePlacement(s.Affine)
		}
		return d, err
	}
	return c
}

// AddMany serves more layers, of two kinds.
func (s *Server) AddMany(t testing.TB, layers int) {
	t.Helper()
	for i := range layers {
		scene := Scenes(t)[i%2*2]
		scene.Config.ID = fmt.Sprintf("crowd-%d", i)
		s.Add(t, scene)
	}
}

// Reads returns the number of reads of all layers.
func (s *Server) Reads() (reads int) {
	for _, p := range s.Providers {
		reads += p.Calls()
	}
	return reads
}

// WrittenDocuments returns how many documents were written because none was cached.
func (s *Server) WrittenDocuments(t testing.TB) int {
	t.Helper()
	for _, space := range s.Catalog.Stats().Cache.Spaces {
		if space.Name == "documents" {
			return int(space.Misses)
		}
	}
	t.Fatal("no cache space for documents")
	return 0
}
