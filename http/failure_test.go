package http_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	tilehttp "tileserver/http"
	"tileserver/http/servertest"
	"tileserver/layer"
	"tileserver/raster"
)

func logInto(log *bytes.Buffer) func(*layer.CatalogConfig, *tilehttp.Config) {
	return func(_ *layer.CatalogConfig, config *tilehttp.Config) {
		config.Logger, config.AccessLog = slog.New(slog.NewJSONHandler(log, nil)), tilehttp.AccessLogAll
	}
}

func TestClientsNeverSeePaths(t *testing.T) {
	for _, id := range []string{"broken", "panicking"} {
		for _, path := range []string{
			"/tiles/" + id + "/" + servertest.CornerTile + ".png",
			"/layers/" + id + "/preview.png",
			"/layers/" + id + "/statistics",
			"/layers/" + id + "/point/1,1?crs=image",
			"/layers/" + id + "/preview.png?stretch=dra",
		} {
			var log bytes.Buffer
			server := servertest.New(t, logInto(&log))
			got := server.Get(t, path)
			if got.Code != http.StatusInternalServerError || strings.Contains(got.Body.String(), "secret") {
				t.Errorf("%s: status %d: %s", path, got.Code, got.Body)
			}
			servertest.ErrorOf(t, got)
			if line := log.String(); !strings.Contains(line, "/secret/") || !strings.Contains(line, `"level":"ERROR"`) {
				t.Errorf("%s: the log says %s", path, line)
			}
			if again := server.Get(t, "/layers/map/preview.png"); again.Code != http.StatusOK {
				t.Errorf("after %s another layer is %d", path, again.Code)
			}
		}
	}
}

func TestPanicInHandler(t *testing.T) {
	var log bytes.Buffer
	handler := tilehttp.NewHandler(tilehttp.Config{Logger: slog.New(slog.NewJSONHandler(&log, nil))}) // without a catalog
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/layers", nil))
	if code, message := servertest.ErrorOf(t, recorder); recorder.Code != 500 || code != "internal" || strings.Contains(message, "pointer") {
		t.Errorf("%d %s: %s", recorder.Code, code, message)
	}
	if !strings.Contains(log.String(), `"stack":"goroutine`) {
		t.Errorf("the log has no stack: %s", log.String())
	}
}

// A panic has the same message in a handler and in rendering.
func TestPanicMessage(t *testing.T) {
	recorder := httptest.NewRecorder()
	tilehttp.NewHandler(tilehttp.Config{Logger: slog.New(slog.DiscardHandler)}).ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/layers", nil))
	_, message := servertest.ErrorOf(t, recorder)
	code, ofPicture := servertest.ErrorOf(t, servertest.New(t, nil).Get(t, "/layers/panicking/preview.png"))
	if code != "internal" || message != "internal error" || ofPicture != message {
		t.Errorf("%s: the message of a handler is %q, of a picture %q", code, message, ofPicture)
	}
}

func TestRequestTextIsShortened(t *testing.T) {
	for _, path := range []string{
		"/layers/" + strings.Repeat("%c3%9f", 330),
		"/tiles/map/0/0/" + strings.Repeat("0", 2000) + ".png",
		"/layers/map/preview.png?bidx=" + strings.Repeat("a", 8000),
		"/" + strings.Repeat("a", 900<<10),
	} {
		var log bytes.Buffer
		server := servertest.New(t, logInto(&log))
		_, message := servertest.ErrorOf(t, server.Get(t, path))
		if len(message) > 450 || strings.ContainsRune(message, '\uFFFD') || log.Len() > 10<<10 {
			t.Errorf("%.40s: %d bytes to the client, %d to the log: %s", path, len(message), log.Len(), message)
		}
	}
}

// breaking is a response writer whose connection is broken.
type breaking struct{ http.ResponseWriter }

func (breaking) Write([]byte) (int, error) { panic("a bug while writing") }

func TestPanicAbortsBegunResponse(t *testing.T) {
	server := servertest.New(t, nil)
	defer func() {
		if got := recover(); got != http.ErrAbortHandler {
			t.Errorf("the panic is %v, want %v", got, http.ErrAbortHandler)
		}
	}()
	server.Handler.ServeHTTP(breaking{httptest.NewRecorder()}, httptest.NewRequest(http.MethodGet, "/layers", nil))
	t.Error("the connection was not aborted")
}

// block makes reads of a layer wait until release is closed or the request is canceled. Each read
// sends on began.
func block(server *servertest.Server, id string) (began chan struct{}, release chan struct{}) {
	began, release = make(chan struct{}), make(chan struct{})
	server.Providers[id].Before = func(ctx context.Context, _ int, _ []raster.BlockID, _ []int) error {
		began <- struct{}{}
		select {
		case <-release:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return began, release
}

func TestAFullGateIsBusy(t *testing.T) {
	server := servertest.New(t, func(shared *layer.CatalogConfig, _ *tilehttp.Config) { shared.Gate = admission.New(admission.Config{}) })
	server.Get(t, "/layers/height/preview.png") // to cache it
	began, release := block(server, "map")
	first := make(chan *httptest.ResponseRecorder)
	go func() { first <- server.Do(httptest.NewRequest(http.MethodGet, "/layers/map/preview.png", nil)) }()
	<-began
	second := server.Get(t, "/layers/utm/preview.png")
	if second.Code != http.StatusServiceUnavailable || second.Header().Get("Retry-After") != "1" {
		t.Errorf("full gate: status %d, Retry-After %q", second.Code, second.Header().Get("Retry-After"))
	}
	if code, _ := servertest.ErrorOf(t, second); code != "busy" {
		t.Errorf("a full gate has the code %q", code)
	}
	if kept := server.Get(t, "/layers/height/preview.png"); kept.Code != http.StatusOK {
		t.Errorf("a cached picture behind a full gate: status %d", kept.Code)
	}
	close(release)
	if recorder := <-first; recorder.Code != http.StatusOK {
		t.Errorf("the first request: status %d: %s", recorder.Code, recorder.Body)
	}
}

func TestTooManyRequestsAreBusy(t *testing.T) {
	server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) { config.MaxRequests = 1 })
	began, release := block(server, "map")
	first := make(chan *httptest.ResponseRecorder)
	go func() {
		first <- server.Do(httptest.NewRequest(http.MethodGet, "/layers/map/point/1,1?crs=image", nil))
	}()
	<-began
	second := server.Get(t, "/layers")
	if code, _ := servertest.ErrorOf(t, second); second.Code != 503 || code != "busy" || second.Header().Get("Retry-After") != "1" {
		t.Errorf("one request too many: status %d, code %s", second.Code, code)
	}
	close(release)
	if got := <-first; got.Code != http.StatusOK {
		t.Errorf("the first request: status %d", got.Code)
	}
	if got := server.Get(t, "/layers"); got.Code != http.StatusOK {
		t.Errorf("after it, the next request: status %d", got.Code)
	}
}

func TestCanceledRequestStopsRendering(t *testing.T) {
	var log bytes.Buffer
	server := servertest.New(t, logInto(&log))
	began, _ := block(server, "map")
	ctx, cancel := context.WithCancel(context.Background())
	answered := make(chan *httptest.ResponseRecorder)
	go func() {
		answered <- server.Do(httptest.NewRequest(http.MethodGet, "/layers/map/preview.png", nil).WithContext(ctx))
	}()
	<-began
	cancel()
	got := <-answered
	if code, _ := servertest.ErrorOf(t, got); got.Code != 499 || code != "cancelled" {
		t.Errorf("canceled request: status %d, code %s", got.Code, code)
	}
	if !strings.Contains(log.String(), `"level":"INFO"`) || !strings.Contains(log.String(), `"status":499`) {
		t.Errorf("the log says %s", log.String())
	}
}

// A server that stops cancels requests with a cause, which their clients are told.
func TestRequestsThatTheServerCancelsMayBeRetried(t *testing.T) {
	for path, mime := range map[string]string{
		"/layers/map/preview.png": "application/json",
		wmtsTile:                  "application/xml",
		"/ogc/collections/map/map/tiles/WebMercatorQuad/12/1340/2200?f=png": "application/problem+json",
	} {
		server := servertest.New(t, nil)
		began, _ := block(server, "map")
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			<-began
			cancel(&layer.Error{Code: layer.Busy, Message: "the server is stopping", RetryAfter: 3 * time.Second})
		}()
		got := server.Do(httptest.NewRequest(http.MethodGet, path, nil).WithContext(ctx))
		if got.Code != 503 || got.Header().Get("Retry-After") != "3" || got.Header().Get("Content-Type") != mime || !strings.Contains(got.Body.String(), "stopping") {
			t.Errorf("%s: status %d, %v: %s", path, got.Code, got.Header(), got.Body)
		}
	}
}

func TestRequestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) { config.RequestTimeout = 5 * time.Second })
		began, _ := block(server, "map")
		go func() { <-began }()
		start := time.Now()
		got := server.Get(t, "/layers/map/preview.png")
		if took := time.Since(start); took != 5*time.Second {
			t.Errorf("it took %v, want 5s", took)
		}
		if code, _ := servertest.ErrorOf(t, got); got.Code != 503 || code != "busy" || got.Header().Get("Retry-After") != "1" {
			t.Errorf("slow request: status %d, code %s", got.Code, code)
		}
	})
}

func TestRetryAfterInEveryProtocol(t *testing.T) {
	server := servertest.New(t, nil)
	busy := servertest.Scenes(t)[0]
	busy.Config.ID = "busy"
	busy.Provider = servertest.Failing("busy@1", func() error { return &layer.Error{Code: layer.Busy, Message: "later", RetryAfter: 7e9} })
	server.Add(t, busy)
	for path, mime := range map[string]string{
		"/tiles/busy/" + servertest.CornerTile + ".png":                          "application/json",
		strings.Replace(wmtsTile, "layer=map", "layer=busy", 1):                  "application/xml",
		"/wmts/1.0.0/busy/default/WebMercatorQuad/12/1340/2200.png":              "application/json",
		"/ogc/collections/busy/map/tiles/WebMercatorQuad/12/1340/2200?f=png":     "application/problem+json",
		"/ogc/map/tiles/WebMercatorQuad/12/1340/2200?f=png&collections=busy,map": "application/problem+json",
		"/tms/1.0.0/busy@WebMercatorQuad/12/2200/2755.png":                       "application/json",
		"/iiif/busy/full/max/0/default.png":                                      "text/plain; charset=utf-8",
		"/dzi/busy_files/10/0_0.png":                                             "application/json",
		"/zoomify/busy/TileGroup0/2-0-0.png":                                     "application/json",
	} {
		got := server.Get(t, path)
		h := got.Header()
		if got.Code != http.StatusServiceUnavailable || h.Get("Retry-After") != "7" || h.Get("Cache-Control") != "no-store" || h.Get("Content-Type") != mime {
			t.Errorf("%s is %d with %v, want %q with Retry-After", path, got.Code, h, mime)
		}
		for _, name := range []string{"ETag", "Link", "Content-Encoding", "X-Cache"} {
			if h.Get(name) != "" {
				t.Errorf("%s fails with %s %q", path, name, h.Get(name))
			}
		}
	}
}
