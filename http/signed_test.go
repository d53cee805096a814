package http_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/access"
	tilehttp "tileserver/http"
	"tileserver/http/servertest"
	"tileserver/signature"
)

var signingKeys = signature.Keys{
	{ID: "new", Secret: "0123456789abcdef0123456789abcdef"}, {ID: "old", Secret: "fedcba9876543210fedcba9876543210"},
}

// strangersBound serves the layers of Scenes with strict rules for strangers, and keys.
func strangersBound(t *testing.T, change func(*tilehttp.Config)) *servertest.Server {
	t.Helper()
	scenes := servertest.ScenesNamed(t, "map", "height", "utm", "plain")
	policy := access.Policy{Strangers: strict()}
	for i := range scenes {
		scenes[i].Config.Access = policy
	}
	var server *servertest.Server
	server = servertest.Serve(t, func(c *tilehttp.Config) {
		c.Access, c.SigningKeys, c.Visit = policy, signingKeys, visiting(&server)
		if change != nil {
			change(c)
		}
	}, scenes...)
	return server
}

// signed returns an address with a signature.
func signed(t *testing.T, key int, address string, valid time.Duration, scope ...string) string {
	t.Helper()
	path, query, _ := strings.Cut(address, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(scope); i += 2 {
		values.Set(scope[i], scope[i+1])
	}
	return path + "?" + signingKeys[key].Sign(path, values, time.Now().Add(valid)).Encode()
}

// Whatever protocol a signed request uses, it may ask for more.
func TestSignedAddressesMayAskForMore(t *testing.T) {
	server := strangersBound(t, nil)
	for pattern, of := range askedOfRoutes() {
		for what, address := range of.refused {
			for key := range signingKeys {
				if got := server.Get(t, signed(t, key, address, time.Hour)); got.Code != http.StatusOK {
					t.Errorf("%s: status %d of %s (%s): %s", pattern, got.Code, address, what, got.Body)
				}
			}
			if got := server.Get(t, address); got.Code != http.StatusForbidden {
				t.Errorf("%s: status %d of %s without a signature", pattern, got.Code, address)
			}
		}
	}
	if got := server.Get(t, signed(t, 0, "/iiif/map/full/500,/0/default.webp", time.Hour)); got.Code != http.StatusOK {
		t.Errorf("status %d: %s", got.Code, got.Body)
	}
}

// A signed template is for all tiles of a layer in a style.
func TestASignedTemplateIsForAllTiles(t *testing.T) {
	server := strangersBound(t, nil)
	template := signed(t, 0, "/tiles/map/{z}/{x}/{y}.webp?rescale=0,90", time.Hour, "signed_path", "/tiles/map/*/*/*.webp")
	query := template[strings.Index(template, "?"):]
	for path, want := range map[string]int{
		"/tiles/map/12/2200/1340.webp": 200, "/tiles/map/12/2201/1340.webp": 200, "/tiles/map/11/1100/670@2x.webp": 200,
		"/tiles/map/12/2200/1340.npy": 403, "/tiles/height/12/2200/1340.webp": 403, "/layers/map/preview.webp": 403,
	} {
		if got := server.Get(t, path+query); got.Code != want {
			t.Errorf("%s: status %d, want %d: %s", path, got.Code, want, got.Body)
		}
	}
	if got := server.Get(t, "/tiles/map/12/2200/1340.webp"+strings.Replace(query, "rescale=0%2C90", "rescale=0%2C80", 1)); got.Code != http.StatusForbidden {
		t.Errorf("another style has status %d", got.Code)
	}
}

func TestRefusedSignaturesAreExplained(t *testing.T) {
	server := strangersBound(t, nil)
	good := signed(t, 0, "/tiles/map/12/2200/1340.png?rescale=0,9", time.Hour)
	for address, want := range map[string]string{
		strings.Replace(good, "0%2C9", "0%2C8", 1):                "signature_invalid",
		strings.Replace(good, "key_id=new", "key_id=none", 1):     "signature_unknown_key",
		strings.Replace(good, "key_id=new", "key_id=old", 1):      "signature_invalid",
		signed(t, 0, "/tiles/map/12/2200/1340.png", -time.Second): "signature_expired",
		"/layers?signature=":                                                     "signature_invalid",
		"/tiles/map/12/2200/1340.png?signature=x":                                "signature_invalid",
		"/no/such/address?signature=x&expires=1&key_id=new":                      "signature_invalid",
		signed(t, 0, "/wmts?service=WMTS&request=GetCapabilities", -time.Second): "signature_expired",
		signed(t, 0, "/ogc/map?width=900", -time.Second):                         "signature_expired",
	} {
		got := server.Get(t, address)
		if code, message := servertest.ErrorOf(t, got); got.Code != http.StatusForbidden || code != want || !strings.HasPrefix(message, "not allowed: ") || got.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: status %d, %s: %s, want %s", address, got.Code, code, message, want)
		}
	}
	if got := server.Get(t, "/layers?q=signature"); got.Code != http.StatusOK {
		t.Errorf("status %d", got.Code)
	}
	keyless := restricted(t, access.Rules{})
	if got := keyless.Get(t, "/tiles/map/12/2200/1340.png?signature=x&expires=1&key_id=y"); got.Code != http.StatusOK || got.Header().Get("Cache-Control") != servertest.CacheControl {
		t.Errorf("without keys, the status is %d", got.Code)
	}
}

// What signed addresses may ask for is bounded by rules of their own.
func TestSignedAddressesHaveRules(t *testing.T) {
	scenes := servertest.ScenesNamed(t, "map")
	scenes[0].Config.Access = access.Policy{Strangers: access.Rules{Formats: []string{}}, Signed: access.Rules{Formats: []string{"png"}}}
	server := servertest.Serve(t, func(c *tilehttp.Config) { c.SigningKeys = signingKeys }, scenes...)
	for address, want := range map[string]int{
		"/layers/map/preview.png": 403, signed(t, 0, "/layers/map/preview.png", time.Hour): 200, signed(t, 0, "/layers/map/preview.tif", time.Hour): 403,
	} {
		if got := server.Get(t, address); got.Code != want {
			t.Errorf("%s: status %d, want %d", address, got.Code, want)
		}
	}
}

// The path is signed below the public address, whether a proxy cuts the beginning off or not.
func TestSignaturesHoldBehindProxies(t *testing.T) {
	server := strangersBound(t, func(c *tilehttp.Config) { c.BasePath = "/imagery" })
	address := signed(t, 0, "/layers/map/preview.webp", time.Hour)
	for path, headers := range map[string]map[string]string{
		address:              nil,
		"/imagery" + address: nil,
		"/maps" + address:    {"X-Forwarded-Prefix": "/maps", "X-Forwarded-Host": "maps.example", "X-Forwarded-Proto": "https"},
	} {
		if got := server.GetThrough("127.0.0.1:999", path, headers); got.Code != http.StatusOK {
			t.Errorf("%s: status %d: %s", path, got.Code, got.Body)
		}
	}
}

// No answer is kept or confirmed after the signature has expired.
func TestAnswersAreNotKeptPastTheExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := strangersBound(t, nil)
		address := signed(t, 0, "/tiles/map/12/2200/1340.webp", 200*time.Second)
		first := server.Get(t, address)
		etag := first.Header().Get("ETag")
		if got := first.Header().Get("Cache-Control"); first.Code != http.StatusOK || got != "public, max-age=200, must-revalidate" {
			t.Errorf("status %d with %q", first.Code, got)
		}
		time.Sleep(150 * time.Second)
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			got := server.Send(method, address, "If-None-Match", etag)
			if control := got.Header().Get("Cache-Control"); got.Code != http.StatusNotModified || control != "public, max-age=50, must-revalidate" {
				t.Errorf("%s: status %d with %q", method, got.Code, control)
			}
			got = server.Send(method, address, "Range", "bytes=0-9") // of GET only
			if control := got.Header().Get("Cache-Control"); got.Code/100 != 2 || control != "public, max-age=50, must-revalidate" {
				t.Errorf("%s: status %d with %q", method, got.Code, control)
			}
		}
		if got := server.Get(t, "/tiles/map/12/2200/1340.png"); got.Header().Get("Cache-Control") != servertest.CacheControl {
			t.Errorf("without a signature, Cache-Control is %q", got.Header().Get("Cache-Control"))
		}
		time.Sleep(50 * time.Second)
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			got := server.Send(method, address, "If-None-Match", etag)
			if got.Code != http.StatusForbidden || got.Header().Get("Cache-Control") != "no-store" || got.Header().Get("ETag") != "" {
				t.Errorf("after the expiry, %s has status %d with %v", method, got.Code, got.Header())
			}
		}
	})
}

// A client of any address, with any query, gets no server error for a signature.
func FuzzSignedQuery(f *testing.F) {
	handler := tilehttp.NewHandler(tilehttp.Config{SigningKeys: signingKeys})
	server := &servertest.Server{Handler: handler}
	f.Add("signature=x&expires=1&key_id=new")
	f.Add("signature=%zz&;signed_path=%2F*")
	f.Fuzz(func(t *testing.T, query string) {
		r, err := http.NewRequest(http.MethodGet, "http://example.com/colormaps?"+query, nil)
		if err != nil {
			return
		}
		if got := server.Do(r); got.Code >= http.StatusInternalServerError {
			t.Errorf("status %d", got.Code)
		}
	})
}
