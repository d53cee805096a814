package remote

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
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

// compare compares answers of a server with those that are right.
func (s *server) compare(t *testing.T, right []known) {
	t.Helper()
	wrong := 0
	for _, want := range right {
		got := s.ask(t, want.address)
		if got == want.answer {
			continue
		}
		if wrong++; wrong <= 3 {
			t.Errorf("%s: %v, want %v", want.address, got, want.answer)
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d answers are wrong", wrong, len(right))
	}
}
