package integration

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"tileserver/signature"
)

// Through nginx, which adds a path and caches pictures, a signed template is for all tiles. What nginx
// has in its cache for one is sent to nobody without a signature.
func TestNginxCachesSignedAddressesByThemselves(t *testing.T) {
	key := signature.Key{ID: "a", Secret: strings.Repeat("secret", 6)}
	path := writeFile(t, t.TempDir(), "my.yaml", []byte("allow: {formats: [png]}\nsigning_keys: "+writeFile(t, t.TempDir(), "my.keys", []byte(key.ID+":"+key.Secret))))
	f := behindNginx(t, "--config", path)
	query := key.Sign("", url.Values{signature.Path: {"/tiles/colors/*/*/*.webp"}}, time.Now().Add(time.Minute)).Encode()
	tile := "/tiles/colors/" + cornerTile + ".webp"
	for _, cache := range []string{"MISS", "HIT"} {
		a := f.get(t, tile+"?"+query)
		wantCacheStatus(t, "a signed tile", a, http.StatusOK, cache)
		if control := a.header.Get("Cache-Control"); !strings.HasPrefix(control, "public, max-age=") || !strings.HasSuffix(control, ", must-revalidate") {
			t.Errorf("Cache-Control is %q", control)
		}
	}
	for what, address := range map[string]string{
		"no signature": tile, "another query": tile + "?" + query + "&bidx=1", "an end cut off": tile + "?" + query[:len(query)-3],
		"another layer": strings.Replace(tile, "colors", "heights", 1) + "?" + query,
	} {
		wantCacheStatus(t, what, f.ask(t, http.MethodGet, address, nil), http.StatusForbidden, "MISS")
	}
	wantCacheStatus(t, "PNG", f.get(t, strings.Replace(tile, "webp", "png", 1)), http.StatusOK, "MISS")
}
