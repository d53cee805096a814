package remote

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
)

// layer is what a server tells of a layer.
type layer struct {
	ID            string
	Width, Height int
	Placed        bool
	Bounds        [4]float64 // in degrees
	Sets          []struct {
		ID               string
		MinZoom, MaxZoom int
	} `json:"tile_matrix_sets"`
}

// walk returns addresses of a layer: what it is, pictures of the whole and of places, and tiles at all zooms.
func (s *server) walk(t *testing.T, id string) (addresses []string) {
	t.Helper()
	document := s.ask(t, "/layers/"+id)
	var l layer
	if err := json.Unmarshal([]byte(document.body), &l); err != nil || document.status != http.StatusOK {
		t.Fatalf("layer %s: %v, %v", id, document, err)
	}
	addresses = []string{
		"/layers/" + id + "/preview.png", "/layers/" + id + "/statistics", "/layers/" + id + "/tilejson.json",
		fmt.Sprintf("/layers/%s/point/%d,%d?crs=image", id, l.Width/3, l.Height/2),
		fmt.Sprintf("/layers/%s/view.png?crs=image&bbox=7,9,%d,%d&width=201&height=203", id, l.Width/2, l.Height/3*2),
	}
	for _, set := range l.Sets {
		for zoom := set.MinZoom; zoom <= set.MaxZoom; zoom++ {
			switch {
			case set.ID == "image":
				addresses = append(addresses, l.imageTiles(zoom, set.MaxZoom)...)
			case set.ID == "WebMercatorQuad" && l.Placed:
				addresses = append(addresses, l.mapTile(zoom, 0.4, 0.6))
			}
		}
	}
	return append(addresses, "/layers/"+id) // it tells statistics that are known
}

const (
	tileSide = 256
	maxTiles = 5 // of a row and of a column
)

// imageTiles returns tiles of a zoom of the image.
func (l *layer) imageTiles(zoom, maxZoom int) (addresses []string) {
	across := func(pixels int) int {
		return min((pixels+tileSide<<(maxZoom-zoom)-1)/(tileSide<<(maxZoom-zoom)), maxTiles)
	}
	for y := range across(l.Height) {
		for x := range across(l.Width) {
			addresses = append(addresses, fmt.Sprintf("/tiles/%s/image/%d/%d/%d.png", l.ID, zoom, x, y))
		}
	}
	return addresses
}

// mapTile returns the tile of the map at shares of the width and the height of the image.
func (l *layer) mapTile(zoom int, right, down float64) string {
	longitude, latitude := l.Bounds[0]+right*(l.Bounds[2]-l.Bounds[0]), l.Bounds[3]+down*(l.Bounds[1]-l.Bounds[3])
	count := math.Exp2(float64(zoom))
	northing := math.Asinh(math.Tan(latitude*math.Pi/180)) / math.Pi
	return fmt.Sprintf("/tiles/%s/%d/%d/%d.png", l.ID, zoom, int((longitude/360+.5)*count), int((1-northing)/2*count))
}

// known is an address with what a server should answer.
type known struct {
	address string
	answer
}

// answers returns what a server answers to a walk.
func (s *server) answers(t *testing.T, addresses []string) (all []known) {
	t.Helper()
	for _, address := range addresses {
		all = append(all, known{address, s.ask(t, address)})
	}
	return all
}

// compare compares answers of a server with those that are right, one after the other.
func (s *server) compare(t *testing.T, right []known) {
	t.Helper()
	s.compareBy(t, 1, right)
}

// compareBy compares answers to several clients.
func (s *server) compareBy(t *testing.T, clients int, right []known) {
	t.Helper()
	var wrong atomic.Int64
	s.askAll(t, clients, right, func(want known, got answer) {
		if got != want.answer && wrong.Add(1) <= 3 {
			t.Errorf("%s: %v, want %v", want.address, got, want.answer)
		}
	})
	if wrong.Load() > 0 {
		t.Errorf("%d of %d answers are wrong", wrong.Load(), len(right))
	}
}

// askAll asks for all by several clients, and judges what they get.
func (s *server) askAll(t *testing.T, clients int, all []known, judge func(want known, got answer)) {
	t.Helper()
	left := make(chan known)
	var asking sync.WaitGroup
	for range clients {
		asking.Go(func() {
			for want := range left {
				got, err := get(t.Context(), s.maps+want.address)
				if err != nil {
					t.Error(err)
				}
				judge(want, got)
			}
		})
	}
	for _, each := range all {
		left <- each
	}
	close(left)
	asking.Wait()
}
