package integration

import (
	"bytes"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

func TestIdenticalRequestsDecodeOnce(t *testing.T) {
	const requests = 500
	folder := t.TempDir()
	writeTIFF(t, folder, "colors.tif", tifftest.File{Images: []tifftest.Image{colors()}})
	s := start(t, "serve", folder)
	answers, errs := make([]answer, requests), make([]error, requests)
	var all sync.WaitGroup
	for i := range requests {
		all.Go(func() {
			answers[i], errs[i] = tryAsk(t, http.MethodGet, s.maps+"/tiles/colors/"+cornerTile+".png", nil)
		})
	}
	all.Wait()
	for i, a := range answers {
		if errs[i] != nil || a.status != http.StatusOK || !bytes.Equal(a.body, answers[0].body) {
			t.Fatalf("request %d: %v, status %d, %d bytes", i, errs[i], a.status, len(a.body))
		}
	}
	blocks := s.blocksOf(t, "colors/WebMercatorQuad/"+cornerTile)
	if got := s.metric(t, decodedBlocks); got != blocks {
		t.Errorf("%d blocks were decoded, want %d", got, blocks)
	}
	if got := s.metric(t, `tileserver_cache_misses_total{space="pictures"}`); got != 1 {
		t.Errorf("%d pictures were rendered, want one", got)
	}
}

func TestDifferentPicturesOfTheSameBlocksShareThem(t *testing.T) {
	folder := t.TempDir()
	writeTIFF(t, folder, "colors.tif", tifftest.File{Images: []tifftest.Image{colors()}})
	s := start(t, "serve", folder)
	var all sync.WaitGroup
	for i := range 20 {
		for _, format := range []string{"png", "jpg", "webp"} {
			all.Go(func() {
				path := fmt.Sprintf("/tiles/colors/%s.%s?rescale=0,%d", cornerTile, format, 200+i)
				if a, err := tryAsk(t, http.MethodGet, s.maps+path, nil); err != nil || a.status != http.StatusOK {
					t.Errorf("%s: %v, status %d: %s", path, err, a.status, a.body)
				}
			})
		}
	}
	all.Wait()
	if got, want := s.metric(t, decodedBlocks), s.blocksOf(t, "colors/WebMercatorQuad/"+cornerTile); got != want {
		t.Errorf("%d blocks were decoded, want %d", got, want)
	}
}
