package http_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tileserver/geo"
	tilehttp "tileserver/http"
	"tileserver/layer"
	"tileserver/raster"
)

// damaged is a layer of 601 x 499 pixels without a position. Its first block, of 128 x 64 pixels,
// is lost, and a code-block of the second.
func damaged() scene {
	p := colors("damaged@1", 601, 499)
	gone, part := raster.Rect{X1: 128, Y1: 64}, raster.Rect{X0: 128, X1: 256, Y1: 64}
	p.Lost = func(_ int, r raster.Rect) raster.Damage {
		switch {
		case !r.Intersect(gone).Empty():
			return raster.NewDamage([]raster.Loss{{Kind: "missing tile", Text: "tile 0: nothing of it is stored"}}, true)
		case !r.Intersect(part).Empty():
			return raster.NewDamage([]raster.Loss{{Kind: "code-block", Text: "code-block 7: damaged"}}, false)
		}
		return raster.Damage{}
	}
	return scene{config: layer.Config{ID: "damaged"}, provider: p, affine: geo.Affine{}}
}

func damagedWorld(t *testing.T) *world {
	w := newWorld(t, nil)
	w.add(t, damaged())
	return w
}

const damageHeader = "Tileserver-Damage"

func TestDamageHeader(t *testing.T) {
	w := damagedWorld(t)
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
			got := w.get(t, path)
			if h := got.Header(); got.Code != http.StatusOK || h.Get(damageHeader) != want || len(h.Values(damageHeader)) > 1 {
				t.Errorf("%s, %s: status %d, %s %q, want %q", path, round, got.Code, damageHeader, h.Values(damageHeader), want)
			}
			if exposed := got.Header().Get("Access-Control-Expose-Headers"); !strings.Contains(exposed, damageHeader) {
				t.Errorf("%s: Access-Control-Expose-Headers is %s", path, exposed)
			}
		}
	}
}

// GetFeatureInfo sends the header like the address of points.
func TestWMTSInfoDamageHeader(t *testing.T) {
	w := newWorld(t, nil)
	s, placed := damaged(), scenes(t)[0]
	s.crs, s.affine = placed.crs, placed.affine
	w.add(t, s)
	for pixel, want := range map[string]string{"20/150": "code-blocks=1", "150/150": ""} {
		got := w.get(t, "/wmts/1.0.0/damaged/default/WebMercatorQuad/12/1340/2200/"+pixel+".json")
		if header := got.Header().Get(damageHeader); got.Code != http.StatusOK || header != want {
			t.Errorf("%s: status %d, %s %q, want %q: %s", pixel, got.Code, damageHeader, header, want, got.Body)
		}
	}
}

// A client that has the picture has its header as well, so a 304 does not repeat it.
func TestDamagedPictureIsRevalidated(t *testing.T) {
	w := damagedWorld(t)
	first := w.get(t, "/layers/damaged/preview.png")
	again := httptest.NewRequest(http.MethodGet, "/layers/damaged/preview.png", nil)
	again.Header.Set("If-None-Match", first.Header().Get("ETag"))
	if got := w.do(again); got.Code != http.StatusNotModified {
		t.Errorf("status %d", got.Code)
	}
}

func TestTotalLossIsAnError(t *testing.T) {
	w := damagedWorld(t)
	for _, path := range []string{
		"/layers/damaged/view.png?crs=image&bbox=10,10,60,50&width=50&height=40",
		"/layers/damaged/view.npy?crs=image&bbox=10,10,60,50&width=50&height=40",
		"/layers/damaged/point/20.5,20.5?crs=image",
		"/iiif/damaged/10,10,50,40/max/0/default.png",
	} {
		got := w.get(t, path)
		if got.Code != http.StatusInternalServerError || !strings.Contains(got.Body.String(), "damaged") {
			t.Errorf("%s: status %d: %s", path, got.Code, got.Body)
		}
	}
	code, message := errorOf(t, w.get(t, "/layers/damaged/view.png?crs=image&bbox=10,10,60,50&width=50&height=40"))
	if code != string(layer.Damaged) || !strings.Contains(message, "could be decoded") {
		t.Errorf("%s: %s", code, message)
	}
}

// A lost block that shows as a hole is an error, even if other blocks of the picture are intact.
func TestHoleIsAnError(t *testing.T) {
	s := damaged()
	s.provider.Sample = func(_, band, x, y int) (float64, bool) { return float64(x), x >= 200 }
	w := newWorld(t, nil)
	w.add(t, s)
	if got := w.get(t, "/layers/damaged/view.png?crs=image&bbox=140,10,180,50&width=40&height=40"); got.Code != http.StatusInternalServerError {
		t.Errorf("status %d", got.Code)
	}
	if got := w.get(t, "/layers/damaged/view.png?crs=image&bbox=140,70,180,110&width=40&height=40"); got.Code != http.StatusOK {
		t.Errorf("nodata: status %d", got.Code)
	}
}

func TestLayerDocumentListsKnownDamage(t *testing.T) {
	w := damagedWorld(t)
	type document struct {
		Damage *struct {
			Parts map[string]int
			Notes []string
			More  bool
		}
	}
	if d := decodeJSON[document](t, w.get(t, "/layers/damaged")); d.Damage != nil {
		t.Errorf("before any read, the damage is %+v", d.Damage)
	}
	w.get(t, "/layers/damaged/view.png?crs=image&bbox=140,10,200,50&width=60&height=40&rescale=0,255")
	w.get(t, "/layers/damaged/view.npy?crs=image&bbox=10,10,60,50&width=50&height=40")
	d := decodeJSON[document](t, w.get(t, "/layers/damaged")).Damage
	if d == nil || d.Parts["code-blocks"] != 1 || d.Parts["missing-tiles"] != 1 || d.More || len(d.Notes) != 2 || d.Notes[0] != "code-block 7: damaged" {
		t.Errorf("the damage is %+v", d)
	}
	if d := decodeJSON[document](t, w.get(t, "/layers/plain")); d.Damage != nil {
		t.Errorf("the damage of another layer is %+v", d.Damage)
	}
}

// The log has one line for a damaged file, not one for each request that meets the damage.
func TestDamageIsNoFailureInTheLog(t *testing.T) {
	var log bytes.Buffer
	w := newWorld(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) {
		config.Logger, config.AccessLog = slog.New(slog.NewJSONHandler(&log, nil)), tilehttp.AccessLogProblems
	})
	w.add(t, damaged())
	got := w.get(t, "/layers/damaged/view.png?crs=image&bbox=10,10,60,50&width=50&height=40")
	if got.Code != http.StatusInternalServerError || log.Len() > 0 {
		t.Errorf("status %d; the log has %s", got.Code, log.String())
	}
}
