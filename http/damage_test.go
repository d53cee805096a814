package http_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	tilehttp "tileserver/http"
	"tileserver/http/servertest"
	"tileserver/layer"
)

func TestDamageHeader(t *testing.T) {
	server := servertest.NewDamaged(t)
	for path, want := range map[string]string{
		"/layers/damaged/preview.png": "code-blocks=1, missing-tiles=1",
		"/layers/damaged/view.png?crs=image&bbox=140,10,200,50&width=60&height=40":    "code-blocks=1",
		"/layers/damaged/view.npy?crs=image&bbox=140,10,200,50&width=60&height=40":    "code-blocks=1",
		"/layers/damaged/view.tif?crs=image&bbox=140,10,200,50&width=60&height=40":    "code-blocks=1",
		"/layers/damaged/view.png?crs=image&bbox=300,100,400,180&width=100&height=80": "",
		"/layers/damaged/point/150.5,20.5?crs=image":                                  "code-blocks=1",
		"/layers/damaged/point/300.5,200.5?crs=image":                                 "",
		"/iiif/damaged/130,10,50,40/max/0/default.png":                                "code-blocks=1",
	} {
		for _, round := range []string{"made", "kept"} {
			got := server.Get(t, path)
			if h := got.Header(); got.Code != http.StatusOK || h.Get(servertest.DamageHeader) != want || len(h.Values(servertest.DamageHeader)) > 1 {
				t.Errorf("%s, %s: status %d, %s %q, want %q", path, round, got.Code, servertest.DamageHeader, h.Values(servertest.DamageHeader), want)
			}
			if exposed := got.Header().Get("Access-Control-Expose-Headers"); !strings.Contains(exposed, servertest.DamageHeader) {
				t.Errorf("%s: Access-Control-Expose-Headers is %s", path, exposed)
			}
		}
	}
}

// A client that has the picture has its header as well, so a 304 does not repeat it.
func TestDamagedPictureIsRevalidated(t *testing.T) {
	server := servertest.NewDamaged(t)
	first := server.Get(t, "/layers/damaged/preview.png")
	again := httptest.NewRequest(http.MethodGet, "/layers/damaged/preview.png", nil)
	again.Header.Set("If-None-Match", first.Header().Get("ETag"))
	if got := server.Do(again); got.Code != http.StatusNotModified {
		t.Errorf("status %d", got.Code)
	}
}

func TestTotalLossIsAnError(t *testing.T) {
	server := servertest.NewDamaged(t)
	for _, path := range []string{
		"/layers/damaged/view.png?crs=image&bbox=10,10,60,50&width=50&height=40",
		"/layers/damaged/view.npy?crs=image&bbox=10,10,60,50&width=50&height=40",
		"/layers/damaged/point/20.5,20.5?crs=image",
		"/iiif/damaged/10,10,50,40/max/0/default.png",
	} {
		got := server.Get(t, path)
		if got.Code != http.StatusInternalServerError || !strings.Contains(got.Body.String(), "damaged") {
			t.Errorf("%s: status %d: %s", path, got.Code, got.Body)
		}
	}
	code, message := servertest.ErrorOf(t, server.Get(t, "/layers/damaged/view.png?crs=image&bbox=10,10,60,50&width=50&height=40"))
	if code != string(layer.Damaged) || !strings.Contains(message, "could be decoded") {
		t.Errorf("%s: %s", code, message)
	}
}

// A lost block that shows as a hole is an error, even if other blocks of the picture are intact.
func TestHoleIsAnError(t *testing.T) {
	s := servertest.Damaged()
	s.Provider.Sample = func(_, band, x, y int) (float64, bool) { return float64(x), x >= 200 }
	server := servertest.New(t, nil)
	server.Add(t, s)
	if got := server.Get(t, "/layers/damaged/view.png?crs=image&bbox=140,10,180,50&width=40&height=40"); got.Code != http.StatusInternalServerError {
		t.Errorf("status %d", got.Code)
	}
	if got := server.Get(t, "/layers/damaged/view.png?crs=image&bbox=140,70,180,110&width=40&height=40"); got.Code != http.StatusOK {
		t.Errorf("nodata: status %d", got.Code)
	}
}

// The log has one line for a damaged file, not one for each request that meets the damage.
func TestDamageIsNoFailureInTheLog(t *testing.T) {
	var log bytes.Buffer
	server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) {
		config.Logger, config.AccessLog = slog.New(slog.NewJSONHandler(&log, nil)), tilehttp.AccessLogProblems
	})
	server.Add(t, servertest.Damaged())
	got := server.Get(t, "/layers/damaged/view.png?crs=image&bbox=10,10,60,50&width=50&height=40")
	if got.Code != http.StatusInternalServerError || log.Len() > 0 {
		t.Errorf("status %d; the log has %s", got.Code, log.String())
	}
}
