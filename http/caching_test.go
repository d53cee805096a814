package http_test

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"tileserver/display"
	tilehttp "tileserver/http"
	"tileserver/http/serve"
	"tileserver/layer"
)

func versioned(_ *layer.CatalogConfig, c *tilehttp.Config) { c.Versioned = true }

// tilesOf returns the address of the corner tile from the template in a TileJSON document.
func (w *world) tilesOf(t *testing.T, query string) *url.URL {
	t.Helper()
	template := decodeJSON[tileJSON](t, w.get(t, "/layers/map/tilejson.json"+query)).Tiles[0]
	address, err := url.Parse(strings.NewReplacer("{z}/{x}/{y}", cornerTile).Replace(template))
	if err != nil {
		t.Fatal(err)
	}
	return address
}

func TestVersionedAddressesAreImmutable(t *testing.T) {
	w := newWorld(t, versioned)
	address := w.tilesOf(t, "")
	if address.Query().Get("v") == "" {
		t.Fatalf("the address %s has no version", address)
	}
	const forEver = "public, max-age=31536000, immutable"
	if got := w.get(t, address.RequestURI()).Header().Get("Cache-Control"); got != forEver {
		t.Errorf("the current version has Cache-Control %q", got)
	}
	for name, path := range map[string]string{"another version": address.Path + "?v=0123456789abcdef", "none": address.Path} {
		if got := w.get(t, path).Header().Get("Cache-Control"); got != serve.DefaultCacheControl {
			t.Errorf("%s: Cache-Control %q", name, got)
		}
	}
	if got := w.get(t, address.Path+"?stretch=tile&v="+address.Query().Get("v")).Header().Get("Cache-Control"); got != "no-store" {
		t.Errorf("a picture with a per-tile stretch has Cache-Control %q", got)
	}
}

func TestVersionDependsOnTheStyle(t *testing.T) {
	w := newWorld(t, versioned)
	plain, styled := w.tilesOf(t, ""), w.tilesOf(t, "?rescale=0,10")
	if plain.Query().Get("v") == styled.Query().Get("v") {
		t.Error("another style has the same version")
	}
	if got := w.get(t, styled.RequestURI()).Header().Get("Cache-Control"); !strings.Contains(got, "immutable") {
		t.Errorf("the version of another style has Cache-Control %q", got)
	}
	if again := w.tilesOf(t, "?rescale=0,10.0"); again.Query().Get("v") != styled.Query().Get("v") {
		t.Error("the same style in other words has another version")
	}
}

// A per-tile stretch has no version, because tiles do not share it.
func TestPerTileStretchHasNoVersion(t *testing.T) {
	w := newWorld(t, versioned)
	passing := scenes(t)[0]
	passing.config.ID = "passing"
	passing.config.Style.Stretch.Kind = display.PerTile
	w.add(t, passing)
	if address := w.tilesOf(t, "?stretch=tile"); address.Query().Get("v") != "" {
		t.Errorf("the address is %s", address)
	}
	for id, want := range map[string]bool{"map": true, "passing": false} {
		if tiles := decodeJSON[layerDocument](t, w.get(t, "/layers/"+id)).Links.Tiles; strings.Contains(tiles, "?v=") != want {
			t.Errorf("the tiles of %s are %s", id, tiles)
		}
	}
}

func TestTileTemplateRepeatsTheQuery(t *testing.T) {
	w := newWorld(t, nil)
	query := w.tilesOf(t, "?empty=204&rescale=0,10&tms=WebMercatorQuad&other=x").Query()
	if want := (url.Values{"empty": {"204"}, "rescale": {"0,10"}}); !maps.EqualFunc(query, want, slices.Equal[[]string]) {
		t.Errorf("tiles are asked for with %v, want %v", query, want)
	}
}

func TestRevalidatedAddressesHaveNoVersion(t *testing.T) {
	w, other := newWorld(t, nil), newWorld(t, versioned)
	if address := w.tilesOf(t, ""); address.RawQuery != "" {
		t.Errorf("the address is %s", address)
	}
	version := other.tilesOf(t, "").Query().Get("v")
	if got := w.get(t, "/tiles/map/"+cornerTile+".png?v="+version).Header().Get("Cache-Control"); got != serve.DefaultCacheControl {
		t.Errorf("an unknown version has Cache-Control %q", got)
	}
}
