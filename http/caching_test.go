package http_test

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"tileserver/display"
	tilehttp "tileserver/http"
	"tileserver/http/servertest"
	"tileserver/layer"
)

func versioned(_ *layer.CatalogConfig, c *tilehttp.Config) { c.Versioned = true }

func TestVersionedAddressesAreImmutable(t *testing.T) {
	server := servertest.New(t, versioned)
	address := server.CornerTileAddress(t, "")
	if address.Query().Get("v") == "" {
		t.Fatalf("the address %s has no version", address)
	}
	const forEver = "public, max-age=31536000, immutable"
	if got := server.Get(t, address.RequestURI()).Header().Get("Cache-Control"); got != forEver {
		t.Errorf("the current version has Cache-Control %q", got)
	}
	for name, path := range map[string]string{"another version": address.Path + "?v=0123456789abcdef", "none": address.Path} {
		if got := server.Get(t, path).Header().Get("Cache-Control"); got != servertest.CacheControl {
			t.Errorf("%s: Cache-Control %q", name, got)
		}
	}
	if got := server.Get(t, address.Path+"?stretch=tile&v="+address.Query().Get("v")).Header().Get("Cache-Control"); got != "no-store" {
		t.Errorf("a picture with a per-tile stretch has Cache-Control %q", got)
	}
}

func TestVersionDependsOnTheStyle(t *testing.T) {
	server := servertest.New(t, versioned)
	plain, styled := server.CornerTileAddress(t, ""), server.CornerTileAddress(t, "?rescale=0,10")
	if plain.Query().Get("v") == styled.Query().Get("v") {
		t.Error("another style has the same version")
	}
	if got := server.Get(t, styled.RequestURI()).Header().Get("Cache-Control"); !strings.Contains(got, "immutable") {
		t.Errorf("the version of another style has Cache-Control %q", got)
	}
	if again := server.CornerTileAddress(t, "?rescale=0,10.0"); again.Query().Get("v") != styled.Query().Get("v") {
		t.Error("the same style in other words has another version")
	}
}

// A per-tile stretch has no version, because tiles do not share it.
func TestPerTileStretchHasNoVersion(t *testing.T) {
	server := servertest.New(t, versioned)
	passing := servertest.Scenes(t)[0]
	passing.Config.ID = "passing"
	passing.Config.Style.Stretch.Kind = display.PerTile
	server.Add(t, passing)
	if address := server.CornerTileAddress(t, "?stretch=tile"); address.Query().Get("v") != "" {
		t.Errorf("the address is %s", address)
	}
	for id, want := range map[string]bool{"map": true, "passing": false} {
		if tiles := servertest.DecodeJSON[servertest.LayerDocument](t, server.Get(t, "/layers/"+id)).Links.Tiles; strings.Contains(tiles, "?v=") != want {
			t.Errorf("the tiles of %s are %s", id, tiles)
		}
	}
}

func TestTileTemplateRepeatsTheQuery(t *testing.T) {
	server := servertest.New(t, nil)
	query := server.CornerTileAddress(t, "?empty=204&rescale=0,10&tms=WebMercatorQuad&other=x").Query()
	if want := (url.Values{"empty": {"204"}, "rescale": {"0,10"}}); !maps.EqualFunc(query, want, slices.Equal[[]string]) {
		t.Errorf("tiles are asked for with %v, want %v", query, want)
	}
}

func TestRevalidatedAddressesHaveNoVersion(t *testing.T) {
	server, other := servertest.New(t, nil), servertest.New(t, versioned)
	if address := server.CornerTileAddress(t, ""); address.RawQuery != "" {
		t.Errorf("the address is %s", address)
	}
	version := other.CornerTileAddress(t, "").Query().Get("v")
	if got := server.Get(t, "/tiles/map/"+servertest.CornerTile+".png?v="+version).Header().Get("Cache-Control"); got != servertest.CacheControl {
		t.Errorf("an unknown version has Cache-Control %q", got)
	}
}
