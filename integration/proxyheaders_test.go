package integration

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// crawlDirectly crawls a server without a proxy: all addresses that its links lead to, addresses
// with content negotiation, and addresses that do not exist.
func crawlDirectly(t *testing.T, options ...string) *crawl {
	t.Helper()
	s := behind(t, options...).replicas[0]
	c := &crawl{root: s.maps, each: true, ask: func(t *testing.T, address string) answer {
		t.Helper()
		return ask(t, http.MethodGet, address, nil)
	}}
	addresses := c.absolute(entrances)
	for _, path := range []string{
		"/tiles/colors/" + cornerTile + ".auto", "/tiles/heights/" + cornerTile, "/tiles/colors/" + cornerTile + "@2x", "/layers/heights/preview.auto",
		"/tiles/colors/" + cornerTile + ".jpg", "/layers/plain/preview.tif", "/layers/plain/preview.npy",
		"/iiif/plain/full/max/0/default.jpg", "/dzi/plain_files/9/0_0.png", "/zoomify/plain/TileGroup0/0-0-0.jpg",
	} {
		addresses = append(addresses, c.root+path)
	}
	c.follow(t, addresses...)
	for _, path := range []string{"/nothing", "/layers/none", "/tiles/colors/0/0/0.png?bidx=77"} {
		c.answers[c.root+path] = ask(t, http.MethodGet, c.root+path, nil)
	}
	return c
}

// TestEveryAddress checks the headers that caches, proxies and simple clients rely on, for every
// address that the crawl finds.
func TestEveryAddress(t *testing.T) {
	c := crawlDirectly(t)
	t.Run("HEAD has the headers of GET", func(t *testing.T) { testHEAD(t, c) })
	t.Run("only what is agreed on varies", func(t *testing.T) { testVary(t, c) })
	t.Run("text is compressed", func(t *testing.T) { testCompression(t, c) })
}

// ofTheMoment lists headers that describe a single answer, not the resource.
var ofTheMoment = []string{"Date", "X-Request-Id", "X-Cache", "Server-Timing", "Last-Modified"} // Last-Modified is left out within a second of a change

// lasting returns a header without the fields of ofTheMoment.
func lasting(header http.Header) http.Header {
	header = header.Clone()
	for _, name := range ofTheMoment {
		header.Del(name)
	}
	return header
}

func testHEAD(t *testing.T, c *crawl) {
	for _, path := range c.paths() {
		get, head := c.answers[c.root+path], ask(t, http.MethodHead, c.root+path, nil)
		if head.status != get.status || len(head.body) != 0 {
			t.Errorf("%s: HEAD is %d with %d bytes, GET %d", path, head.status, len(head.body), get.status)
		}
		if got, want := lasting(head.header), lasting(get.header); !maps.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%s: the headers of HEAD are %v, of GET %v", path, got, want)
		}
	}
}

// varies reports whether the Vary header of an answer names a header of the request.
func (a answer) varies(header string) bool {
	for _, list := range a.header.Values("Vary") {
		for name := range strings.SplitSeq(list, ",") {
			if strings.EqualFold(strings.TrimSpace(name), header) {
				return true
			}
		}
	}
	return false
}

// accepted lists the Accept headers that map clients, browsers and catalogs send.
var accepted = []string{"", "*/*", "image/avif,image/webp,image/*;q=0.8", "image/png", "image/jpeg", "text/html,application/xhtml+xml", "application/json", "application/xml"}

// agreedOn matches the addresses whose format is negotiated. All others, and those with f=FORMAT,
// must not vary, because caches would store copies of the same content.
var agreedOn = regexp.MustCompile(`\.auto$|^/tiles/.*/\d+(@2x)?$|^/ogc(/|\?|$)|^/wmts/1\.0\.0/WMTSCapabilities\.xml$|^/iiif/\w+(/info\.json)?$`)

func testVary(t *testing.T, c *crawl) {
	agreed := 0
	for _, path := range c.paths() {
		first := c.answers[c.root+path]
		varies := first.varies("Accept")
		if varies {
			agreed++
		}
		if varies && (!agreedOn.MatchString(path) || strings.Contains(path, "f=")) {
			t.Errorf("%s varies by %q, although its format is not negotiated", path, first.header.Values("Vary"))
		}
		for _, accept := range accepted {
			a := ask(t, http.MethodGet, c.root+path, http.Header{"Accept": {accept}})
			if a.varies("Accept") != varies {
				t.Errorf("%s: with Accept %q it varies by %q, without by %q", path, accept, a.header.Values("Vary"), first.header.Values("Vary"))
			}
			if same := a.status == first.status && a.header.Get("Content-Type") == first.header.Get("Content-Type"); !same && !varies {
				t.Errorf("%s: with Accept %q the answer is %d, %s, but Vary does not name Accept", path, accept, a.status, a.header.Get("Content-Type"))
			}
		}
	}
	if agreed < 4 {
		t.Errorf("only %d addresses vary", agreed)
	}
}

func testCompression(t *testing.T, c *crawl) {
	const packet = 1400
	compressed := 0
	for _, path := range c.paths() {
		plain, packed := c.answers[c.root+path], ask(t, http.MethodGet, c.root+path, http.Header{"Accept-Encoding": {"gzip, br"}})
		isText := !strings.HasPrefix(plain.header.Get("Content-Type"), "image/") && !strings.HasPrefix(plain.header.Get("Content-Type"), "application/x-binary")
		want := isText && len(plain.body) >= packet
		if got := packed.header.Get("Content-Encoding") == "gzip"; got != want {
			t.Errorf("%s: compressed is %v, of %d bytes of %s", path, got, len(plain.body), plain.header.Get("Content-Type"))
			continue
		}
		if plain.header.Get("Content-Encoding") != "" || plain.varies("Accept-Encoding") != want || packed.varies("Accept-Encoding") != want {
			t.Errorf("%s: Vary is %q and %q, Content-Encoding without being requested %q", path, plain.header.Values("Vary"), packed.header.Values("Vary"), plain.header.Get("Content-Encoding"))
		}
		if want {
			compressed++
			wantSameText(t, c.root+path, plain, packed)
		}
	}
	if compressed < 3 {
		t.Errorf("only %d addresses are compressed", compressed)
	}
}

// wantSameText checks that one answer is another one compressed, and that caches can distinguish
// them.
func wantSameText(t *testing.T, address string, plain, packed answer) {
	t.Helper()
	reader, err := gzip.NewReader(bytes.NewReader(packed.body))
	if err != nil {
		t.Errorf("%s: %v", address, err)
		return
	}
	if unpacked, err := io.ReadAll(reader); err != nil || !bytes.Equal(unpacked, plain.body) {
		t.Errorf("%s: the unpacked body differs: %v", address, err)
	}
	if len(packed.body) >= len(plain.body) {
		t.Errorf("%s: compression turned %d bytes into %d", address, len(plain.body), len(packed.body))
	}
	if plain.status != http.StatusOK {
		return
	}
	if plain.header.Get("ETag") == "" || plain.header.Get("ETag") == packed.header.Get("ETag") {
		t.Errorf("%s: both have the ETag %q", address, plain.header.Get("ETag"))
	}
	for accept, a := range map[string]answer{"identity": plain, "gzip": packed} {
		again := ask(t, http.MethodGet, address, http.Header{"Accept-Encoding": {accept}, "If-None-Match": {a.header.Get("ETag")}})
		if again.status != http.StatusNotModified || again.header.Get("ETag") != a.header.Get("ETag") {
			t.Errorf("%s: revalidation with encoding %s: status %d, ETag %s, want 304 and %s", address, accept, again.status, again.header.Get("ETag"), a.header.Get("ETag"))
		}
	}
}

// Forwarded headers must not get into links unless they come from a trusted proxy.
func TestOnlyTrustedProxiesAreBelieved(t *testing.T) {
	headers := http.Header{"X-Forwarded-Proto": {"https"}, "X-Forwarded-Host": {"maps.example"}, "X-Forwarded-Prefix": {"/imagery"}}
	for _, test := range []struct {
		options  []string
		believed bool
	}{
		{nil, true}, // by default, the server trusts its own machine
		{[]string{"--trusted-proxies", "none"}, false},
		{[]string{"--trusted-proxies", "192.0.2.0/24"}, false},
		{[]string{"--trusted-proxies", "192.0.2.0/24,127.0.0.1"}, true},
	} {
		folder := t.TempDir()
		writeTIFF(t, folder, "plain.tif", fileOf(plain()))
		s := start(t, append([]string{"serve", "--state", "", folder}, test.options...)...)
		for _, path := range []string{"/layers", "/layers/plain"} {
			a := ask(t, http.MethodGet, s.maps+path, headers)
			if believed := strings.Contains(string(a.body), "https://maps.example/imagery/layers/plain"); believed != test.believed {
				t.Errorf("%q, %s: the proxy is trusted: %v", test.options, path, believed)
			}
			if !test.believed && !strings.Contains(string(a.body), s.maps+"/layers/plain") {
				t.Errorf("%q, %s: the links have the wrong address: %s", test.options, path, a.body)
			}
		}
	}
}

// A server with a public path answers with and without that path, because some proxies strip it.
func TestAllLinksAreBelowTheBasePath(t *testing.T) {
	s := behind(t, "--base-path", "/maps/of/mine").replicas[0]
	c := &crawl{root: s.maps + "/maps/of/mine", ask: func(t *testing.T, address string) answer {
		t.Helper()
		return ask(t, http.MethodGet, address, nil)
	}}
	c.follow(t, c.absolute(entrances)...)
	for _, path := range c.paths() {
		if a := ask(t, http.MethodGet, s.maps+path, nil); a.status != http.StatusOK {
			t.Errorf("%s without the path: status %d", path, a.status)
		}
	}
}
