package api_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	tilehttp "tileserver/http"
	"tileserver/http/servertest"
)

// layerPage is a page of the list as clients parse it.
type layerPage struct {
	Layers []struct {
		ID, Title     string
		Placed        bool
		Bounds        []float64
		Width, Height int
		BandCount     int `json:"band_count"`
		Links         servertest.Links
	}
	Total, Offset int
	Start, Next   string
}

func (p *layerPage) ids() (ids []string) {
	for _, l := range p.Layers {
		ids = append(ids, l.ID)
	}
	return ids
}

func TestLayerListPages(t *testing.T) {
	const layers = 5000
	server := servertest.ServeMany(t, layers, func(c *tilehttp.Config) { c.Origin, c.BasePath = "https://maps.example", "/imagery" })
	var ids []string
	pages := 0
	for next := "/layers"; next != ""; pages++ {
		got := server.Get(t, next)
		if size := got.Body.Len(); size > 1<<20 {
			t.Errorf("a page has %d bytes", size)
		}
		page := servertest.DecodeJSON[layerPage](t, got)
		if page.Total != layers || page.Offset != len(ids) || page.Start != "ortho-00000" {
			t.Fatalf("%s begins with layer %d of %d and the start %q", next, page.Offset, page.Total, page.Start)
		}
		ids = append(ids, page.ids()...)
		if next = page.Next; next != "" && !strings.HasPrefix(next, "https://maps.example/imagery/layers?") {
			t.Fatalf("the next page is at %s", next)
		}
		next = strings.TrimPrefix(next, "https://maps.example")
	}
	if slices.Sort(ids); len(slices.Compact(ids)) != layers || pages != 5 {
		t.Errorf("%d pages have %d layers", pages, len(ids))
	}
	all := servertest.DecodeJSON[layerPage](t, server.Get(t, "/layers?limit=100000"))
	if len(all.Layers) != layers || all.Next != "" {
		t.Errorf("a page of all has %d layers, and then %q", len(all.Layers), all.Next)
	}
}

func TestLayerListSearch(t *testing.T) {
	server := servertest.ServeMany(t, 300, nil)
	for query, want := range map[string]struct {
		total int
		first string
	}{
		"q=SHEET+00123": {1, "ortho-00123"}, "q=00123%20ortho": {1, "ortho-00123"}, "q=%20": {300, "ortho-00000"}, "q=": {300, "ortho-00000"},
		"q=dem&limit=7&offset=93": {100, "dem-00280"}, "q=dem&after=ortho-00003": {100, "dem-00004"},
		"placed=false": {100, "scan-00002"}, "placed=true&offset=2": {200, "ortho-00003"}, "placed=false&q=ortho": {0, ""}, "placed=any": {300, "ortho-00000"},
		"limit=1&offset=299": {300, "scan-00299"}, "offset=300": {300, ""}, "q=100%25": {0, ""},
	} {
		page := servertest.DecodeJSON[layerPage](t, server.Get(t, "/layers?"+query))
		first := ""
		if len(page.Layers) > 0 {
			first = page.Layers[0].ID
			if l := page.Layers[0]; l.Placed == (l.Bounds == nil) || l.Width == 0 || l.Height == 0 || l.BandCount == 0 {
				t.Errorf("%s: the first layer is %+v", query, l)
			}
		}
		if page.Total != want.total || first != want.first {
			t.Errorf("%s finds %d layers, the first of the page being %q", query, page.Total, first)
		}
		if page.Start != "ortho-00000" {
			t.Errorf("%s begins with %q", query, page.Start)
		}
	}
	page := servertest.DecodeJSON[layerPage](t, server.Get(t, "/layers?q=Sheet%20dem&placed=true&limit=40"))
	if next := servertest.DecodeJSON[layerPage](t, server.Get(t, page.Next)); next.Total != 100 || next.Offset != 40 || len(next.Layers) != 40 || next.Layers[0].ID != "dem-00121" {
		t.Errorf("the next page of a search has %d layers from %d on, of %d", len(next.Layers), next.Offset, next.Total)
	}
}

func TestLayerListPageValidators(t *testing.T) {
	server := servertest.ServeMany(t, 30, nil)
	seen := make(map[string]string)
	for _, query := range []string{"", "?limit=10", "?limit=10&offset=10", "?limit=9&after=scan-00002", "?q=dem", "?q=scan", "?placed=true"} {
		etag := server.Get(t, "/layers"+query).Header().Get("ETag")
		if other, taken := seen[etag]; taken || etag == "" {
			t.Errorf("%q and %q have the validator %s", query, other, etag)
		}
		seen[etag] = query
		if got := server.GetEncoded("/layers"+query, "", etag); got.Code != http.StatusNotModified {
			t.Errorf("revalidation of %q: status %d", query, got.Code)
		}
	}
	if made := server.WrittenDocuments(t); made != len(seen) {
		t.Errorf("%d pages were written %d times", len(seen), made)
	}
	if server.Get(t, "/layers?q=DEM&limit=30&limit=30"); server.WrittenDocuments(t) != len(seen) {
		t.Error("an invalid query writes a page")
	}
}

func TestInvalidLayerListQueries(t *testing.T) {
	server := servertest.ServeMany(t, 9, nil)
	for _, query := range []string{
		"limit=0", "limit=-1", "limit=100001", "limit=ten", "limit=1e3", "limit=99999999999999999999", "limit=5&limit=6",
		"offset=-1", "offset=x", "offset=99999999999999999999", "offset=2&after=dem-00001", "placed=maybe", "placed=1",
		"after=none", "after=" + strings.Repeat("x", 2000), "q=%FF", "q=%00", "q=a%1Bb", "q=" + strings.Repeat("%C3%A4", 201), "q=a&q=b", "limit=%zz",
	} {
		got := server.Get(t, "/layers?"+query)
		if code, message := servertest.ErrorOf(t, got); got.Code != http.StatusBadRequest || code == "" || message == "" {
			t.Errorf("%.40s is %d %s: %s", query, got.Code, code, message)
		}
	}
	if got := server.Get(t, "/layers?q="+strings.Repeat("%C3%A4", 200)); got.Code != http.StatusOK {
		t.Errorf("200 characters: status %d", got.Code)
	}
}

// Every page is a part of the list and leads to the layers after it.
func FuzzLayerList(f *testing.F) {
	for _, query := range []string{"", "limit=3", "limit=3&after=dem-00004", "offset=7&limit=2", "q=dem+SHEET", "placed=false&q=scan", "q=%C3%84&after=", "limit=99999&placed=any"} {
		f.Add(query)
	}
	const layers = 12
	server := servertest.ServeMany(f, layers, nil)
	f.Fuzz(func(t *testing.T, query string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL = &url.URL{Path: "/layers", RawQuery: query}
		got := server.Do(r)
		if got.Code == http.StatusBadRequest {
			return
		}
		page := servertest.DecodeJSON[layerPage](t, got)
		end := page.Offset + len(page.Layers)
		if page.Offset < 0 || end > page.Total || page.Total > layers || (page.Next != "") != (len(page.Layers) > 0 && end < page.Total) {
			t.Fatalf("layers %d to %d of %d, and then %q", page.Offset, end, page.Total, page.Next)
		}
		if page.Next != "" {
			if next := servertest.DecodeJSON[layerPage](t, server.Get(t, page.Next)); next.Offset != end || next.Total != page.Total {
				t.Fatalf("after layer %d of %d comes %d of %d", end, page.Total, next.Offset, next.Total)
			}
		}
	})
}
