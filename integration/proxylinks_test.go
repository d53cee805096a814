package integration

import (
	"encoding/json"
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// crawl follows all links of a server, starting from some of its addresses.
type crawl struct {
	root string // the prefix that all links must have
	ask  func(t *testing.T, address string) answer

	// each is whether to request every picture, instead of one for each kind of address.
	each bool

	answers map[string]answer // by address
	kinds   map[string]bool   // kinds of the pictures that were requested
	waiting []string
}

// maxAddresses is the maximum number of addresses of a crawl. The layers are few.
const maxAddresses = 2000

// follow requests addresses, and all that they lead to.
func (c *crawl) follow(t *testing.T, addresses ...string) {
	t.Helper()
	c.answers, c.kinds, c.waiting = make(map[string]answer), make(map[string]bool), addresses
	for len(c.waiting) > 0 && len(c.answers) < maxAddresses {
		address := c.waiting[0]
		c.waiting = c.waiting[1:]
		if _, ok := c.answers[address]; ok || c.isKnownKind(address) {
			continue
		}
		a := c.ask(t, address)
		c.answers[address] = a
		switch {
		case a.status == http.StatusSeeOther:
			c.note(t, address, a.header.Get("Location"))
			continue
		case a.status != http.StatusOK:
			t.Errorf("%s: status %d: %.300s", address, a.status, a.body)
			continue
		}
		c.read(t, address, a)
	}
	if len(c.answers) == maxAddresses {
		t.Errorf("the crawl found more than %d addresses", maxAddresses)
	}
}

var (
	pictureAddress = regexp.MustCompile(`\.(png|jpg|webp)(\?|$)|[?&]f=(png|jpeg|webp)`)
	namesAndPlaces = regexp.MustCompile(`\d+|(native-)?(colors|heights)|\w+Quad`)
)

// isKnownKind reports whether the crawl has requested a picture whose address differs only by layer
// (of those on the map), tile matrix set and tile position.
func (c *crawl) isKnownKind(address string) bool {
	if c.each || !pictureAddress.MatchString(address) {
		return false
	}
	kind := namesAndPlaces.ReplaceAllString(strings.TrimPrefix(address, c.root), "*")
	known := c.kinds[kind]
	c.kinds[kind] = true
	return known
}

var (
	absoluteLink = regexp.MustCompile(`https?://[^\s"'<>\\)\x60]+`)
	htmlLink     = regexp.MustCompile(`(?:href|src)="([^"#]+)`)
)

// read notes the links of a text.
func (c *crawl) read(t *testing.T, address string, a answer) {
	t.Helper()
	mime, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	isHTML := mime == "text/html"
	if !isHTML && !strings.Contains(mime, "json") && !strings.HasSuffix(mime, "xml") {
		return
	}
	links := absoluteLink.FindAllString(string(a.body), -1)
	if isHTML {
		links = append(links, linksOfPage(t, address, string(a.body))...)
	}
	for _, link := range links {
		c.note(t, address, c.fill(t, address, strings.TrimRight(html.UnescapeString(link), ".,")))
	}
}

// note adds a link to the queue if it leads to the server.
func (c *crawl) note(t *testing.T, address, link string) {
	t.Helper()
	switch {
	case link == c.root || strings.HasPrefix(link, c.root+"/"):
		c.waiting = append(c.waiting, link)
	case strings.HasPrefix(link, "/"), strings.Contains(link, "127.0.0.1"), strings.Contains(link, publicName):
		t.Errorf("%s leads to %s, past the proxy", address, link)
	}
}

// linksOfPage returns the relative links of a page as absolute addresses.
func linksOfPage(t *testing.T, address, page string) (links []string) {
	t.Helper()
	base, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range htmlLink.FindAllStringSubmatch(page, -1) {
		link, err := base.Parse(html.UnescapeString(found[1]))
		if err != nil {
			t.Errorf("%s has the link %q: %v", address, found[1], err)
			continue
		}
		if link.Scheme == "http" || link.Scheme == "https" {
			links = append(links, link.String())
		}
	}
	return links
}

// places maps the variables of address templates to values that all layers have.
var places = map[string]string{
	"z": "0", "x": "0", "y": "0", "-y": "0", "ext": "png", "crs": "image", "minx": "0", "miny": "0", "maxx": "20", "maxy": "10", "width": "20", "height": "10",
	"tilematrix": "0", "tilerow": "0", "tilecol": "0", "tilematrixset": "WebMercatorQuad", "style": "default", "i": "0", "j": "0",
}

// beginnings maps links that are only prefixes of addresses to the rest of an address. TMS has many
// levels; one is enough.
var beginnings = []struct {
	link  *regexp.Regexp
	whole string
}{
	{regexp.MustCompile(`/wmts\?$`), "/wmts?SERVICE=WMTS&REQUEST=GetCapabilities"},
	{regexp.MustCompile(`/wmts/1\.0\.0/$`), "/wmts/1.0.0/WMTSCapabilities.xml"},
	{regexp.MustCompile(`(/tms/1\.0\.0/[^/]+)/\d+$`), "$1/0/0/0.png"},
}

var placeInBraces = regexp.MustCompile(`\{[^{}]*\}`)

// fill replaces the variables of a link's template by values.
func (c *crawl) fill(t *testing.T, from, link string) string {
	t.Helper()
	for _, b := range beginnings {
		link = b.link.ReplaceAllString(link, b.whole)
	}
	own := maps.Clone(places)
	if strings.Contains(link, "/point/") {
		own["x"] = "20"
	}
	if strings.Contains(link, "/plain/") {
		own["tilematrixset"] = "image"
	}
	if tileSet, _, ok := strings.Cut(link, "/{tileMatrix}"); ok && strings.Contains(tileSet, "/map/tiles/") {
		maps.Copy(own, c.firstTile(t, tileSet))
	}
	return placeInBraces.ReplaceAllStringFunc(link, func(braces string) string {
		value, ok := own[strings.ToLower(strings.Trim(braces, "{}"))]
		if !ok {
			t.Errorf("%s has the link %s with the unknown variable %s", from, link, braces)
		}
		return value
	})
}

// firstTile returns the first tile that a tile set of OGC API Tiles lists.
func (c *crawl) firstTile(t *testing.T, tileSet string) map[string]string {
	t.Helper()
	var document struct {
		Limits []struct {
			TileMatrix             string
			MinTileRow, MinTileCol int
		} `json:"tileMatrixSetLimits"`
	}
	address := tileSet + "?f=json"
	a, ok := c.answers[address]
	if !ok {
		a = c.ask(t, address)
	}
	if err := json.Unmarshal(a.body, &document); err != nil || len(document.Limits) == 0 {
		t.Errorf("%s has no tile limits: %v in %.300s", address, err, a.body)
		return nil
	}
	first := document.Limits[0]
	return map[string]string{"tilematrix": first.TileMatrix, "tilerow": strconv.Itoa(first.MinTileRow), "tilecol": strconv.Itoa(first.MinTileCol)}
}

// entrances lists the addresses that the documentation names. All others are reached from them.
var entrances = []string{"/", "/layers", "/wmts?SERVICE=WMTS&REQUEST=GetCapabilities", "/wmts/1.0.0/WMTSCapabilities.xml", "/ogc"}

// testLinks follows all links of the servers behind a proxy. The client sends headers that try to
// change the links.
func testLinks(t *testing.T, f *front) {
	t.Helper()
	hostile := http.Header{
		"X-Forwarded-Host": {"evil.example"}, "X-Forwarded-Prefix": {"/evil"}, "X-Forwarded-Proto": {"gopher"}, "X-Forwarded-For": {"8.8.8.8"},
	}
	c := &crawl{root: f.root, ask: func(t *testing.T, address string) answer {
		t.Helper()
		a, err := askWith(f.client, t, http.MethodGet, address, hostile)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(a.body), "evil") {
			t.Errorf("%s contains the address from the client's headers", address)
		}
		return a
	}}
	c.follow(t, c.absolute(entrances)...)
	for _, wanted := range []string{
		"/layers/colors", "/layers/colors/tilejson.json", "/tiles/colors/0/0/0.png", "/layers/colors/preview.png", "/tiles/plain/image/0/0/0.png",
		"/layers/heights/statistics", "/layers/colors/legend.png", "/wmts/1.0.0/colors/default/WebMercatorQuad/0/0/0.png", "/ogc/api?f=json",
		"/ogc/collections/colors/map/tiles/WebMercatorQuad?f=json", "/tms/1.0.0/colors@WebMercatorQuad", "/iiif/plain/info.json", "/dzi/plain.dzi",
		"/zoomify/plain/ImageProperties.xml",
	} {
		if _, ok := c.answers[f.root+wanted]; !ok {
			t.Errorf("no link leads to %s", wanted)
		}
	}
	t.Logf("%d addresses", len(c.answers))
}

// absolute returns the absolute addresses of paths.
func (c *crawl) absolute(paths []string) (addresses []string) {
	for _, path := range paths {
		addresses = append(addresses, c.root+path)
	}
	return addresses
}

// paths returns all paths that were requested, in order.
func (c *crawl) paths() []string {
	var paths []string
	for address := range c.answers {
		paths = append(paths, strings.TrimPrefix(address, c.root))
	}
	slices.Sort(paths)
	return paths
}
