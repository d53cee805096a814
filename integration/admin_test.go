package integration

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestOperatorsSeeWhatTheServerDoes(t *testing.T) {
	s := newWorld(t)
	blocks := s.blocksOf(t, "colors/WebMercatorQuad/"+cornerTile)
	for _, path := range []string{"/healthz", "/readyz", "/debug/version", "/debug/pprof/"} {
		get(t, s.admin+path)
	}
	get(t, s.maps+"/tiles/colors/"+cornerTile+".png")
	get(t, s.maps+"/tiles/colors/"+cornerTile+".png")
	for name, want := range map[string]int{
		"tileserver_layers":                        3,
		`tileserver_pictures_total{origin="MISS"}`: 1,
		`tileserver_pictures_total{origin="HIT"}`:  1,
		`tileserver_http_requests_total{route="/tiles/{layer}/{z}/{x}/{tile}",status="2xx"}`: 2,
		"tileserver_pictures_working":                     0,
		"tileserver_decode_failures_total":                0,
		decodedBlocks:                                     blocks,
		`tileserver_cache_space_entries{space="blocks"}`:  blocks,
		`tileserver_cache_misses_total{space="pictures"}`: 1,
	} {
		// The server counts a request after it has sent the answer.
		eventually(t, fmt.Sprintf("%s is %d", name, want), func() bool { return s.metric(t, name) == want })
	}
	if cache := getJSON[struct {
		Used   int `json:"used_bytes"`
		Layers int
	}](t, s.admin+"/debug/cache"); cache.Used < 256*256*3 || cache.Layers != 3 {
		t.Errorf("got cache %+v", cache)
	}
}

// plan holds the fields that the tests read of a tile's plan.
type plan struct {
	ETag                string
	Level, Blocks, Kept int
}

// blocksOf returns the number of blocks that a tile needs: the blocks that it covers, and the
// neighboring blocks that resampling may read.
func (s *server) blocksOf(t *testing.T, tile string) int {
	t.Helper()
	return getJSON[plan](t, s.admin+"/debug/plan/"+tile).Blocks
}

func TestAPlanSaysWhatATileTakes(t *testing.T) {
	s := newWorld(t)
	address := s.admin + "/debug/plan/colors/WebMercatorQuad/" + cornerTile
	if got := getJSON[plan](t, address); got.Level != 0 || got.Blocks < 2*4 || got.Blocks > 4*6 || got.Kept != 0 || got.ETag == "" {
		t.Errorf("plan before the first request: %+v", got)
	}
	tile := get(t, s.maps+"/tiles/colors/"+cornerTile+".png")
	if got := getJSON[plan](t, address); got.Kept != got.Blocks || got.ETag != tile.header.Get("ETag") {
		t.Errorf("plan after the first request, with ETag %s: %+v", tile.header.Get("ETag"), got)
	}
}

func TestAdminAddressesAreNotPublic(t *testing.T) {
	s := newWorld(t)
	for _, path := range []string{"/metrics", "/debug/pprof/", "/debug/cache", "/debug/version", "/readyz"} {
		if a := ask(t, http.MethodGet, s.maps+path, nil); a.status != http.StatusNotFound {
			t.Errorf("%s: status %d", path, a.status)
		}
	}
}

func TestEachRequestIsALineInTheLog(t *testing.T) {
	s := newWorld(t)
	ask(t, http.MethodGet, s.maps+"/layers/none?secret=word", http.Header{"X-Request-Id": {"from-the-proxy"}})
	eventually(t, "the request is in the log", func() bool { return strings.Contains(s.log.String(), "from-the-proxy") })
	if strings.Contains(s.log.String(), "secret") {
		t.Error("the log contains the query of a request")
	}
}
